/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.bench.net.NetHost;
import org.missioncontrol.bench.net.SwitchQueues;

/**
 * Looks at queues all the time, and twice at the flows, until it is closed. Owned by one thread.
 */
final class Watch implements AutoCloseable {
  private static final long PAUSE_MS = 40;
  private static final double FIRST_LOOK = 0.3;
  private static final double SECOND_LOOK = 0.7;
  private static final Pattern RECEIVED = Pattern.compile("bytes_received:([0-9]+)");

  private final SwitchQueues queues;
  private final List<NetHost> receivers;
  private final int port;
  private final long expectedMs;
  private final long begun = System.nanoTime();
  private final List<SortRun.Look> looks = new ArrayList<>();
  private final List<Double> rates = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "bench-sort-watch");
  private volatile boolean closed;
  private volatile @Nullable Exception failure;

  /**
   * @param receivers whose flows are looked at
   * @param port of the shuffle services
   * @param expectedMs that the shuffle may take at least
   */
  Watch(SwitchQueues queues, List<NetHost> receivers, int port, long expectedMs) {
    this.queues = queues;
    this.receivers = List.copyOf(receivers);
    this.port = port;
    this.expectedMs = expectedMs;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      Map<String, Long> first = Map.of();
      long firstAt = 0;
      do {
        looks.add(new SortRun.Look(now(), queues.backlogBytes()));
        if (firstAt == 0 && now() > expectedMs * FIRST_LOOK) {
          first = received();
          firstAt = now();
        } else if (firstAt > 0 && rates.isEmpty() && now() > expectedMs * SECOND_LOOK) {
          rates(first, received(), now() - firstAt);
        }
        Thread.sleep(PAUSE_MS);
      } while (!closed);
    } catch (IOException | RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void rates(Map<String, Long> first, Map<String, Long> second, long ms) {
    second.forEach(
        (flow, bytes) -> {
          Long before = first.get(flow);
          if (before != null) {
            rates.add((bytes - before) * 1e3 / ms);
          }
        });
  }

  /** Bytes that came on each flow. */
  private Map<String, Long> received() throws IOException, InterruptedException {
    Map<String, Long> all = new HashMap<>();
    for (NetHost host : receivers) {
      String said = host.run("ss", "-tinHO", "state", "established", "dport = :" + port);
      for (String line : said.lines().toList()) {
        Matcher matcher = RECEIVED.matcher(line);
        if (matcher.find()) {
          String[] words = line.trim().split("\\s+", 5);
          all.put(words[2] + " " + words[3], Long.parseLong(matcher.group(1)));
        }
      }
    }
    return all;
  }

  private long now() {
    return (System.nanoTime() - begun) / 1_000_000;
  }

  /** After {@link #close}. */
  SortRun run(double seconds) throws IOException {
    if (failure != null) {
      throw new IOException("the shuffle cannot be watched", failure);
    }
    return new SortRun(seconds, List.copyOf(rates), List.copyOf(looks));
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
