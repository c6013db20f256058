/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

/** Shutdown hooks. Immutable. */
public final class Hooks {
  private Hooks() {}

  /** Takes a hook away, unless the JVM is already ending and has begun it. */
  @SuppressWarnings("EmptyCatch") // the hook does nothing twice
  public static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // Nothing is left to do.
    }
  }
}
