/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.missioncontrol.bench.cluster.LocalCluster;

/**
 * {@code bin/missioncontrol} as an operator runs it, beside a Hadoop that the cluster's jars play.
 * Immutable.
 *
 * @param exitCode of the command
 * @param out its standard output
 * @param err its standard error
 */
record Command(int exitCode, String out, String err) {
  private static final long LIMIT_SECONDS = 120;

  static Command missioncontrol(LocalCluster cluster, String... arguments)
      throws IOException, InterruptedException {
    Path home = cluster.workDirectory().resolve("hadoop-home");
    Path hadoop = home.resolve("bin/hadoop");
    if (!Files.exists(hadoop)) {
      Files.createDirectories(home.resolve("bin"));
      Files.writeString(
          hadoop,
          "#!/bin/sh\n[ \"$1\" = classpath ] && echo '"
              + cluster.configurationDirectory()
              + ":"
              + cluster.workDirectory().resolve("lib")
              + "/*'\n");
      Files.setPosixFilePermissions(hadoop, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Path out = Files.createTempFile(home, "out", "");
    Path err = Files.createTempFile(home, "err", "");
    List<String> line = new ArrayList<>(List.of("../bin/missioncontrol"));
    line.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("HADOOP_HOME", home.toString());
    builder.environment().put("MISSION_CONTROL_JAR", System.getProperty("mission-control.jar"));
    Process process = builder.start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new IOException(line + " has not ended: " + Files.readString(err));
    }
    return new Command(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
