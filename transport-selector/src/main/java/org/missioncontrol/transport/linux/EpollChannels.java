/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport.linux;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.HostCapabilities;
import org.missioncontrol.transport.HostTraits;
import org.missioncontrol.transport.SocketFacts;
import org.missioncontrol.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Linux epoll sockets, whose congestion control is chosen one by one. Thread-safe. */
public final class EpollChannels implements Channels {
  private static final Logger LOG = LoggerFactory.getLogger(EpollChannels.class);
  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

  /** What the host has. Immutable. */
  private record Probed(HostCapabilities capabilities, HostTraits traits) {}

  /** Null until somebody asks: a reducer whose connections the NodeManager opens never does. */
  private @Nullable Probed probed;

  /** Whether Netty's native library loads here. */
  public static boolean available() {
    return Epoll.isAvailable();
  }

  /** Tries each congestion control that the kernel names on a socket that is then thrown away. */
  private static Probed probe() {
    EpollSocketChannel socket = new EpollSocketChannel();
    try {
      String standard = CongestionControl.read(socket);
      List<String> usable = new ArrayList<>();
      List<String> denied = new ArrayList<>();
      for (String name : namedByKernel()) {
        (accepts(socket, name) ? usable : denied).add(name);
      }
      boolean mptcp = mptcp();
      return new Probed(
          new HostCapabilities(true, standard, usable, mptcp),
          HostTraits.probe(denied, mptcp ? PathManager.read() : null));
    } finally {
      socket.unsafe().closeForcibly();
    }
  }

  /**
   * JNA may be missing: then {@link Mptcp} cannot even be linked, and it says so itself no more.
   */
  private static boolean mptcp() {
    try {
      return Mptcp.available();
    } catch (LinkageError e) {
      LOG.info("MPTCP is not to be had here, there is no JNA on the class path: {}", e.toString());
      return false;
    }
  }

  @Override
  public boolean epoll() {
    return true;
  }

  private synchronized Probed probed() {
    Probed known = probed;
    if (known == null) {
      known = probe();
      probed = known;
    }
    return known;
  }

  @Override
  public HostCapabilities capabilities() {
    return probed().capabilities();
  }

  @Override
  public HostTraits traits() {
    return probed().traits();
  }

  @Override
  public EventLoopGroup newEventLoopGroup(int threads, String name) {
    return new EpollEventLoopGroup(threads, new DefaultThreadFactory(name, true));
  }

  @Override
  public ServerChannel newListener() {
    EpollServerSocketChannel listener = new EpollServerSocketChannel();
    if (capabilities().mptcp()) {
      try {
        Mptcp.make(listener);
      } catch (IOException e) {
        LOG.warn("the listening socket takes plain TCP only: {}", e.getMessage());
      }
    }
    return listener;
  }

  @Override
  public Channel newConnection(Transport transport) throws IOException {
    EpollSocketChannel connection = new EpollSocketChannel();
    if (transport.isMultipath()) {
      try {
        Mptcp.make(connection);
      } catch (IOException e) {
        connection.unsafe().closeForcibly();
        throw e;
      }
    }
    return connection;
  }

  @Override
  public void prepare(Transport transport, Channel channel) throws IOException {
    apply(transport.equals(Transport.ECN) ? Transport.DCTCP : transport, channel);
  }

  @Override
  public void listen(Channel listener) {
    if (negotiatesEcn()) {
      try {
        CongestionControl.set(listener, Transport.DCTCP.name());
      } catch (ChannelException e) {
        LOG.warn("the listening socket cannot negotiate ECN by itself: {}", e.toString());
      }
    }
  }

  @Override
  public void accepted(Channel channel) throws IOException {
    if (negotiatesEcn()) {
      apply(Transport.DEFAULT, channel);
    }
  }

  private boolean negotiatesEcn() {
    return capabilities().transports().contains(Transport.ECN.name());
  }

  @Override
  public boolean ecn(Channel channel) {
    return TcpInfo.ecn(channel);
  }

  @Override
  public int subflows(Channel channel) {
    return MptcpInfo.subflows(channel);
  }

  @Override
  public void apply(Transport transport, Channel channel) throws IOException {
    String classic = capabilities().classic();
    String name =
        transport.isDefault() || transport.isMultipath()
            ? capabilities().defaultCongestionControl()
            : transport.equals(Transport.ECN) && classic != null ? classic : transport.name();
    if ((transport.isDefault() || transport.isMultipath())
        && (name.equals(UNKNOWN) || name.equals(CongestionControl.read(channel)))) {
      return;
    }
    try {
      CongestionControl.set(channel, name);
    } catch (ChannelException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          "cannot set transport "
              + transport.name()
              + " on "
              + channel
              + ": "
              + cause.getMessage()
              + "; this host has "
              + String.join(", ", capabilities().transports()),
          e);
    }
  }

  @Override
  public String congestionControl(Channel channel) {
    return CongestionControl.read(channel);
  }

  @Override
  public @Nullable SocketFacts facts(Channel channel) {
    SocketFacts overAllPaths = MptcpInfo.facts(channel);
    return overAllPaths != null ? overAllPaths : TcpInfo.read(channel);
  }

  @Override
  public long bytesReceived(Channel channel) {
    long overAllPaths = MptcpInfo.bytesReceived(channel);
    return overAllPaths >= 0 ? overAllPaths : TcpInfo.bytesReceived(channel);
  }

  private static boolean accepts(EpollSocketChannel socket, String name) {
    try {
      CongestionControl.set(socket, new Transport(name).name());
      return name.equals(CongestionControl.read(socket));
    } catch (ChannelException | IllegalArgumentException e) {
      LOG.debug("congestion control {} is there, but not for us: {}", name, e.toString());
      return false;
    }
  }

  private static List<String> namedByKernel() {
    try {
      return List.of(Files.readString(AVAILABLE).trim().split("\\s+"));
    } catch (IOException e) {
      LOG.warn("{} cannot be read, only the default transport is offered", AVAILABLE, e);
      return List.of();
    }
  }
}
