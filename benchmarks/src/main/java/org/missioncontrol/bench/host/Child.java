/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.missioncontrol.bench.net.NetHost;

/**
 * A JVM on a host of the network that answers lines with lines; it ends when its input does, so
 * also when this process is killed. Owned by one thread.
 */
public final class Child implements AutoCloseable {
  /** Name of this host, for a JVM that {@link #startHere} starts. */
  public static final String HERE = "127.0.0.1";

  private static final long PATIENCE_SECONDS = 10;
  private static final List<String> FRUGAL =
      List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  private static final String ANSWER = "= ";
  private static final String ERROR = "! ";

  private final String name;
  private final Path log;
  private final Process process;
  private final PrintWriter to;
  private final BufferedReader from;
  private boolean ready;

  private Child(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.to = new PrintWriter(process.getOutputStream(), true, UTF_8);
    this.from = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /**
   * Starts a JVM with this one's class path; {@link #awaitReady} waits for it.
   *
   * @param directory of the log, which is named after the child
   */
  public static Child start(
      String name, NetHost host, Path directory, Class<?> main, String... arguments)
      throws IOException {
    return start(name, directory, host.command(words(FRUGAL, main, arguments)));
  }

  /**
   * Starts a JVM on this host with all that it does by default; {@link #awaitReady} waits for it.
   *
   * @param heap as java wants it behind -Xmx
   * @param directory of the log, which is named after the child
   */
  public static Child startHere(
      String name, String heap, Path directory, Class<?> main, String... arguments)
      throws IOException {
    return start(name, directory, words(List.of("-Xmx" + heap), main, arguments));
  }

  private static List<String> words(List<String> options, Class<?> main, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    words.addAll(
        List.of(
            "-XX:-UsePerfData",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=terasort-log4j.properties",
            main.getName()));
    words.addAll(List.of(arguments));
    return words;
  }

  private static Child start(String name, Path directory, List<String> command) throws IOException {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    // As YARN tells its containers; on a host of the network it is nobody's name.
    builder.environment().put("NM_HOST", HERE);
    return new Child(name, log, builder.start());
  }

  /** Says a line, when the JVM is up, and waits for the answer. */
  public String ask(String line) throws IOException {
    awaitReady();
    to.println(line);
    return answer();
  }

  /** Waits until the JVM is up. */
  public void awaitReady() throws IOException {
    if (!ready) {
      answer();
      ready = true;
    }
  }

  private String answer() throws IOException {
    for (String line = from.readLine(); line != null; line = from.readLine()) {
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length());
      }
      if (line.startsWith(ERROR)) {
        throw new IOException(name + ": " + line.substring(ERROR.length()) + "; see " + log);
      }
    }
    throw new IOException(name + " has ended; see " + log);
  }

  /** What the other end of {@link #ask} does: reads lines until there are no more. */
  public static void serve(Answerer answerer) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    System.out.println(ANSWER + "ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        System.out.println(ANSWER + answerer.answer(line.split(" ", -1)));
      } catch (IOException | RuntimeException e) {
        e.printStackTrace();
        System.out.println(ERROR + e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Answers a line. */
  public interface Answerer {
    /** One line without its end. */
    String answer(String[] words) throws IOException, InterruptedException;
  }

  /** Ends it at once, with all that it does. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    to.close();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
