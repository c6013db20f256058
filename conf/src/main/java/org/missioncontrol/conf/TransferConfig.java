/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.missioncontrol.conf.Keys.Transfer.TRANSPORT_DEFAULT;
import static org.missioncontrol.conf.Keys.Transfer.TRANSPORT_KEY;
import static org.missioncontrol.conf.Keys.Transfer.WEIGHT_DEFAULT;
import static org.missioncontrol.conf.Keys.Transfer.WEIGHT_KEY;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/**
 * What the job asks for its transfer. Immutable.
 *
 * @param weight share relative to other jobs, positive, without unit
 * @param transport name of a congestion control, {@code default} for what the kernel would take, or
 *     {@code auto} for what the rules choose
 */
public record TransferConfig(float weight, String transport) {
  /** Refuses a weight that is not positive. */
  public TransferConfig {
    Checks.positive(WEIGHT_KEY, weight);
  }

  /** Parses a job's configuration; throws {@link IllegalArgumentException} naming the bad key. */
  public static TransferConfig from(Configuration conf) {
    return new TransferConfig(
        conf.getFloat(WEIGHT_KEY, WEIGHT_DEFAULT),
        conf.getTrimmed(TRANSPORT_KEY, TRANSPORT_DEFAULT).toLowerCase(Locale.ROOT));
  }
}
