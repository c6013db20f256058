/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where map outputs lie. Thread-safe. */
public interface MapOutputStore {
  /**
   * Opens the bytes of partitions {@code first} to {@code last} of one map output. Blocks on the
   * disk, so never on an event loop.
   *
   * @param user that the job runs as, and that the files must belong to where Hadoop is secure
   * @param attempt map attempt, as the client named it
   * @throws MapOutputException if they cannot be sent, saying why
   */
  MapOutput open(String job, String user, String attempt, int first, int last)
      throws MapOutputException;

  /**
   * The same bytes if they are in memory, to be sent now. Does not block.
   *
   * @param most bytes of them
   * @return null when they are more, or must be opened
   */
  @Nullable SmallOutput remembered(
      String job, String user, String attempt, int first, int last, int most);

  /**
   * Reads all of a small output for those who will ask for its other partitions, if there is room
   * and nobody else is reading it. Blocks on the disk.
   *
   * @param open these partitions, which stay open
   * @return null when it is not remembered
   * @throws IOException if it cannot be read
   */
  @Nullable SmallOutput remember(String job, String user, String attempt, MapOutput open)
      throws IOException;

  /** Forgets what is remembered of a job, which has ended. Does not block. */
  void forget(String job);
}
