/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one thread read a channel's socket and wait for its bytes as blocking sockets do, while the
 * channel is deregistered from its event loop: no bytes change threads. It reads by a descriptor of
 * its own, so it can never read from another connection that got the number of a closed one. Owned
 * by the reading thread, which closes it; any thread may {@link #stop}.
 */
public final class BlockingReads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockingReads.class);

  /** Longest that the kernel is waited for before looking whether the thread is interrupted. */
  private static final long SLICE_MS = 500;

  private static final boolean AVAILABLE = probe();

  private final Socket socket;
  private final byte[] readable;
  private boolean closed;

  private BlockingReads(int descriptor) {
    this.socket = new Socket(descriptor);
    this.readable = Descriptors.readable(descriptor);
  }

  /** Whether {@code channel} can be read so here: an epoll socket, and JNA on the class path. */
  public static boolean possible(Channel channel) {
    return AVAILABLE && channel instanceof EpollSocketChannel;
  }

  /**
   * Of a channel for which this is {@link #possible}. To be called on its event loop, the only
   * thread that may close it: else the number could mean another connection by now.
   *
   * @throws IOException if the channel is closed, or this process may have no further descriptor
   */
  public static BlockingReads of(Channel channel) throws IOException {
    if (!channel.isOpen()) {
      throw new ClosedChannelException();
    }
    int descriptor = ((EpollSocketChannel) channel).fd().intValue();
    return new BlockingReads(Descriptors.duplicate(descriptor));
  }

  /**
   * Reads what is there, waiting while nothing is.
   *
   * @param target a direct buffer with room, whose position advances
   * @param timeoutMs 0 waits for ever
   * @return bytes; 0 when none came in time; -1 when no more will come
   * @throws InterruptedIOException if the thread is interrupted, which it stays
   */
  public int read(ByteBuffer target, long timeoutMs) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (true) {
      int read = socket.read(target, target.position(), target.limit());
      if (read != 0) {
        target.position(target.position() + Math.max(0, read));
        return read;
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (timeoutMs > 0 && left <= 0) {
        return 0;
      }
      Descriptors.await(readable, (int) (timeoutMs > 0 ? Math.min(SLICE_MS, left) : SLICE_MS));
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while waiting for bytes");
      }
    }
  }

  /** Ends the connection, so that a waiting reader hears of it. Idempotent. */
  public synchronized void stop() {
    if (closed) {
      return;
    }
    try {
      socket.shutdown();
    } catch (IOException e) {
      LOG.debug("cannot shut a connection down, it is gone", e);
    }
  }

  /** Gives the descriptor back; the channel keeps its own. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      socket.close();
    }
  }

  private static boolean probe() {
    try {
      Descriptors.probe();
      return true;
    } catch (IOException | LinkageError e) {
      LOG.info("Event loops read large map outputs, copiers cannot: {}", e.toString());
      return false;
    }
  }
}
