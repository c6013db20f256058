/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

  /** F_DUPFD_CLOEXEC of linux/fcntl.h. */
  private static final int F_DUPFD_CLOEXEC = 1030;

  private static final short POLLIN = 1;
  private static final int EINTR = 4;

  /** Bytes of a struct pollfd, and where its events are: poll(2). */
  private static final int POLLFD_BYTES = 8;

  private static final int POLLFD_EVENTS = 4;

  /** Longest that the kernel is waited for before looking whether the thread is interrupted. */
  private static final long SLICE_MS = 500;

  private static final boolean AVAILABLE = probe();

  private final Socket socket;
  private final byte[] poll;
  private boolean closed;

  private BlockingReads(int descriptor) {
    this.socket = new Socket(descriptor);
    this.poll =
        ByteBuffer.allocate(POLLFD_BYTES)
            .order(ByteOrder.nativeOrder())
            .putInt(descriptor)
            .putShort(POLLFD_EVENTS, POLLIN)
            .array();
  }

  /** Whether {@code channel} can be read so here: an epoll socket, and JNA on the class path. */
  public static boolean possible(Channel channel) {
    return AVAILABLE && channel instanceof EpollSocketChannel;
  }

  /**
   * Of a channel for which this is {@link #possible}.
   *
   * @throws IOException if this process may have no further descriptor
   */
  public static BlockingReads of(Channel channel) throws IOException {
    int descriptor = ((EpollSocketChannel) channel).fd().intValue();
    try {
      return new BlockingReads(LibC.IT.fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    } catch (LastErrorException e) {
      throw new IOException("cannot have a second descriptor of " + channel, e);
    }
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
      await(timeoutMs > 0 ? Math.min(SLICE_MS, left) : SLICE_MS);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while waiting for bytes");
      }
    }
  }

  private void await(long milliseconds) throws IOException {
    try {
      LibC.IT.poll(poll, new NativeLong(1), (int) milliseconds);
    } catch (LastErrorException e) {
      if (e.getErrorCode() != EINTR) {
        throw new IOException("cannot wait for bytes", e);
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
      return LibC.IT.poll(new byte[0], new NativeLong(0), 0) == 0;
    } catch (LastErrorException | LinkageError e) {
      LOG.info("Event loops read large map outputs, copiers cannot: {}", e.toString());
      return false;
    }
  }

  /** The few functions of libc that Netty does not reach. Thread-safe. */
  private interface LibC extends Library {
    LibC IT = Native.load("c", LibC.class);

    int fcntl(int descriptor, int command, int argument) throws LastErrorException;

    int poll(byte[] descriptors, NativeLong count, int timeoutMs) throws LastErrorException;
  }
}
