/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.flow.LocalFile;
import org.missioncontrol.transport.linux.PassedFile;

/** A local file whose output has no memory at first. */
@Timeout(30)
@EnabledOnOs(OS.LINUX)
class LocalReadTest {
  private static final MapAttempt MAP = ReducerFixture.attempt(7);
  private static final TaskAttemptID REDUCE =
      TaskAttemptID.forName("attempt_1700000000000_0001_r_000001_0");

  @TempDir private Path dir;
  private Path file;
  private final Memory memory = new Memory();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private Thread copier;

  @BeforeEach
  void readWithoutMemory() throws IOException {
    file = Files.writeString(dir.resolve("file.out"), "0123456789");
    JobConf job = new JobConf(false);
    MergeFeed<String, String> feed =
        new MergeFeed<>(
            memory, job, false, ShuffleClientMetrics.create(REDUCE, job), Reporter.NULL);
    LocalFile.Opened opened = new LocalFile.Opened(MAP.id(), PassedFile.open(file, 4), 6, 6);
    copier =
        new Thread(
            new LocalRead<>(
                new MapServer("localhost", 1, ""),
                1,
                List.of(new LocalRead.Work(MAP, opened)),
                feed,
                1,
                new Heard()));
    copier.start();
    await().until(() -> memory.asked.get() > 1);
  }

  @AfterEach
  void noFileStaysOpen() throws Exception {
    copier.join();
    assertThat(open()).isFalse();
  }

  @Test
  void isReadWhenThereIsMemoryFromTheFileThatStayedOpen() throws Exception {
    assertThat(open()).isTrue();
    Files.delete(file);
    memory.free = true;
    copier.join();
    assertThat(heard).containsExactly("read 456789", "ended");
  }

  @Test
  void isLeftWhenTheReducerStops() throws Exception {
    copier.interrupt();
    copier.join();
    assertThat(heard).containsExactly("ended");
  }

  private boolean open() throws IOException {
    try (var links = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : links.toList()) {
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).startsWith(dir)) {
          return true;
        }
      }
      return false;
    }
  }

  private final class Heard implements LocalRead.Listener<String, String> {
    @Override
    public void read(MapAttempt map, MapOutput<String, String> output, long bytes, long tookMs) {
      heard.add("read " + output.getDescription());
    }

    @Override
    public void failed(MapAttempt map, IOException why) {
      heard.add("failed " + why);
    }

    @Override
    public void ended() {
      heard.add("ended");
    }

    @Override
    public void fatal(Throwable why) {
      heard.add("fatal " + why);
    }
  }

  /** Of Hadoop's merge, the part that gives memory. */
  private static final class Memory implements MergeManager<String, String> {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean free;

    @Override
    public void waitForResource() {}

    @Override
    public MapOutput<String, String> reserve(TaskAttemptID map, long size, int copier) {
      asked.incrementAndGet();
      return free ? new Text(map, size) : null;
    }

    @Override
    public RawKeyValueIterator close() {
      throw new UnsupportedOperationException();
    }
  }

  /** An output that is its bytes. */
  private static final class Text extends MapOutput<String, String> {
    private String text = "";

    Text(TaskAttemptID map, long size) {
      super(map, size, true);
    }

    @Override
    public void shuffle(
        MapHost host,
        InputStream input,
        long compressedLength,
        long decompressedLength,
        ShuffleClientMetrics metrics,
        Reporter reporter)
        throws IOException {
      text = new String(input.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
    }

    @Override
    public void commit() {}

    @Override
    public void abort() {
      text = "aborted";
    }

    @Override
    public String getDescription() {
      return text;
    }
  }
}
