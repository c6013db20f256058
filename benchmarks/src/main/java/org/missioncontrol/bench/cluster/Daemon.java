/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One Hadoop daemon in a JVM of its own. Owned by LocalCluster. Output goes to one log file, to
 * which a restart appends.
 */
final class Daemon {
  private static final int TAIL_LINES = 40;

  private final String name;
  private final Path directory;
  private List<String> command;
  private final String classPath;
  private final Path conf;
  private @Nullable Process process;

  Daemon(String name, Path directory, Path conf, String classPath, List<String> mainAndArguments) {
    this.name = name;
    this.directory = directory;
    this.conf = conf;
    this.classPath = classPath;
    command = new ArrayList<>();
    command.add(Jvm.java());
    command.addAll(Jvm.daemonOptions(directory));
    command.add(DaemonMain.class.getName());
    command.addAll(mainAndArguments);
  }

  /** The same where these words run it. */
  Daemon on(UnaryOperator<List<String>> host) {
    command = host.apply(command);
    return this;
  }

  /** Starts the JVM and returns at once. */
  void start() throws IOException {
    Files.createDirectories(Jvm.temporary(directory));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(key -> key.matches("(HADOOP|YARN|HDFS|MAPRED)_.*"));
    builder.environment().put("CLASSPATH", conf + File.pathSeparator + classPath);
    builder.environment().put("HADOOP_CONF_DIR", conf.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    process = builder.start();
  }

  /** Waits for it to end by itself; fails unless it says 0. */
  void awaitSuccess(Duration limit) throws IOException, InterruptedException {
    Process started = running();
    if (!started.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) || started.exitValue() != 0) {
      started.destroyForcibly();
      throw new IOException(name + " failed\n" + tail());
    }
  }

  private Process running() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return current;
  }

  String name() {
    return name;
  }

  long pid() {
    return running().pid();
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  Path log() {
    return directory.resolve(name + ".log");
  }

  /** Asks it to end (SIGTERM); does not wait. */
  void terminate() {
    if (process != null) {
      process.destroy();
    }
  }

  /** Ends it with SIGKILL and waits until the process is gone; its children live on. */
  void kill() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Stops it where it is (SIGSTOP), or lets it go on (SIGCONT); its sockets stay as they are. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + name + " of " + this.name + " failed, is it alive?");
    }
  }

  /** Waits for the end at most so long, then kills. */
  void join(Duration patience) throws InterruptedException {
    if (process != null && !process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
    }
  }

  /** Length of the log so far, for {@link #loggedAfter}. */
  long logLength() throws IOException {
    return Files.exists(log()) ? Files.size(log()) : 0;
  }

  /** Whether the log has the text behind a position. */
  boolean loggedAfter(long position, String text) throws IOException {
    String all = Files.readString(log(), StandardCharsets.ISO_8859_1);
    return all.indexOf(text, (int) position) >= 0;
  }

  /** The log's last lines under a title. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
      int from = Math.max(0, lines.size() - TAIL_LINES);
      return "--- " + log() + "\n" + String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "--- " + log() + " cannot be read: " + e;
    }
  }
}
