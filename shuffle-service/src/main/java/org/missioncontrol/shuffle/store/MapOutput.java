/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;

/**
 * Some neighbouring partitions of one map output, in an open file. Owned by whoever opened it, who
 * closes it.
 *
 * @param segments one for each partition, in order
 * @param offset where the first one begins in the file
 * @param length bytes of all of them; they lie one after the other
 * @param file open for reading
 * @param path of the file, for this process only
 */
public record MapOutput(
    List<Segment> segments, long offset, long length, RandomAccessFile file, Path path)
    implements AutoCloseable {
  /** Copies the list. */
  public MapOutput {
    segments = List.copyOf(segments);
  }

  /**
   * One partition. Immutable.
   *
   * @param partLength bytes in the file
   * @param rawLength bytes after decompression
   */
  public record Segment(int reduce, long partLength, long rawLength) {}

  /** All of the file, of which so many bytes are the output; the same segments. */
  public MapOutput whole(long bytes) {
    return new MapOutput(segments, 0, bytes, file, path);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
