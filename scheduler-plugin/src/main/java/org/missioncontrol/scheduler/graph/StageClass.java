/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

/** How the tasks of a stage read what the tasks of an earlier stage made. Immutable. */
public enum StageClass {
  /** Each task reads one reference of each earlier task. */
  SHUFFLE("shuffle"),
  /** Several tasks, each of which reads every reference of the earlier stage. */
  BROADCAST("broadcast"),
  /** Each task reads of one earlier task, of which no other task reads. */
  ONE_TO_ONE("one-to-one"),
  /** None of these. */
  IRREGULAR("irregular");

  private final String label;

  StageClass(String label) {
    this.label = label;
  }

  /** The name that people and control messages use. */
  public String label() {
    return label;
  }
}
