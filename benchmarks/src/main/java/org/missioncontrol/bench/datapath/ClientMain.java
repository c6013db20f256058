/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.datapath;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.missioncontrol.bench.host.BenchJob;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.Usage;

/**
 * A client as plain as can be, which asks as stock's reducers do and throws the answers away. Hears
 * {@code fetch PORT JOB MAPS FIRST_REDUCE REDUCES}, {@code hold PORT CONNECTIONS} and {@code drop}.
 * Immutable.
 */
public final class ClientMain {
  /** As many as stock's reducers ask for. */
  private static final int MAPS_PER_REQUEST = 20;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final String LENGTH = "content-length:";

  private ClientMain() {}

  /** Entry point. */
  public static void main(String[] arguments) throws IOException {
    List<SocketChannel> held = new ArrayList<>();
    Child.serve(
        words ->
            switch (words[0]) {
              case "fetch" -> {
                yield fetch(words).line();
              }
              case "hold" -> {
                for (int left = number(words, 2); left > 0; left--) {
                  held.add(SocketChannel.open(server(words)));
                }
                yield "held";
              }
              case "drop" -> {
                for (SocketChannel one : held) {
                  one.close();
                }
                held.clear();
                yield "dropped";
              }
              default -> throw new IOException("not understood: " + words[0]);
            });
    System.exit(0);
  }

  private static int number(String[] words, int at) {
    return Integer.parseInt(words[at]);
  }

  private static InetSocketAddress server(String[] words) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), number(words, 1));
  }

  /** One connection, one request after the other, all of them made before; what that used. */
  private static Usage fetch(String[] words) throws IOException {
    List<byte[]> requests = requests(words);
    Usage before = Usage.now();
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(server(words));
      InputStream in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
      byte[] buffer = new byte[BUFFER_BYTES];
      for (byte[] request : requests) {
        socket.getOutputStream().write(request);
        reply(in, buffer);
      }
    }
    return Usage.now().since(before);
  }

  private static List<byte[]> requests(String[] words) throws IOException {
    BenchJob job = new BenchJob(number(words, 2));
    int maps = number(words, 3);
    int first = number(words, 4);
    List<byte[]> requests = new ArrayList<>();
    for (int reduce = first; reduce < first + number(words, 5); reduce++) {
      for (int map = 0; map < maps; map += MAPS_PER_REQUEST) {
        int last = Math.min(maps, map + MAPS_PER_REQUEST);
        requests.add(request(number(words, 1), job, reduce, map, last));
      }
    }
    return requests;
  }

  private static byte[] request(int port, BenchJob job, int reduce, int from, int to)
      throws IOException {
    String uri =
        "/mapOutput?job="
            + job.id()
            + "&reduce="
            + reduce
            + "&map="
            + IntStream.range(from, to).mapToObj(job::mapAttempt).collect(Collectors.joining(","))
            + "&keepAlive=true";
    String hash = SecureShuffleUtils.hashFromString(port + uri, job.secret());
    return ("GET "
            + uri
            + " HTTP/1.1\r\nHost: localhost\r\nUrlHash: "
            + hash
            + "\r\nname: mapreduce\r\nversion: 1.0.0\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static void reply(InputStream in, byte[] buffer) throws IOException {
    String status = line(in);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException("the handler answered " + status);
    }
    long left = -1;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        left = Long.parseLong(line.substring(LENGTH.length()).trim());
      }
    }
    if (left < 0) {
      throw new IOException("the handler did not say how much comes");
    }
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException(left + " bytes are missing");
      }
      left -= read;
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the handler closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
