/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What containers wrote. Immutable. */
public final class ContainerLogs {
  private static final int TAIL_LINES = 15;
  private static final int TAIL_FILES = 6;

  private ContainerLogs() {}

  /** Every log file of a job's containers, on all NodeManagers, that exists now. */
  public static List<Path> files(LocalCluster cluster, String jobId) throws IOException {
    String application = jobId.replace("job_", "application_");
    List<Path> found = new ArrayList<>();
    for (int node = 0; node < cluster.nodeCount(); node++) {
      Path directory = cluster.containerLogs(node).resolve(application);
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.walk(directory)) {
          files.filter(Files::isRegularFile).sorted().forEach(found::add);
        }
      }
    }
    return found;
  }

  /** All lines of all containers of a job, in no order between files. */
  public static List<String> lines(LocalCluster cluster, String jobId) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(cluster, jobId)) {
      lines.addAll(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
    }
    return lines;
  }

  /** The last lines of the logs that a job wrote last, for messages. */
  public static String tails(LocalCluster cluster, String jobId) {
    StringBuilder text = new StringBuilder();
    try {
      List<Path> logs = new ArrayList<>(files(cluster, jobId));
      logs.removeIf(log -> !log.endsWith("syslog") && !log.endsWith("stderr"));
      logs.sort(Comparator.comparing(log -> log.toFile().lastModified()));
      for (Path log : logs.subList(Math.max(0, logs.size() - TAIL_FILES), logs.size())) {
        List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        int from = Math.max(0, lines.size() - TAIL_LINES);
        if (!lines.isEmpty()) {
          text.append("--- ").append(log).append('\n');
          text.append(String.join("\n", lines.subList(from, lines.size()))).append('\n');
        }
      }
    } catch (IOException e) {
      text.append("container logs cannot be read: ").append(e);
    }
    return text.toString();
  }
}
