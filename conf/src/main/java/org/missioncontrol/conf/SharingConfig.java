/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.missioncontrol.conf.Keys.Sharing;

/**
 * How a NodeManager weighs jobs. Immutable.
 *
 * @param policy one of {@link AdminRules#POLICIES}, in force where the rules file names none
 * @param rulesFile path of the administrator's rules, empty for none
 */
public record SharingConfig(String policy, String rulesFile) {
  /** Refuses a policy that there is not, naming the key. */
  public SharingConfig {
    AdminRules.checkPolicy(Sharing.POLICY_KEY + " ", policy);
  }

  /** Parses the NodeManager's configuration. */
  public static SharingConfig from(Configuration conf) {
    return new SharingConfig(
        conf.getTrimmed(Sharing.POLICY_KEY, Sharing.POLICY_DEFAULT).toLowerCase(Locale.ROOT),
        conf.getTrimmed(Sharing.RULES_FILE_KEY, Sharing.RULES_FILE_DEFAULT));
  }
}
