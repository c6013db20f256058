/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.missioncontrol.bench.kit.CannotRunException;

/**
 * The switch's end of a host's cable, with the queue of what goes to that host. Immutable.
 *
 * @param namespace of the switch
 * @param link what goes to the host
 */
public record SwitchPort(String namespace, String device, Link link) {
  private static final Pattern BACKLOG = Pattern.compile("backlog ([0-9]+)([KMG]?)b");
  private static final int KILOBYTE = 1024;
  private static final int MARK_BYTES = 30_000;
  private static final String ARCHITECTURE =
      System.getProperty("os.arch").replace("amd64", "x86_64");

  /**
   * Lets the port set CE on ECN-capable packets while a phantom queue that drains at {@code share}
   * of its rate is longer than {@value #MARK_BYTES} bytes ({@code benchmarks/net/mark}).
   */
  public void markAbove(double share) throws IOException, InterruptedException {
    long rate = (long) (link.bytesPerSecond() * share);
    Path object = Files.createTempFile("mark", ".o");
    try {
      compile(rate, object);
      String tc = "ip netns exec " + namespace + " tc ";
      Shell.line(tc + "qdisc add dev " + device + " clsact");
      Shell.line(tc + "filter add dev " + device + " egress bpf da obj " + object + " sec tc");
    } finally {
      Files.delete(object);
    }
  }

  private static void compile(long rate, Path object) throws IOException, InterruptedException {
    try {
      Shell.run(
          "clang",
          "-O2",
          "-g",
          "-target",
          "bpf",
          "-I/usr/include/" + ARCHITECTURE + "-linux-gnu",
          "-DBYTES_PER_SECOND=" + rate,
          "-DMARK_BYTES=" + MARK_BYTES,
          "-c",
          NetFiles.find("mark/mark.bpf.c").toString(),
          "-o",
          object.toString());
    } catch (IOException e) {
      throw new CannotRunException(
          "a port that marks needs clang and libbpf-dev: " + e.getMessage());
    }
  }

  /** Bytes that wait now. */
  public long backlogBytes() throws IOException, InterruptedException {
    String said = Shell.line("ip netns exec " + namespace + " tc -s qdisc show dev " + device);
    return bytes(said);
  }

  /** The backlog that tc(8) tells somewhere in a text. */
  static long bytes(String said) throws IOException {
    Matcher matcher = BACKLOG.matcher(said);
    if (!matcher.find()) {
      throw new IOException("tc tells no backlog: " + said);
    }
    long scale =
        switch (matcher.group(2)) {
          case "K" -> KILOBYTE;
          case "M" -> KILOBYTE * KILOBYTE;
          default -> 1;
        };
    return Long.parseLong(matcher.group(1)) * scale;
  }
}
