/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Flags of the JVMs here: small, quick to start, one thread of everything. Immutable. */
final class Jvm {
  private static final String QUICK =
      "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -XX:-UsePerfData"
          + " --add-opens=java.base/java.lang=ALL-UNNAMED";

  private Jvm() {}

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A daemon's options; they name its directory, by which its process is known. */
  static List<String> daemonOptions(Path directory) {
    List<String> options = new ArrayList<>(List.of(QUICK.split(" ")));
    options.add("-Xmx400m");
    options.add("-Djava.net.preferIPv4Stack=true");
    options.add("-Dhadoop.log.dir=" + directory);
    options.add("-Dyarn.log.dir=" + directory);
    options.add("-Djava.io.tmpdir=" + temporary(directory));
    return options;
  }

  /** Where a daemon's JVM puts what it would leave in /tmp when it is killed. */
  static Path temporary(Path directory) {
    return directory.resolve("tmp");
  }

  /** A container's options, in one string. */
  static String containerOptions(int heapMb) {
    return "-Xmx" + heapMb + "m -Djava.net.preferIPv4Stack=true " + QUICK;
  }
}
