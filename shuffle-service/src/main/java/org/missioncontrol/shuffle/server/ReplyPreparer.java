/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.OUTPUTS_FAILED;

import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.store.MapOutput;
import org.missioncontrol.shuffle.store.MapOutputException;
import org.missioncontrol.shuffle.store.MapOutputStore;
import org.missioncontrol.shuffle.store.PageCache;
import org.missioncontrol.shuffle.store.SmallOutput;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does all that a reply needs before its first byte: opens and checks every file, reads what is
 * small, and so settles the length. Thread-safe; what blocks runs on disk threads.
 */
final class ReplyPreparer {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyPreparer.class);

  /** The stock audit log's name, so that an operator's configuration of it holds. */
  private static final Logger AUDIT =
      LoggerFactory.getLogger("org.apache.hadoop.mapred.ShuffleHandler.audit");

  private final MapOutputStore store;
  private final PageCache pageCache;
  private final ServerEvents events;
  private final Semaphore openFiles;
  private final SmallBytes smallBytes;

  /**
   * Ready.
   *
   * @param openFiles most files that all replies hold open before their turn
   * @param smallBytes of small outputs that all replies hold beyond what each may
   */
  ReplyPreparer(
      MapOutputStore store,
      PageCache pageCache,
      ServerEvents events,
      int openFiles,
      SmallBytes smallBytes) {
    this.store = store;
    this.pageCache = pageCache;
    this.events = events;
    this.openFiles = new Semaphore(openFiles);
    this.smallBytes = smallBytes;
  }

  Preparation begin(AuthenticatedRequest request) {
    return new Preparation(request, smallBytes);
  }

  /**
   * Prepares what is in memory. Does not block.
   *
   * @return whether that is all
   */
  boolean prepareNow(Preparation preparation) {
    boolean done = false;
    try {
      boolean all = allRemembered(preparation);
      done = true;
      return all;
    } finally {
      if (!done) {
        preparation.abandon();
      }
    }
  }

  private boolean allRemembered(Preparation preparation) {
    while (!preparation.complete()) {
      PreparedOutput output = remembered(preparation);
      if (output == null) {
        return false;
      }
      preparation.add(output);
    }
    audit(preparation.request().shuffle(), preparation.length());
    return true;
  }

  /**
   * Prepares all other outputs; for a client of the extension each fails alone.
   *
   * @throws MapOutputException the first failure, for any other client; then nothing is open
   */
  PreparedReply prepare(Preparation preparation) throws MapOutputException {
    boolean done = false;
    try {
      while (!preparation.complete()) {
        PreparedOutput output = remembered(preparation);
        preparation.add(output == null ? opened(preparation) : output);
      }
      audit(preparation.request().shuffle(), preparation.length());
      done = true;
      return preparation.reply();
    } finally {
      if (!done) {
        preparation.abandon();
      }
    }
  }

  /** Opens an output again whose file was not kept open. */
  MapOutput reopen(AuthenticatedRequest request, PreparedOutput output) throws MapOutputException {
    MapOutput file = open(request, output.attempt());
    if (file.length() == output.fileBytes()) {
      return file;
    }
    MapOutputException changed =
        new MapOutputException(
            Failure.UNREADABLE, "Map output " + output.attempt() + " has changed", null);
    try (file) {
      throw changed;
    } catch (IOException e) {
      throw changed;
    }
  }

  private @Nullable PreparedOutput remembered(Preparation preparation) {
    ShuffleRequest request = preparation.request().shuffle();
    ReduceRange range = request.reduces();
    String attempt = preparation.next();
    SmallOutput output =
        store.remembered(
            request.job(),
            preparation.request().user(),
            attempt,
            range.first(),
            range.last(),
            preparation.smallLeft());
    return output == null ? null : inMemory(attempt, range, output);
  }

  private static PreparedOutput inMemory(String attempt, ReduceRange range, SmallOutput output) {
    int length = output.bytes().remaining();
    ByteBuf all = OutputHead.of(attempt, range, output.segments(), length);
    all.writeBytes(output.bytes());
    return PreparedOutput.inMemory(attempt, all, length, false);
  }

  private PreparedOutput opened(Preparation preparation) throws MapOutputException {
    AuthenticatedRequest request = preparation.request();
    String attempt = preparation.next();
    ReduceRange range = request.shuffle().reduces();
    try {
      MapOutput output = open(request, attempt);
      long length = output.length();
      if (length <= preparation.smallLeft()) {
        return read(request, attempt, output);
      }
      ByteBuf head = OutputHead.of(attempt, range, output.segments(), 0);
      if (preparation.mayHold() && openFiles.tryAcquire()) {
        return new PreparedOutput(attempt, head, length, length, false, output, openFiles::release);
      }
      close(output, attempt);
      return new PreparedOutput(attempt, head, length, length, false, null, () -> {});
    } catch (MapOutputException e) {
      events.count(OUTPUTS_FAILED, 1);
      LOG.warn(
          "{} of {}: {} ({})",
          e.getMessage(),
          request.shuffle().job(),
          e.failure(),
          e.getCause() == null ? "no cause" : e.getCause().toString());
      if (!request.shuffle().extension()) {
        throw e;
      }
      ByteBuf head = OutputHead.failed(attempt, range, e.failure());
      return PreparedOutput.inMemory(attempt, head, 0, true);
    }
  }

  private MapOutput open(AuthenticatedRequest request, String attempt) throws MapOutputException {
    ReduceRange range = request.shuffle().reduces();
    return store.open(
        request.shuffle().job(), request.user(), attempt, range.first(), range.last());
  }

  /** A small output, which is closed. */
  private PreparedOutput read(AuthenticatedRequest request, String attempt, MapOutput output)
      throws MapOutputException {
    ReduceRange range = request.shuffle().reduces();
    try (output) {
      SmallOutput small = store.remember(request.shuffle().job(), request.user(), attempt, output);
      if (small != null) {
        pageCache.drop(output.whole(small.wholeBytes()));
        return inMemory(attempt, range, small);
      }
      int length = (int) output.length();
      ByteBuf all = OutputHead.of(attempt, range, output.segments(), length);
      for (int left = length; left > 0; ) {
        long position = output.offset() + length - left;
        int read = all.writeBytes(output.file().getChannel(), position, left);
        if (read < 0) {
          throw new EOFException("ends at " + position);
        }
        left -= read;
      }
      pageCache.drop(output);
      return PreparedOutput.inMemory(attempt, all, length, false);
    } catch (EOFException e) {
      throw new MapOutputException(
          Failure.TRUNCATED, "Map output " + attempt + " is shorter than its index says", e);
    } catch (IOException e) {
      throw new MapOutputException(
          Failure.UNREADABLE, "Map output " + attempt + " cannot be read", e);
    }
  }

  private static void close(MapOutput output, String attempt) throws MapOutputException {
    try {
      output.close();
    } catch (IOException e) {
      throw new MapOutputException(
          Failure.UNREADABLE, "Map output " + attempt + " cannot be read", e);
    }
  }

  private static void audit(ShuffleRequest request, long length) {
    if (AUDIT.isTraceEnabled()) {
      AUDIT.trace(
          "shuffle for {} reducer {} length {} mappers: {}",
          request.job(),
          request.reduces().first(),
          length,
          request.attempts());
    } else {
      AUDIT.debug(
          "shuffle for {} reducer {} length {}", request.job(), request.reduces().first(), length);
    }
  }
}
