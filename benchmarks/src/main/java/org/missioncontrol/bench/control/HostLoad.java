/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.missioncontrol.bench.host.Announcer;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.ServiceHost;
import org.missioncontrol.bench.kit.CannotRunException;
import org.missioncontrol.conf.FetchConfig;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.shuffle.flow.FlowCounters;
import org.missioncontrol.shuffle.flow.FlowSource;
import org.missioncontrol.shuffle.flow.FlowSources;
import org.missioncontrol.shuffle.flow.TaskIdentity;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.Transport;

/**
 * The service of one host where many jobs hold and want flows: each has a reducer with a session at
 * the door that asks for more flows than there are. Owned by one thread.
 */
final class HostLoad implements AutoCloseable {
  private static final int FLOWS_WANTED = 4;
  private static final int SESSIONS_AT_ONCE = 32;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final double NANOS_PER_MS = 1e6;

  private final String localDirs;
  private final ServiceHost service;
  private final ServerSocket sink;
  private final EventLoopGroup loops;
  private final Announcer announcer;
  private final List<FlowSource> reducers = new ArrayList<>();

  /** Starts the service; nobody is there yet. */
  HostLoad(Path root) throws IOException {
    Channels channels = Channels.detect();
    if (!channels.capabilities().epoll()) {
      throw new CannotRunException("the door needs Linux and Netty's epoll");
    }
    Configuration conf = new Configuration();
    conf.setInt("mapreduce.shuffle.port", 0);
    localDirs = ServiceHost.localDirectory(root).toString();
    service = ServiceHost.start(ServiceHost.OURS, root, conf);
    sink = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    loops = channels.newEventLoopGroup(1, "bench-reducers");
    announcer = new Announcer("127.0.0.1", service.port());
  }

  /** Adds jobs until there are so many, and waits until each has its demand in the books. */
  void grow(int jobs) throws IOException, InterruptedException {
    while (reducers.size() < jobs) {
      BenchJob job = new BenchJob(reducers.size() + 1);
      service.add(job);
      announcer.announce(job, 1, 1);
      reducers.add(reducer(job));
      if (reducers.size() % SESSIONS_AT_ONCE == 0 || reducers.size() == jobs) {
        awaitDemand(reducers.size());
      }
    }
  }

  private FlowSource reducer(BenchJob job) {
    FlowSource source =
        FlowSources.open(
            Channels.detect(),
            loops,
            new TaskIdentity(job.id(), job.reduceAttempt(0, 0), job.secret()),
            localDirs,
            Transport.DEFAULT,
            FetchConfig.from(new Configuration()),
            new FlowCounters());
    for (int i = 0; i < FLOWS_WANTED; i++) {
      source
          .request(
              InetSocketAddress.createUnresolved("127.0.0.1", sink.getLocalPort()),
              new ChannelInboundHandlerAdapter())
          .exceptionally(closed -> null);
    }
    return source;
  }

  private void awaitDemand(int jobs) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (int job = Math.max(1, jobs - SESSIONS_AT_ONCE + 1); job <= jobs; job++) {
      BenchJob asker = new BenchJob(job);
      while (demand(asker, announcer.announce(asker, 1, 1)) < FLOWS_WANTED) {
        if (System.nanoTime() > deadline) {
          throw new IOException("the reducers of " + jobs + " jobs have not all asked for flows");
        }
        Thread.sleep(20);
      }
    }
  }

  private static int demand(BenchJob job, HostView view) {
    return view.transfers().stream()
        .filter(transfer -> transfer.job().equals(job.id()))
        .mapToInt(HostView.TransferView::demand)
        .sum();
  }

  /**
   * One round trip of a control message, in milliseconds: sign, send, check, share out, answer,
   * check the answer.
   */
  double roundTripMs(int message) throws IOException {
    BenchJob job = new BenchJob(1 + message % reducers.size());
    float weight = 1 + message % 3;
    long begun = System.nanoTime();
    announcer.announce(job, weight, 1);
    return (System.nanoTime() - begun) / NANOS_PER_MS;
  }

  /** What one message and its answer measure now. */
  MessageBytes messageBytes() throws IOException {
    long sent = announcer.sent();
    long received = announcer.received();
    announcer.announce(new BenchJob(1), 1, 1);
    return new MessageBytes(announcer.sent() - sent, announcer.received() - received);
  }

  @Override
  public void close() throws IOException {
    try (service;
        sink;
        announcer) {
      reducers.forEach(FlowSource::close);
      // Before the door closes, lest the reducers look for another.
      loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
  }
}
