/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.VersionInfo;

/** What a benchmark ran on. Immutable. */
public final class Machine {
  private static final String UNKNOWN = "unknown";

  private Machine() {}

  /** One line: cores, kernel, JDK, Hadoop, commit, congestion control, load now. */
  public static String line() throws InterruptedException {
    return "ran on: "
        + Runtime.getRuntime().availableProcessors()
        + " cores, Linux "
        + System.getProperty("os.version")
        + ", Java "
        + System.getProperty("java.version")
        + ", Hadoop "
        + VersionInfo.getVersion()
        + ", commit "
        + commit()
        + ", default congestion control "
        + read("/proc/sys/net/ipv4/tcp_congestion_control")
        + ", load "
        + load();
  }

  /** Of the last minute, the last five and the last fifteen. */
  public static String load() {
    String all = read("/proc/loadavg");
    String[] fields = all.split(" ", -1);
    return fields.length < 3 ? all : fields[0] + " " + fields[1] + " " + fields[2];
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file)).trim();
    } catch (IOException elsewhere) {
      return UNKNOWN;
    }
  }

  /** With a plus when the sources differ from it. */
  private static String commit() throws InterruptedException {
    String commit = git("rev-parse", "--short=10", "HEAD");
    return commit.isEmpty()
        ? UNKNOWN
        : commit + (git("status", "--porcelain", "-uno").isEmpty() ? "" : "+");
  }

  private static String git(String... words) throws InterruptedException {
    String[] command = new String[words.length + 1];
    command[0] = "git";
    System.arraycopy(words, 0, command, 1, words.length);
    try {
      Process git =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? said : "";
    } catch (IOException noGit) {
      return "";
    }
  }
}
