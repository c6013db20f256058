/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Whose shuffle a sort uses. */
enum Plane {
  /** Hadoop's reducer, no plug-in in the ApplicationMaster. */
  STOCK,
  /** Ours. */
  MISSION_CONTROL;

  void configure(Configuration conf, @Nullable String transport) {
    if (this == STOCK) {
      return;
    }
    conf.set(
        "mapreduce.job.reduce.shuffle.consumer.plugin.class",
        "org.missioncontrol.shuffle.MissionControlShuffle");
    conf.set(
        "yarn.app.mapreduce.am.preemption.policy",
        "org.missioncontrol.scheduler.MissionControlAmPlugin");
    if (transport != null) {
      conf.set("mapreduce.mission-control.transport", transport);
    }
  }
}
