/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.io.IOException;

/** Something that can be measured by name. Immutable. */
public interface Benchmark {
  /** What the user types. */
  String name();

  /** One line for the list. */
  String summary();

  /** The options that are its own, a line each; empty if there are none. */
  String options();

  /**
   * Measures, and prints what people want to see of it; the last thing printed must be left to the
   * caller.
   *
   * @throws CannotRunException if something that it needs is not here
   * @throws IllegalArgumentException for words that it does not understand
   */
  Result run(Words words) throws IOException, InterruptedException;
}
