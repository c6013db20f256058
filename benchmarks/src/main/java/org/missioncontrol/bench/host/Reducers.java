/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.reduce.ReduceShuffle;

/** The reducers of one job, a thread each, that fetch and discard. Owned by one thread. */
final class Reducers {
  private static final long STOP_MS = 15_000;

  /** Option that wants Hadoop's own merge; where it keeps outputs is up to the merge's keys. */
  private static final String MERGE = "bench.merge";

  private static final AtomicInteger ATTEMPTS = new AtomicInteger();

  private final Plane plane;
  private final BenchJob bench;
  private final Path localDirectory;
  private final Path scratch;
  private final LongAdder bytes = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Phaser shuffling = new Phaser();
  private volatile boolean stopping;
  private volatile boolean discarding = true;
  private Usage begun = Usage.now();
  private final AtomicReference<@Nullable Usage> end = new AtomicReference<>();

  /**
   * @param localDirectory of the NodeManager on this host, by which its door is found
   * @param scratch for what the plug-in wants to write
   */
  Reducers(Plane plane, BenchJob bench, Path localDirectory, Path scratch) {
    this.plane = plane;
    this.bench = bench;
    this.localDirectory = localDirectory;
    this.scratch = scratch;
  }

  void start(int reducers, int maps, List<String> servers, List<String> options)
      throws IOException {
    JobConf conf = conf(maps, reducers, options);
    shuffling.bulkRegister(reducers);
    for (int partition = 0; partition < reducers; partition++) {
      ShuffleConsumerPlugin.Context<IntWritable, IntWritable> context =
          ReduceContexts.make(bench, ATTEMPTS.getAndIncrement(), partition, conf, servers);
      Thread thread = new Thread(() -> run(context), bench.id() + " reducer " + partition);
      thread.setDaemon(true);
      threads.add(thread);
    }
    begun = Usage.now();
    threads.forEach(Thread::start);
  }

  private JobConf conf(int maps, int reducers, List<String> options) {
    JobConf job = new JobConf(false);
    job.set("mapreduce.cluster.local.dir", scratch.toString());
    job.set("fs.defaultFS", "file:///");
    job.set("fs.file.impl", UnforkedFileSystem.class.getName());
    job.set("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
    job.setMapOutputKeyClass(IntWritable.class);
    job.setMapOutputValueClass(IntWritable.class);
    job.setNumMapTasks(maps);
    job.setNumReduceTasks(reducers);
    for (String option : options) {
      String[] keyAndValue = option.split("=", 2);
      discarding &= !keyAndValue[0].equals(MERGE);
      job.set(keyAndValue[0], keyAndValue[1]);
    }
    return job;
  }

  private void run(ShuffleConsumerPlugin.Context<IntWritable, IntWritable> context) {
    try {
      if (plane == Plane.OURS) {
        new ReduceShuffle<>(
                context, localDirectory.toString(), reporter -> merge(context, reporter))
            .run();
      } else {
        StockReducer stock = new StockReducer();
        stock.init(context);
        stock.run();
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (!stopping) {
        failure.compareAndSet(null, e);
      }
    } finally {
      shuffling.arriveAndDeregister();
    }
  }

  /** Bytes of map outputs that have arrived. */
  long bytes() {
    return bytes.sum();
  }

  /** Waits until all have fetched everything; what was used until then since the start. */
  Usage awaitUsage() throws IOException, InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IOException("a reducer of " + bench.id() + " failed", failed);
    }
    Usage last = end.get();
    return (last == null ? Usage.now() : last).since(begun);
  }

  /** Ends the reducers wherever they are, as a kill does. */
  void stop() throws IOException, InterruptedException {
    stopping = true;
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join(STOP_MS);
      if (thread.isAlive()) {
        throw new IOException(thread.getName() + " does not end");
      }
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IOException("a reducer of " + bench.id() + " failed", failed);
    }
  }

  private MergeManager<IntWritable, IntWritable> merge(
      ShuffleConsumerPlugin.Context<IntWritable, IntWritable> context, ExceptionReporter reporter) {
    return discarding
        ? new DiscardingMerge<>(bytes)
        : new TimedMerge<>(context, reporter, end, shuffling);
  }

  /** Stock's shuffle with the merge that is wanted. Owned by the reduce thread. */
  private final class StockReducer extends Shuffle<IntWritable, IntWritable> {
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as Hadoop declares it
    protected MergeManager<IntWritable, IntWritable> createMergeManager(
        ShuffleConsumerPlugin.Context context) {
      return merge(context, this);
    }
  }
}
