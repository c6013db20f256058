/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One counter's value. Immutable.
 *
 * @param name in Hadoop's CamelCase
 * @param description one line for an operator
 * @param value since the start
 */
public record Count(String name, String description, long value) {
  /**
   * Named after an enum's constant.
   *
   * @param prefix whose counter it is, where names would be the same otherwise; may be empty
   */
  public static Count of(String prefix, Enum<?> constant, String description, long value) {
    return new Count(
        prefix
            + Arrays.stream(constant.name().split("_", -1))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining()),
        description,
        value);
  }
}
