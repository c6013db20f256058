/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.missioncontrol.conf.Keys.Transfer.TRANSPORT_KEY;
import static org.missioncontrol.conf.Keys.Transfer.WEIGHT_DEFAULT;
import static org.missioncontrol.conf.Keys.Transfer.WEIGHT_KEY;

import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.missioncontrol.conf.AmConfig;
import org.missioncontrol.conf.Keys.Am;
import org.missioncontrol.conf.TransferConfig;
import org.missioncontrol.scheduler.control.ControlCodec;
import org.missioncontrol.transport.Transport;

/**
 * What the job's configuration says, with the default in the place of what cannot be used.
 * Immutable.
 */
record JobSettings(AmConfig am, float weight, String transport) {
  /** Reads the settings; each that is of no use is reported once to {@code warn}. */
  static JobSettings from(Configuration conf, Consumer<String> warn) {
    return new JobSettings(am(conf, warn), weight(conf, warn), transport(conf, warn));
  }

  private static AmConfig am(Configuration conf, Consumer<String> warn) {
    try {
      return AmConfig.from(conf);
    } catch (IllegalArgumentException e) {
      warn.accept("the times of the controller are the default ones: " + e.getMessage());
      return AmConfig.from(
          without(
              conf, Am.POLL_INTERVAL_MS_KEY, Am.ANNOUNCE_INTERVAL_MS_KEY, Am.CALL_TIMEOUT_MS_KEY));
    }
  }

  private static float weight(Configuration conf, Consumer<String> warn) {
    try {
      float weight = TransferConfig.from(conf).weight();
      if (weight <= ControlCodec.MAX_WEIGHT) {
        return weight;
      }
      warn.accept(WEIGHT_KEY + " > " + ControlCodec.MAX_WEIGHT + ": " + weight + defaultWeight());
    } catch (IllegalArgumentException e) {
      warn.accept(WEIGHT_KEY + " cannot be used: " + e.getMessage() + defaultWeight());
    }
    return WEIGHT_DEFAULT;
  }

  private static String defaultWeight() {
    return "; the job's weight is " + WEIGHT_DEFAULT;
  }

  private static String transport(Configuration conf, Consumer<String> warn) {
    try {
      return new Transport(TransferConfig.from(without(conf, WEIGHT_KEY)).transport()).name();
    } catch (IllegalArgumentException e) {
      warn.accept(TRANSPORT_KEY + " cannot be used: " + e.getMessage() + "; the default is");
      return Transport.DEFAULT.name();
    }
  }

  private static Configuration without(Configuration conf, String... keys) {
    Configuration copy = new Configuration(conf);
    for (String key : keys) {
      copy.unset(key);
    }
    return copy;
  }
}
