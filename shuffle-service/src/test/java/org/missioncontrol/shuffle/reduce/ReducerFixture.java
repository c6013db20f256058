/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.util.Progress;
import org.jspecify.annotations.Nullable;

/** What surrounds a reducer: job, task, counters, and an ApplicationMaster that tells events. */
final class ReducerFixture {
  static final SecretKey SECRET =
      new SecretKeySpec(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, "HmacSHA1");
  static final int REDUCE = 1;

  final JobConf job = new JobConf(false);
  final Counters counters = new Counters();
  final Status status = new Status();
  final Progress copyPhase = new Progress();
  final List<TaskCompletionEvent> events = new CopyOnWriteArrayList<>();
  volatile @Nullable IOException umbilicalFailure;
  @Nullable CompressionCodec codec;
  @Nullable String localDirs;
  SecretKey secret = SECRET;

  ReducerFixture(Path directory, int maps) {
    job.set("mapreduce.cluster.local.dir", directory.resolve("local").toString());
    job.set("fs.defaultFS", "file:///");
    job.set("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
    job.set("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
    job.setNumMapTasks(maps);
    job.setNumReduceTasks(2);
    job.setMapOutputKeyClass(IntWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setLong("mapreduce.reduce.memory.totalbytes", 64 << 20);
    job.setInt("mapreduce.reduce.shuffle.connect.timeout", 5000);
    job.setInt("mapreduce.reduce.shuffle.read.timeout", 5000);
    job.setInt("mapreduce.mission-control.fetch.penalty.initial-ms", 50);
  }

  static MapAttempt attempt(int map) {
    return new MapAttempt(String.format("attempt_1700000000000_0001_m_%06d_0", map), map);
  }

  void mapsSucceeded(int port, int from, int to) {
    mapsSucceeded(port, from, to, 0);
  }

  /** The {@code attempt}th attempt of each map has succeeded. */
  void mapsSucceeded(int port, int from, int to, int attempt) {
    for (int map = from; map < to; map++) {
      events.add(
          new TaskCompletionEvent(
              events.size(),
              TaskAttemptID.forName(attempt(map).id().replaceAll("0$", "" + attempt)),
              map,
              true,
              TaskCompletionEvent.Status.SUCCEEDED,
              "http://localhost:" + port));
    }
  }

  void mapEnded(int map, TaskCompletionEvent.Status how) {
    events.add(
        new TaskCompletionEvent(
            events.size(), TaskAttemptID.forName(attempt(map).id()), map, true, how, "http://x:1"));
  }

  RawKeyValueIterator run() throws IOException, InterruptedException {
    return new ReduceShuffle<>(
            context(),
            localDirs,
            "localhost",
            new ReduceShuffle.Asking(20, new CompletionPoller.Patience(20, 3)))
        .run();
  }

  /** Runs the shuffle and returns the keys that the reduce function would see. */
  List<Integer> keys() throws IOException, InterruptedException {
    RawKeyValueIterator records = run();
    List<Integer> keys = new ArrayList<>();
    while (records.next()) {
      DataInputBuffer key = records.getKey();
      IntWritable number = new IntWritable();
      number.readFields(key);
      keys.add(number.get());
    }
    records.close();
    return keys;
  }

  long counter(String group, String name) {
    return counters.findCounter(group, name).getValue();
  }

  long ours(JobCounter counter) {
    return counter(FetchCounters.GROUP, counter.name());
  }

  long error(String name) {
    return counter(FetchCounters.ERROR_GROUP, name);
  }

  /** Threads of a shuffle that are alive. */
  static Set<String> shuffleThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.contains("mission-control") || name.contains("Merger"))
        .collect(Collectors.toSet());
  }

  ShuffleConsumerPlugin.Context<IntWritable, BytesWritable> context() throws IOException {
    TaskAttemptID id = TaskAttemptID.forName("attempt_1700000000000_0001_r_000001_0");
    ReduceTask task = new ReduceTask("job.xml", id, REDUCE, job.getNumMapTasks(), 1);
    task.setConf(job);
    task.setShuffleSecret(secret);
    MROutputFiles files = new MROutputFiles();
    files.setConf(job);
    return new ShuffleConsumerPlugin.Context<>(
        id,
        job,
        FileSystem.getLocal(job),
        umbilical(),
        new LocalDirAllocator("mapreduce.cluster.local.dir"),
        new CountingReporter(),
        codec,
        null,
        null,
        counters.findCounter("test", "spilled"),
        counters.findCounter("test", "combined"),
        counters.findCounter("test", "shuffledMaps"),
        counters.findCounter("test", "shuffleBytes"),
        counters.findCounter("test", "failedShuffle"),
        counters.findCounter("test", "merged"),
        status,
        copyPhase,
        new Progress(),
        task,
        files,
        null);
  }

  private TaskUmbilicalProtocol umbilical() {
    return (TaskUmbilicalProtocol)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TaskUmbilicalProtocol.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getMapCompletionEvents" -> told((int) arguments[1], (int) arguments[2]);
                  case "statusUpdate" -> alive(method.getReturnType());
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private MapTaskCompletionEventsUpdate told(int from, int most) throws IOException {
    IOException failure = umbilicalFailure;
    if (failure != null) {
      throw failure;
    }
    int to = Math.min(events.size(), from + most);
    return new MapTaskCompletionEventsUpdate(
        events.subList(from, to).toArray(new TaskCompletionEvent[0]), false);
  }

  private static Object alive(Class<?> feedback) throws ReflectiveOperationException {
    Object answer = feedback.getDeclaredConstructor().newInstance();
    feedback.getMethod("setTaskFound", boolean.class).invoke(answer, true);
    return answer;
  }

  /** Remembers the maps that were reported. */
  static final class Status extends TaskStatus {
    final List<String> reported = new CopyOnWriteArrayList<>();

    @Override
    public boolean getIsMap() {
      return false;
    }

    @Override
    public void addFetchFailedMap(TaskAttemptID map) {
      reported.add(map.toString());
    }
  }

  private final class CountingReporter implements Reporter {
    @Override
    public void setStatus(String text) {}

    @Override
    public Counters.Counter getCounter(Enum<?> name) {
      return counters.findCounter(name);
    }

    @Override
    public Counters.Counter getCounter(String group, String name) {
      return counters.findCounter(group, name);
    }

    @Override
    public void incrCounter(Enum<?> key, long amount) {
      getCounter(key).increment(amount);
    }

    @Override
    public void incrCounter(String group, String counter, long amount) {
      getCounter(group, counter).increment(amount);
    }

    @Override
    public InputSplit getInputSplit() {
      throw new UnsupportedOperationException();
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void progress() {}
  }
}
