/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.missioncontrol.scheduler.security.JobHash;

/** A client that sees every byte. */
final class RawClient implements AutoCloseable {
  private static final int TIMEOUT_MS = 20_000;

  private final Socket socket;
  private final InputStream in;

  RawClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MS);
    in = socket.getInputStream();
  }

  /** A request with the right hash. */
  static String get(int port, String uri) throws IOException {
    return request("GET", uri, JobHash.of(port + uri, Secrets.KEY));
  }

  static String request(String method, String uri, String hash) {
    return method
        + " "
        + uri
        + " HTTP/1.1\r\nHost: localhost\r\nname: mapreduce\r\nversion: 1.0.0\r\nUrlHash: "
        + hash
        + "\r\n\r\n";
  }

  RawClient send(String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  int localPort() {
    return socket.getLocalPort();
  }

  /** One reply: its head, and as many bytes as its content-length says. */
  Reply reply() throws IOException {
    return reply(() -> {});
  }

  /** The same, with something done between head and body. */
  Reply reply(BetweenHeadAndBody between) throws IOException {
    String head = head();
    between.run();
    Map<String, String> headers = new LinkedHashMap<>();
    String[] lines = head.split("\r\n", -1);
    for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
      int colon = lines[i].indexOf(": ");
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT), lines[i].substring(colon + 2));
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = in.readNBytes(length);
    return new Reply(head, headers, body, body.length < length);
  }

  /** Whether the server has closed the connection, for which this waits. */
  boolean closed() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  private String head() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("closed after: " + head);
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Something that a test does. */
  interface BetweenHeadAndBody {
    void run() throws IOException;
  }

  record Reply(String head, Map<String, String> headers, byte[] body, boolean cut) {
    String status() {
      return head.substring(0, head.indexOf("\r\n"));
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }
}
