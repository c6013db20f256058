/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.util.Progress;

/** What Hadoop gives a reducer's shuffle plug-in, with an ApplicationMaster that knows all maps. */
final class ReduceContexts {
  private ReduceContexts() {}

  /** Of a reducer whose maps have all ended, spread over the servers in turn. */
  static ShuffleConsumerPlugin.Context<IntWritable, IntWritable> make(
      BenchJob bench, int attempt, int partition, JobConf job, List<String> servers)
      throws IOException {
    TaskAttemptID id = TaskAttemptID.forName(bench.reduceAttempt(partition, attempt));
    ReduceTask task = new ReduceTask("job.xml", id, partition, job.getNumMapTasks(), 1);
    task.setConf(job);
    task.setShuffleSecret(bench.secret());
    MROutputFiles files = new MROutputFiles();
    files.setConf(job);
    Counters counters = new Counters();
    return new ShuffleConsumerPlugin.Context<>(
        id,
        job,
        FileSystem.getLocal(job),
        umbilical(events(bench, job.getNumMapTasks(), servers)),
        new LocalDirAllocator("mapreduce.cluster.local.dir"),
        new Counting(counters),
        null,
        null,
        null,
        counters.findCounter("bench", "spilled"),
        counters.findCounter("bench", "combined"),
        counters.findCounter("bench", "shuffledMaps"),
        counters.findCounter("bench", "shuffleBytes"),
        counters.findCounter("bench", "failedShuffle"),
        counters.findCounter("bench", "merged"),
        new ReduceStatus(),
        new Progress(),
        new Progress(),
        task,
        files,
        null);
  }

  private static List<TaskCompletionEvent> events(BenchJob bench, int maps, List<String> servers) {
    List<TaskCompletionEvent> events = new ArrayList<>();
    for (int map = 0; map < maps; map++) {
      events.add(
          new TaskCompletionEvent(
              map,
              TaskAttemptID.forName(bench.mapAttempt(map)),
              map,
              true,
              TaskCompletionEvent.Status.SUCCEEDED,
              "http://" + servers.get(map % servers.size())));
    }
    return events;
  }

  private static TaskUmbilicalProtocol umbilical(List<TaskCompletionEvent> events) {
    return (TaskUmbilicalProtocol)
        Proxy.newProxyInstance(
            ReduceContexts.class.getClassLoader(),
            new Class<?>[] {TaskUmbilicalProtocol.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getMapCompletionEvents")) {
                int from = Math.min((int) arguments[1], events.size());
                int to = Math.min(events.size(), from + (int) arguments[2]);
                return new MapTaskCompletionEventsUpdate(
                    events.subList(from, to).toArray(new TaskCompletionEvent[0]), false);
              }
              Object alive = method.getReturnType().getDeclaredConstructor().newInstance();
              method.getReturnType().getMethod("setTaskFound", boolean.class).invoke(alive, true);
              return alive;
            });
  }

  /** Remembers nothing. */
  private static final class ReduceStatus extends TaskStatus {
    @Override
    public boolean getIsMap() {
      return false;
    }

    @Override
    public void addFetchFailedMap(TaskAttemptID map) {
      throw new IllegalStateException("a map output could not be fetched: " + map);
    }
  }

  private record Counting(Counters counters) implements Reporter {
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
    public org.apache.hadoop.mapred.InputSplit getInputSplit() {
      throw new UnsupportedOperationException("a reducer has no split");
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void progress() {}
  }
}
