/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The processes of one cluster, known by its work directory in their command lines; so also those
 * are found whose parent was killed. Thread-safe.
 */
final class Containers {
  private static final long EXIT_SECONDS = 10;

  private final String mark;

  Containers(Path work) {
    mark = work + "/";
  }

  /** JVMs of one job's ApplicationMaster or tasks. */
  List<ProcessHandle> of(String jobId, ContainerKind kind) {
    String application = jobId.replace("job_", "application_");
    return ours(line -> isJvm(line) && line.contains(application) && kind.matches(line, jobId));
  }

  /** Every process that belongs to the cluster. */
  List<ProcessHandle> all() {
    return ours(line -> true);
  }

  /** Kills what is left of the cluster, whatever it is, and waits until it is gone. */
  void killAll() {
    List<ProcessHandle> left = all();
    left.forEach(ProcessHandle::destroyForcibly);
    CompletableFuture<?>[] exits =
        left.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(exits).orTimeout(EXIT_SECONDS, TimeUnit.SECONDS).join();
  }

  private static boolean isJvm(String commandLine) {
    String program = commandLine.split(" ", 2)[0];
    return program.endsWith("/java");
  }

  private List<ProcessHandle> ours(Predicate<String> filter) {
    long self = ProcessHandle.current().pid();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.filter(process -> process.pid() != self)
          .filter(
              process -> {
                Optional<String> line = process.info().commandLine();
                return line.isPresent() && line.get().contains(mark) && filter.test(line.get());
              })
          .toList();
    }
  }
}
