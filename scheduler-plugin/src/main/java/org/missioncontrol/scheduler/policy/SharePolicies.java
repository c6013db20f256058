/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.policy;

import java.util.List;

/** Every policy there is, by name. Immutable. */
public final class SharePolicies {
  private static final List<SharePolicy> ALL =
      List.of(
          new FairPolicy(),
          new FifoPolicy(),
          new PriorityPolicy(),
          new PerformanceCentricByClass(),
          new PerformanceCentricByMachines());

  private SharePolicies() {}

  /** Names of all, in the order in which they are listed for people. */
  public static List<String> names() {
    return ALL.stream().map(SharePolicy::name).toList();
  }

  /** Throws {@link IllegalArgumentException} listing the known names if there is no such policy. */
  public static SharePolicy named(String name) {
    return ALL.stream()
        .filter(policy -> policy.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no share policy is called \"" + name + "\"; there are " + names()));
  }
}
