/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.fairness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.scheduler.control.ControlProtocol;

/** Looks at a NodeManager's status all the time. Thread-safe. */
final class FlowWatch implements AutoCloseable {
  private static final long PAUSE_MS = 8;
  private static final int PATIENCE_MS = 5_000;

  private final ObjectMapper json = new ObjectMapper();
  private final URL status;
  private final List<Look> looks = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "bench-flow-watch");
  private volatile boolean closed;
  private @Nullable IOException failure;

  /**
   * One job at one moment. Immutable.
   *
   * @param flows connected sockets
   */
  record JobLook(int demand, int share, int flows) {}

  /** All jobs at one moment. Immutable. */
  record Look(long nanos, int budget, Map<String, JobLook> jobs) {
    JobLook job(BenchJob job) {
      return jobs.getOrDefault(job.id(), new JobLook(0, 0, 0));
    }

    /** Whether each job holds exactly its share. */
    boolean inForce() {
      return jobs.values().stream().allMatch(job -> job.flows() == job.share());
    }
  }

  FlowWatch(String address, int port) throws IOException {
    status = new URL("http", address, port, ControlProtocol.STATUS_PATH);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        Look look = look();
        synchronized (looks) {
          looks.add(look);
          looks.notifyAll();
        }
        Thread.sleep(PAUSE_MS);
      } catch (IOException e) {
        synchronized (looks) {
          failure = e;
          looks.notifyAll();
        }
        return;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private Look look() throws IOException {
    HttpURLConnection connection = (HttpURLConnection) status.openConnection();
    connection.setConnectTimeout(PATIENCE_MS);
    connection.setReadTimeout(PATIENCE_MS);
    JsonNode root;
    try (InputStream in = connection.getInputStream()) {
      root = json.readTree(in);
    }
    Map<String, JobLook> jobs = new HashMap<>();
    for (JsonNode job : root.path("jobs")) {
      int connected = 0;
      for (JsonNode flow : job.path("flows")) {
        connected += flow.path("congestionControl").asText().matches("[a-z]+") ? 1 : 0;
      }
      jobs.put(
          job.path("job").asText(),
          new JobLook(job.path("demand").asInt(), job.path("share").asInt(), connected));
    }
    return new Look(System.nanoTime(), root.path("budget").asInt(), jobs);
  }

  /** The first look after a moment that is as wanted, or null when it does not come in time. */
  @Nullable Look await(long sinceNanos, long patienceMs, Predicate<Look> wanted)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    int next = 0;
    synchronized (looks) {
      while (true) {
        for (; next < looks.size(); next++) {
          Look look = looks.get(next);
          if (look.nanos() - sinceNanos >= 0 && wanted.test(look)) {
            return look;
          }
        }
        if (failure != null) {
          throw new IOException("the NodeManager's status cannot be read", failure);
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return null;
        }
        looks.wait(left);
      }
    }
  }

  /** The looks between two moments. */
  List<Look> between(long fromNanos, long toNanos) {
    synchronized (looks) {
      return looks.stream()
          .filter(look -> look.nanos() - fromNanos >= 0 && toNanos - look.nanos() >= 0)
          .toList();
    }
  }

  /** A line for each job at each look, comma-separated. */
  String trace() {
    StringBuilder lines = new StringBuilder("ms,job,demand,share,flows\n");
    synchronized (looks) {
      for (Look look : looks) {
        new TreeMap<>(look.jobs())
            .forEach(
                (name, job) ->
                    lines.append(
                        String.format(
                            Locale.ROOT,
                            "%d,%s,%d,%d,%d%n",
                            TimeUnit.NANOSECONDS.toMillis(look.nanos()),
                            name,
                            job.demand(),
                            job.share(),
                            job.flows())));
      }
    }
    return lines.toString();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
  }
}
