/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.micro;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.bench.kit.Benchmark;
import org.missioncontrol.bench.kit.Progress;
import org.missioncontrol.bench.kit.Result;
import org.missioncontrol.bench.kit.Table;
import org.missioncontrol.bench.kit.Words;
import org.missioncontrol.shuffle.store.IndexLookUp;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** See {@link #summary} and {@link #options}. Immutable. */
public final class MicroBenchmark implements Benchmark {
  private static final double STOCK_BYTES_PER_PARTITION = 24;
  private static final double BYTES_PER_PARTITION_GOAL = 8;
  private static final String[] JVM = {
    "-Xmx512m", "-XX:+UseSerialGC", "-Dlog4j.configuration=terasort-log4j.properties"
  };

  /** Made by the command. */
  public MicroBenchmark() {}

  @Override
  public String name() {
    return "micro";
  }

  @Override
  public String summary() {
    return "header codec, index look-up, shares and checksum alone, by JMH, beside stock's";
  }

  @Override
  public String options() {
    return """
      --quick        one JVM for each and a second of time, instead of three and five
      --only GROUP   header, index, shares or checksum (default all)

    Nanoseconds and bytes allocated for each call. index_bytes_per_partition: what one takes
    in the NodeManager's cache of indexes, of uncompressed and of compressed outputs; stock
    takes 24. checksum: the JVM's own CRC32 beside Hadoop's choice of one; checksum_segment:
    Hadoop's IFileInputStream, through which the merge of both reducers reads.
    """;
  }

  @Override
  public Result run(Words words) throws IOException {
    boolean quick = words.flag("--quick");
    String only = words.text("--only", "");
    words.none();
    if (!only.isEmpty() && !Piece.groups().contains(only)) {
      throw new IllegalArgumentException("--only needs one of " + Piece.groups());
    }
    List<Piece> pieces =
        Arrays.stream(Piece.values())
            .filter(piece -> only.isEmpty() || piece.group().equals(only))
            .toList();
    Map<String, Call> calls = new TreeMap<>();
    for (Class<?> of : pieces.stream().map(Piece::of).distinct().toList()) {
      Progress.say(of.getSimpleName());
      measure(of, quick).forEach(result -> calls.put(Call.name(result), Call.of(result)));
    }
    System.out.println(table(pieces, calls));
    Result found = new Result(name());
    for (Piece piece : pieces) {
      found.with(piece.key() + "_ns", ours(piece, calls).nanos().median());
      Call stock = stock(piece, calls);
      if (stock != null) {
        found.with(piece.key() + "_stock_ns", stock.nanos().median());
      }
    }
    return pieces.contains(Piece.INDEX_LOOK_UP) ? withIndexBytes(found) : found;
  }

  private static Collection<RunResult> measure(Class<?> of, boolean quick) throws IOException {
    // Its lock is a file that stays behind; whoever measures sees the load of the machine.
    System.setProperty("jmh.ignoreLock", "true");
    try {
      return new Runner(
              new OptionsBuilder()
                  .include("^" + of.getName().replace(".", "\\.") + "\\.")
                  .mode(Mode.AverageTime)
                  .timeUnit(TimeUnit.NANOSECONDS)
                  .forks(quick ? 1 : 3)
                  .warmupIterations(quick ? 2 : 3)
                  .warmupTime(TimeValue.milliseconds(quick ? 200 : 1_000))
                  .measurementIterations(5)
                  .measurementTime(TimeValue.milliseconds(quick ? 120 : 1_000))
                  .jvmArgs(JVM)
                  .addProfiler(GCProfiler.class)
                  .shouldFailOnError(true)
                  .verbosity(VerboseMode.SILENT)
                  .build())
          .run();
    } catch (RunnerException e) {
      throw new IOException("JMH could not run " + of.getName(), e);
    }
  }

  private static Table table(List<Piece> pieces, Map<String, Call> calls) {
    Table table =
        new Table("nanoseconds a call", "", "median", "min", "max", "stock / ours", "bytes");
    for (Piece piece : pieces) {
      Call ours = ours(piece, calls);
      Call stock = stock(piece, calls);
      row(
          table,
          piece.title(),
          "ours",
          ours,
          stock == null ? "" : stock.nanos().median() / ours.nanos().median());
      if (stock != null) {
        row(table, "", "stock", stock, "");
      }
    }
    return table;
  }

  private static void row(Table table, String title, String whose, Call call, Object ratio) {
    table.row(
        title,
        whose,
        call.nanos().median(),
        call.nanos().min(),
        call.nanos().max(),
        ratio,
        call.allocatedBytes());
  }

  private static Result withIndexBytes(Result found) throws IOException {
    double plain = IndexLookUp.bytesPerPartition(false);
    double compressed = IndexLookUp.bytesPerPartition(true);
    System.out.println(
        new Table("bytes a partition in memory", "")
            .row("ours, uncompressed outputs", plain)
            .row("ours, compressed outputs", compressed)
            .row("stock", STOCK_BYTES_PER_PARTITION));
    return found
        .atMost("index_bytes_per_partition", plain, BYTES_PER_PARTITION_GOAL)
        .with("index_bytes_per_partition_compressed", compressed)
        .with("index_bytes_per_partition_stock", STOCK_BYTES_PER_PARTITION);
  }

  private static Call ours(Piece piece, Map<String, Call> calls) {
    return called(piece.of(), piece.ours(), calls);
  }

  private static @Nullable Call stock(Piece piece, Map<String, Call> calls) {
    String stock = piece.stock();
    return stock == null ? null : called(piece.of(), stock, calls);
  }

  private static Call called(Class<?> of, String what, Map<String, Call> calls) {
    Call call = calls.get(of.getName() + "." + what);
    if (call == null) {
      throw new IllegalStateException("JMH did not run " + of.getName() + "." + what);
    }
    return call;
  }
}
