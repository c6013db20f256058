/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/**
 * Feeds Hadoop's merge: memory or disk for each output, decryption, checksum, decompression.
 * Thread-safe.
 */
final class MergeFeed<K, V> {
  /** How long an output waits for memory before its flow is given back, milliseconds. */
  private static final long MEMORY_WAIT_MS = 10_000;

  private static final long MEMORY_POLL_MS = 20;

  private final MergeManager<K, V> merger;
  private final JobConf job;
  private final boolean compressed;
  private final int padding;
  private final ShuffleClientMetrics metrics;
  private final Reporter reporter;
  private final Map<MapServer, MapHost> hosts = new ConcurrentHashMap<>();

  MergeFeed(
      MergeManager<K, V> merger,
      JobConf job,
      boolean compressed,
      ShuffleClientMetrics metrics,
      Reporter reporter)
      throws IOException {
    this.merger = merger;
    this.job = job;
    this.compressed = compressed;
    this.padding = CryptoUtils.cryptoPadding(job);
    this.metrics = metrics;
    this.reporter = reporter;
  }

  /**
   * Refuses lengths that cannot be, before any space is reserved for them.
   *
   * @return bytes as stock counts them, without what encryption adds
   */
  long checkLengths(MapAttempt attempt, MapOutputHeader header) throws FetchFault {
    long part = header.partLength() - padding;
    long raw = header.rawLength() - padding;
    if (part < 0 || raw < 0 || (!compressed && raw > part)) {
      throw new FetchFault(
          FetchFault.Kind.WRONG_LENGTH, attempt, "impossible lengths: " + header, null);
    }
    return part;
  }

  /**
   * Waits for room.
   *
   * @param copier distinguishes outputs that are written at the same time
   * @return null when memory has not come free for long
   * @throws UncheckedIOException if the local disks cannot take it; the reducer cannot go on
   */
  @Nullable MapOutput<K, V> reserve(MapAttempt attempt, MapOutputHeader header, int copier)
      throws InterruptedException {
    TaskAttemptID id = AttemptNames.mapAttempt(attempt);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MEMORY_WAIT_MS);
    try {
      while (true) {
        MapOutput<K, V> output = merger.reserve(id, header.rawLength() - padding, copier);
        if (output != null || System.nanoTime() > deadline) {
          return output;
        }
        Thread.sleep(MEMORY_POLL_MS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no local space for the output of " + attempt, e);
    }
  }

  /**
   * Waits for room as long as it takes: for an output that holds no flow meanwhile.
   *
   * @param copier distinguishes outputs that are written at the same time
   * @throws UncheckedIOException if the local disks cannot take it; the reducer cannot go on
   */
  MapOutput<K, V> await(MapAttempt attempt, MapOutputHeader header, int copier)
      throws InterruptedException {
    while (true) {
      MapOutput<K, V> output = reserve(attempt, header, copier);
      if (output != null) {
        return output;
      }
    }
  }

  /**
   * Reads one output; if this throws, the caller aborts it.
   *
   * @throws FetchFault if the data is bad
   * @throws IOException if the connection failed
   */
  void read(
      MapServer server,
      MapAttempt attempt,
      MapOutputHeader header,
      BodyBytes bytes,
      MapOutput<K, V> output)
      throws IOException {
    metrics.threadBusy();
    try {
      InputStream plain = CryptoUtils.wrapIfNecessary(job, bytes, header.partLength());
      try {
        output.shuffle(
            hosts.computeIfAbsent(server, one -> new MapHost(one.toString(), "http://" + one)),
            plain,
            header.partLength() - padding,
            header.rawLength() - padding,
            metrics,
            reporter);
      } finally {
        if (plain != bytes) {
          plain.close();
        }
      }
      long rest = bytes.drain();
      if (rest > 0) {
        throw new IOException(rest + " bytes of it were not read");
      }
      metrics.successFetch();
    } catch (IOException | RuntimeException | InternalError e) {
      // InternalError: native decompressors throw it on bad input.
      metrics.failedFetch();
      IOException lost = bytes.fault();
      if (lost != null) {
        throw lost;
      }
      throw new FetchFault(
          FetchFault.Kind.BAD_DATA, attempt, "bad output of " + attempt + " from " + server, e);
    } finally {
      metrics.threadFree();
    }
  }
}
