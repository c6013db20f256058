/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.shortjob;

/** Whose shuffle a job has; the number is that of its NodeManager. */
enum Plane {
  STOCK(0, "Thread started: EventFetcher"),
  OURS(1, "Fetching " + Rig.MAPS + " map outputs of a shuffle");

  private final int node;
  private final String begins;

  Plane(int node, String begins) {
    this.node = node;
    this.begins = begins;
  }

  /** What a reducer of it logs when its shuffle begins. */
  String begins() {
    return begins;
  }

  int node() {
    return node;
  }

  Plane other() {
    return this == STOCK ? OURS : STOCK;
  }
}
