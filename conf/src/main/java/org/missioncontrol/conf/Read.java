/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import org.apache.hadoop.conf.Configuration;

/** Numbers of a configuration; one that is none is refused by the name of its key. Immutable. */
final class Read {
  private Read() {}

  static int integer(Configuration conf, String key, int otherwise) {
    try {
      return conf.getInt(key, otherwise);
    } catch (NumberFormatException e) {
      throw noNumber(conf, key, e);
    }
  }

  static long number(Configuration conf, String key, long otherwise) {
    try {
      return conf.getLong(key, otherwise);
    } catch (NumberFormatException e) {
      throw noNumber(conf, key, e);
    }
  }

  private static IllegalArgumentException noNumber(
      Configuration conf, String key, NumberFormatException cause) {
    return new IllegalArgumentException(
        key + " is not a whole number in range: " + conf.get(key), cause);
  }
}
