/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reducers in a JVM of its own: {@code ROOT}. Hears {@code start PLANE JOB REDUCERS MAPS SERVERS
 * KEY=VALUE…}, {@code bytes}, {@code await JOB} (seconds), {@code used JOB} (all that it used until
 * the last byte came) and {@code stop JOB}. Immutable.
 */
public final class ReduceMain {
  private static final int OPTIONS_FROM = 6;
  private static final double NANOS_PER_SECOND = 1e9;

  private ReduceMain() {}

  /** Entry point. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    Path scratch = Files.createDirectories(root.resolve("reducers"));
    Map<Integer, Reducers> jobs = new TreeMap<>();
    Child.serve(words -> answer(root, scratch, jobs, words));
    System.exit(0);
  }

  private static String answer(Path root, Path scratch, Map<Integer, Reducers> jobs, String[] words)
      throws IOException, InterruptedException {
    switch (words[0]) {
      case "start" -> {
        int job = Integer.parseInt(words[2]);
        Reducers reducers =
            new Reducers(
                Plane.valueOf(words[1]),
                new BenchJob(job),
                ServiceHost.localDirectory(root),
                scratch);
        reducers.start(
            Integer.parseInt(words[3]),
            Integer.parseInt(words[4]),
            List.of(words[5].split(",", -1)),
            Arrays.asList(words).subList(OPTIONS_FROM, words.length));
        jobs.put(job, reducers);
        return "started";
      }
      case "bytes" -> {
        return System.nanoTime()
            + jobs.entrySet().stream()
                .map(job -> " " + job.getKey() + ":" + job.getValue().bytes())
                .collect(Collectors.joining());
      }
      case "await" -> {
        return Double.toString(job(jobs, words[1]).awaitUsage().nanos() / NANOS_PER_SECOND);
      }
      case "used" -> {
        return job(jobs, words[1]).awaitUsage().line();
      }
      case "stop" -> {
        job(jobs, words[1]).stop();
        jobs.remove(Integer.valueOf(words[1]));
        return "stopped";
      }
      default -> throw new IOException("not understood: " + words[0]);
    }
  }

  private static Reducers job(Map<Integer, Reducers> jobs, String number) throws IOException {
    Reducers reducers = jobs.get(Integer.valueOf(number));
    if (reducers == null) {
      throw new IOException("no reducers of job " + number);
    }
    return reducers;
  }
}
