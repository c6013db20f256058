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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * What neither Java nor Netty does with descriptors. Without JNA this class cannot be linked, and
 * whoever calls it catches a LinkageError; JNA's types are named nowhere else for that reason.
 * Thread-safe.
 */
final class Descriptors {
  private static final int O_RDONLY = 0;
  private static final int SEEK_SET = 0;

  /** Of asm-generic/fcntl.h, which every architecture has that Netty's native library is for. */
  private static final int O_CLOEXEC = 02000000;

  /** Of linux/fcntl.h. */
  private static final int F_DUPFD_CLOEXEC = 1030;

  private static final short POLLIN = 1;
  private static final int EINTR = 4;

  /** Bytes of a struct pollfd, and where its events are: poll(2). */
  private static final int POLLFD_BYTES = 8;

  private static final int POLLFD_EVENTS = 4;

  private Descriptors() {}

  /** Fails with a LinkageError if nothing here can be called. */
  static void probe() throws IOException {
    poll(new byte[0], 0, 0);
  }

  /** A second descriptor of the same open file: fcntl(2). */
  static int duplicate(int descriptor) throws IOException {
    try {
      return LibC.IT.fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    } catch (LastErrorException e) {
      throw new IOException("cannot duplicate a descriptor: " + e.getMessage(), e);
    }
  }

  /** What {@link #await} takes for a descriptor that is to become readable. */
  static byte[] readable(int descriptor) {
    return ByteBuffer.allocate(POLLFD_BYTES)
        .order(ByteOrder.nativeOrder())
        .putInt(descriptor)
        .putShort(POLLFD_EVENTS, POLLIN)
        .array();
  }

  /** Returns when there is something to read, the time is up, or a signal came: poll(2). */
  static void await(byte[] readable, int milliseconds) throws IOException {
    poll(readable, 1, milliseconds);
  }

  /** Opens a file for reading from a position on: open(2), lseek(2). */
  static int open(Path path, long position) throws IOException {
    try {
      int descriptor = LibC.IT.open(path.toString(), O_RDONLY | O_CLOEXEC);
      try {
        LibC.IT.lseek(descriptor, position, SEEK_SET);
        return descriptor;
      } catch (LastErrorException e) {
        LibC.IT.close(descriptor);
        throw e;
      }
    } catch (LastErrorException e) {
      throw new IOException("cannot open " + path + " at " + position + ": " + e.getMessage(), e);
    }
  }

  private static void poll(byte[] descriptors, long count, int milliseconds) throws IOException {
    try {
      LibC.IT.poll(descriptors, new NativeLong(count), milliseconds);
    } catch (LastErrorException e) {
      if (e.getErrorCode() != EINTR) {
        throw new IOException("cannot wait for bytes: " + e.getMessage(), e);
      }
    }
  }

  private interface LibC extends Library {
    LibC IT = Native.load("c", LibC.class);

    int fcntl(int descriptor, int command, int argument) throws LastErrorException;

    int poll(byte[] descriptors, NativeLong count, int milliseconds) throws LastErrorException;

    int open(String path, int flags) throws LastErrorException;

    long lseek(int descriptor, long offset, int whence) throws LastErrorException;

    int close(int descriptor) throws LastErrorException;
  }
}
