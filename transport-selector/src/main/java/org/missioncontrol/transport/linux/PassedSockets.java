/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;

/**
 * Connections that one process opens and another uses: SCM_RIGHTS of unix(7). Both then have a
 * descriptor of the same connection, which ends when both are closed. Immutable.
 *
 * <p>The giver puts {@link #unread} into the pipeline before it connects, deregisters the channel
 * from its event loop, writes {@link #descriptor} to a domain socket, and may then {@link
 * #shutdown} and must {@link #close} its own copy. The taker gets the descriptor as a message and
 * {@link #adopt}s it.
 */
public final class PassedSockets {
  private PassedSockets() {}

  /** For the pipeline of a connection to be given away: not one byte is read from it here. */
  public static ChannelHandler unread() {
    return new Unread();
  }

  /** The message that passes the connection on. */
  public static Object descriptor(Channel channel) {
    return new FileDescriptor(((UnixChannel) channel).fd().intValue());
  }

  /** Whether {@code message} is a descriptor that came over a domain socket. */
  public static boolean isDescriptor(Object message) {
    return message instanceof FileDescriptor;
  }

  /** A channel on a received descriptor, not registered yet, which now owns it. */
  public static Channel adopt(Object descriptor) {
    return new EpollSocketChannel(((FileDescriptor) descriptor).intValue());
  }

  /** Closes a received descriptor that is not adopted. */
  public static void discard(Object descriptor) throws IOException {
    ((FileDescriptor) descriptor).close();
  }

  /** Ends the connection for everybody who has a descriptor of it: shutdown(2). */
  public static void shutdown(Channel channel) throws IOException {
    ((Socket) ((UnixChannel) channel).fd()).shutdown();
  }

  /** Closes this process' descriptor of a deregistered channel and nothing else. Idempotent. */
  public static void close(Channel channel) {
    channel.unsafe().closeForcibly();
  }
}
