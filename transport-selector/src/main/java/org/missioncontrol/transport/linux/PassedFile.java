/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.buffer.ByteBuf;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file that one process opens and another reads: SCM_RIGHTS of unix(7). What the reader may open
 * itself does not matter. Descriptors that are passed share the position in the file, so the giver
 * opens the file anew for each taker, sets the position, passes {@link #message}, and then touches
 * nothing but {@link #close}. To be used where there is epoll only. Owned by one thread at a time.
 */
public final class PassedFile implements AutoCloseable {
  private final FileDescriptor descriptor;

  private PassedFile(FileDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Opens a file for reading from {@code position} on. Netty's own way of opening truncates.
   *
   * @throws IOException with the kernel's error, or if there is no JNA here
   */
  public static PassedFile open(Path path, long position) throws IOException {
    try {
      return new PassedFile(new FileDescriptor(Descriptors.open(path, position)));
    } catch (LinkageError e) {
      throw new IOException("cannot open files to pass them on, there is no JNA here: " + e, e);
    }
  }

  /** A received descriptor, see {@link PassedSockets#isDescriptor}, which this now owns. */
  public static PassedFile adopt(Object message) {
    return new PassedFile((FileDescriptor) message);
  }

  /** The message that passes it on over a domain socket. */
  public Object message() {
    return new FileDescriptor(descriptor.intValue());
  }

  /** By which this process finds what is open here, whatever its path means by now: proc(5). */
  public Path link() {
    return Path.of("/proc/self/fd/" + descriptor.intValue());
  }

  /**
   * Appends what comes next, {@code length} bytes at most, to a direct buffer with as much room.
   *
   * @return how many; -1 at the end of the file
   */
  public int read(ByteBuf target, int length) throws IOException {
    int from = target.writerIndex();
    int read =
        target.hasMemoryAddress()
            ? descriptor.readAddress(target.memoryAddress(), from, from + length)
            : descriptor.read(target.internalNioBuffer(from, length), from, from + length);
    if (read > 0) {
      target.writerIndex(from + read);
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    descriptor.close();
  }
}
