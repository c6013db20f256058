/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rest of a reply, which the copier reads from the socket itself: the bytes do not change
 * threads on their way to where they are wanted, and the buffer in between stays in the processor's
 * cache. Owned by the copier.
 */
final class SocketBody implements ReplySource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketBody.class);

  private final BodyReads reads;
  private final MapOutputDecoder decoder;
  private final Channel channel;
  private final Consumer<ByteBuf> ended;
  private final ChannelFutureListener closed;
  private final Deque<Reply> items = new ArrayDeque<>();
  private @Nullable FetchFault fault;
  private boolean left;

  /**
   * @param reads of the channel's socket; closed with this
   * @param decoder has decoded what came before
   * @param ended is told, on the copier's thread, when the body is complete and the channel is its
   *     event loop's again; takes what was read of the next reply, mostly nothing
   */
  SocketBody(Channel channel, BodyReads reads, MapOutputDecoder decoder, Consumer<ByteBuf> ended) {
    this.channel = channel;
    this.reads = reads;
    this.decoder = decoder;
    this.ended = ended;
    this.closed = done -> reads.stop();
    channel.closeFuture().addListener(closed);
  }

  /** Nothing of what was taken before may be in use any more. */
  @Override
  public Reply take(long timeoutMs) throws IOException, InterruptedException {
    while (items.isEmpty()) {
      if (fault != null) {
        throw fault;
      }
      if (decoder.bodyLeft() == 0) {
        ByteBuf next = Unpooled.copiedBuffer(reads.buffer());
        close();
        decoder.end(items::add);
        ended.accept(next);
      } else {
        read(timeoutMs);
      }
    }
    return items.removeFirst();
  }

  private void read(long timeoutMs) throws IOException, InterruptedException {
    int read;
    try {
      read = reads.read(decoder.bodyLeft(), timeoutMs);
    } catch (InterruptedIOException e) {
      Thread.interrupted();
      throw new InterruptedException(e.getMessage());
    } catch (IOException e) {
      throw decoder.cut(e);
    }
    if (read == 0) {
      throw Mailbox.stalled(timeoutMs);
    }
    if (read < 0) {
      throw decoder.cut(null);
    }
    try {
      ByteBuf buffer = reads.buffer();
      // What comes encrypted is read by records, and the last may be the next reply's.
      long own = Math.min(buffer.readableBytes(), decoder.bodyLeft());
      decoder.feed(buffer.readSlice((int) own), items::add);
    } catch (FetchFault e) {
      // What came before it is good.
      fault = e;
    }
  }

  /** Leaves the socket; the channel stays as it is. Idempotent. */
  @Override
  public void close() {
    if (left) {
      return;
    }
    left = true;
    channel.closeFuture().removeListener(closed);
    items.forEach(Mailbox::release);
    items.clear();
    try {
      reads.close();
    } catch (IOException e) {
      LOG.warn("cannot close a second descriptor of {}", channel, e);
    }
  }
}
