/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.missioncontrol.conf.Keys.Transfer.ENCRYPTION_DEFAULT;
import static org.missioncontrol.conf.Keys.Transfer.ENCRYPTION_KEY;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** Whether a job's map outputs are encrypted on their way. Immutable. */
public enum Encryption {
  /** Not one byte in clear; a map host that cannot encrypt has failed. */
  REQUIRED,
  /** Where the map host can; from others in clear, visibly. */
  PREFERRED,
  /** As the cluster's HTTPS settings say. */
  OFF;

  /** Parses a job's configuration; throws {@link IllegalArgumentException} naming the key. */
  public static Encryption from(Configuration conf) {
    String name = conf.getTrimmed(ENCRYPTION_KEY, ENCRYPTION_DEFAULT);
    for (Encryption one : values()) {
      if (one.toString().equalsIgnoreCase(name)) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        ENCRYPTION_KEY + " is neither required nor preferred nor off: " + name);
  }

  /** As the key writes it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
