/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.OUTPUTS_FAILED;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.missioncontrol.shuffle.store.MapOutput;
import org.missioncontrol.shuffle.store.MapOutputException;
import org.missioncontrol.shuffle.store.MapOutputStore;
import org.missioncontrol.shuffle.store.PageCache;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does all the disk work that a reply needs before its first byte: opens and checks every file,
 * reads what is small, and so settles the length. Thread-safe; blocks, so it runs on disk threads.
 */
final class ReplyPreparer {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyPreparer.class);

  /** The stock audit log's name, so that an operator's configuration of it holds. */
  private static final Logger AUDIT =
      LoggerFactory.getLogger("org.apache.hadoop.mapred.ShuffleHandler.audit");

  /** Longest output that is read at once instead of sent from its file, bytes. */
  static final int SMALL_BYTES = 16 << 10;

  /** Most bytes of small outputs in one reply; a slow client holds no more memory than this. */
  static final int SMALL_BYTES_PER_REPLY = 64 << 10;

  /** Most files that one reply holds open; later ones are opened again at their turn. */
  static final int OPEN_PER_REPLY = 20;

  private final MapOutputStore store;
  private final PageCache pageCache;
  private final ServerEvents events;
  private final Semaphore openFiles;

  /**
   * Ready.
   *
   * @param openFiles most files that all replies hold open before their turn
   */
  ReplyPreparer(MapOutputStore store, PageCache pageCache, ServerEvents events, int openFiles) {
    this.store = store;
    this.pageCache = pageCache;
    this.events = events;
    this.openFiles = new Semaphore(openFiles);
  }

  /**
   * Prepares all outputs; for a client of the extension each fails alone.
   *
   * @throws MapOutputException the first failure, for any other client; then nothing is open
   */
  PreparedReply prepare(AuthenticatedRequest request) throws MapOutputException {
    ShuffleRequest shuffle = request.shuffle();
    List<PreparedOutput> outputs = new ArrayList<>(shuffle.attempts().size());
    boolean done = false;
    try {
      long length = 0;
      long small = 0;
      int open = 0;
      for (String attempt : shuffle.attempts()) {
        PreparedOutput output =
            prepare(request, attempt, SMALL_BYTES_PER_REPLY - small, open < OPEN_PER_REPLY);
        outputs.add(output);
        length += output.head().readableBytes() + output.fileBytes();
        small += output.fileBytes() == 0 ? output.bodyBytes() : 0;
        open += output.file() == null ? 0 : 1;
      }
      audit(shuffle, length);
      done = true;
      return new PreparedReply(request, outputs, length);
    } finally {
      if (!done) {
        outputs.forEach(PreparedOutput::close);
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

  private PreparedOutput prepare(
      AuthenticatedRequest request, String attempt, long smallLeft, boolean mayHold)
      throws MapOutputException {
    ReduceRange range = request.shuffle().reduces();
    try {
      MapOutput output = open(request, attempt);
      ByteBuf head = OutputHead.of(attempt, range, output.segments());
      long length = output.length();
      if (length <= Math.min(SMALL_BYTES, smallLeft)) {
        return PreparedOutput.inMemory(attempt, readAfter(head, attempt, output), length, false);
      }
      if (mayHold && openFiles.tryAcquire()) {
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

  /** The head and all bytes of a small output, which is closed. */
  private ByteBuf readAfter(ByteBuf head, String attempt, MapOutput output)
      throws MapOutputException {
    int headBytes = head.readableBytes();
    ByteBuffer all = ByteBuffer.allocate(headBytes + (int) output.length()).put(head.nioBuffer());
    try (output) {
      while (all.hasRemaining()) {
        long position = output.offset() + all.position() - headBytes;
        if (output.file().getChannel().read(all, position) < 0) {
          throw new EOFException("ends at " + position);
        }
      }
      pageCache.drop(output);
      return Unpooled.wrappedBuffer(all.flip());
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
