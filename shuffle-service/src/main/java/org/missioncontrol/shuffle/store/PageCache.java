/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import org.apache.hadoop.io.ReadaheadPool;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.missioncontrol.conf.ServerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints to the kernel about the pages of map outputs; does nothing without Hadoop's native library.
 * Thread-safe.
 */
public final class PageCache {
  private static final Logger LOG = LoggerFactory.getLogger(PageCache.class);

  /** The hints are off, or cannot be given. */
  private static final PageCache NONE = new PageCache(0, false);

  private final int readaheadBytes;
  private final boolean dropSent;

  private PageCache(int readaheadBytes, boolean dropSent) {
    this.readaheadBytes = readaheadBytes;
    this.dropSent = dropSent;
  }

  /** Gives the hints that {@code config} wants and this host can take. */
  public static PageCache of(ServerConfig config) {
    return NativeIO.isAvailable()
        ? new PageCache(config.readaheadBytes(), config.manageOsCache())
        : NONE;
  }

  /** Asks for the bytes that will be sent next. Does not block. */
  public void readAhead(MapOutput output, long sent) {
    ReadaheadPool pool = readaheadBytes > 0 ? ReadaheadPool.getInstance() : null;
    if (pool == null) {
      return;
    }
    try {
      long from = output.offset() + sent;
      long left = output.length() - sent;
      if (left > 0) {
        pool.submitReadahead(
            "map output", output.file().getFD(), from, Math.min(left, readaheadBytes));
      }
    } catch (IOException e) {
      LOG.debug("no readahead", e);
    }
  }

  /** How far ahead to ask, bytes; 0 when nothing is asked. */
  public int readaheadBytes() {
    return readaheadBytes;
  }

  /** Gives the pages of a sent output back. Does not block. */
  public void drop(MapOutput output) {
    if (!dropSent || output.length() == 0) {
      return;
    }
    try {
      NativeIO.POSIX
          .getCacheManipulator()
          .posixFadviseIfPossible(
              "map output",
              output.file().getFD(),
              output.offset(),
              output.length(),
              NativeIO.POSIX.POSIX_FADV_DONTNEED);
    } catch (IOException e) {
      LOG.debug("pages stay cached", e);
    }
  }
}
