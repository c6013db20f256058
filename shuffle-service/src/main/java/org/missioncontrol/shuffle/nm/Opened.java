/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened, to be closed in reverse. Owned by whoever opens. */
final class Opened implements AutoCloseable {
  private final Deque<AutoCloseable> things = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T thing) {
    things.push(thing);
    return thing;
  }

  /**
   * Closes all, the last opened first, whatever happens; once.
   *
   * @throws IOException caused by the first that failed, with the others suppressed
   */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!things.isEmpty()) {
      AutoCloseable thing = things.pop();
      try {
        thing.close();
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        if (failure == null) {
          failure = new IOException("cannot close " + thing.getClass().getSimpleName(), e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
