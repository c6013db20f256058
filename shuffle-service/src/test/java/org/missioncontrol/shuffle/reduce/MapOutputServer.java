/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/** A map output server that says byte for byte what a test wants. */
final class MapOutputServer implements AutoCloseable {
  /** Header of a server with our extension. */
  static final String OURS = "mission-control: 1";

  static final String KEEP = "connection: keep-alive";

  /** Answers a request; null closes the connection. */
  interface Script {
    byte @Nullable [] answer(Request request) throws IOException;
  }

  /** A request as it came. */
  record Request(String uri, List<String> headers, int number) {
    List<String> maps() {
      String query = uri.replaceAll(".*[?&]map=([^&]*).*", "$1");
      return List.of(query.split(","));
    }

    String header(String name) {
      return headers.stream()
          .filter(line -> line.toLowerCase().startsWith(name.toLowerCase() + ":"))
          .map(line -> line.substring(name.length() + 1).trim())
          .findFirst()
          .orElse("");
    }

    String replyHash() throws IOException {
      return replyHash(ReducerFixture.SECRET);
    }

    String replyHash(SecretKey secret) throws IOException {
      return JobHash.of(header("UrlHash"), secret);
    }
  }

  final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Script script;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final int piece;
  private final Runnable between;
  private final int port;
  private volatile ServerSocket listener;
  private volatile Predicate<Request> mayEnd = reply -> true;

  MapOutputServer(Script script) throws IOException {
    this(script, Integer.MAX_VALUE, () -> {});
  }

  /**
   * @param piece bytes that are written at once
   * @param between done after each piece but the last
   */
  MapOutputServer(Script script, int piece, Runnable between) throws IOException {
    this.script = script;
    this.piece = piece;
    this.between = between;
    listener = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
    port = listener.getLocalPort();
    accept(listener);
  }

  int port() {
    return port;
  }

  /** Listens again on the same port. */
  void reopen() {
    try {
      ServerSocket again = new ServerSocket();
      again.setReuseAddress(true);
      again.bind(new InetSocketAddress("localhost", port));
      listener = again;
      accept(again);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket server) {
    daemon(
        () -> {
          while (!server.isClosed()) {
            try {
              Socket socket = server.accept();
              sockets.add(socket);
              daemon(() -> talk(socket));
            } catch (IOException e) {
              return;
            }
          }
        });
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "test-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void talk(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      BlockingQueue<Optional<Request>> asked = new LinkedBlockingQueue<>();
      daemon(() -> read(in, asked));
      for (Request request = next(asked); request != null; request = next(asked)) {
        byte[] answer = script.answer(request);
        if (answer == null) {
          return;
        }
        write(out, answer, request);
        if (!new String(answer, StandardCharsets.ISO_8859_1).contains(KEEP)) {
          return;
        }
      }
    } catch (IOException e) {
      // The reducer may close whenever it likes.
      sockets.remove(socket);
    }
  }

  private static @Nullable Request next(BlockingQueue<Optional<Request>> asked) {
    try {
      return asked.take().orElse(null);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads requests as they come, also while an answer is under way. */
  private void read(BufferedReader in, BlockingQueue<Optional<Request>> asked) {
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        List<String> headers = new ArrayList<>();
        for (String header = in.readLine(); !header.isEmpty(); header = in.readLine()) {
          headers.add(header);
        }
        Request request = new Request(line.split(" ")[1], headers, requests.size());
        requests.add(request);
        asked.add(Optional.of(request));
      }
    } catch (IOException e) {
      // The reducer may close whenever it likes.
    } finally {
      asked.add(Optional.empty());
    }
  }

  /** The last byte of an answer is held back until this is so. */
  void endsWhen(Predicate<Request> condition) {
    mayEnd = condition;
  }

  private void write(OutputStream out, byte[] answer, Request request) throws IOException {
    int last = answer.length - 1;
    for (int from = 0; from < last; from += Math.min(piece, last - from)) {
      if (from > 0) {
        between.run();
      }
      out.write(answer, from, Math.min(piece, last - from));
      out.flush();
    }
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(20))
        .until(() -> mayEnd.test(request));
    out.write(answer, last, 1);
    out.flush();
  }

  /** A body in the making. */
  static final class Body {
    private final ByteBuf bytes = Unpooled.buffer();

    Body output(String map, Segments.Segment segment) {
      return header(map, segment.bytes().length, segment.rawLength(), ReducerFixture.REDUCE)
          .raw(segment.bytes());
    }

    Body header(String map, long part, long raw, int reduce) {
      new MapOutputHeader(map, part, raw, reduce).encode(bytes);
      return this;
    }

    Body failed(String map, MapOutputHeader.Failure why) {
      MapOutputHeader.failed(map, ReducerFixture.REDUCE, why).encode(bytes);
      return this;
    }

    Body raw(byte[] raw) {
      bytes.writeBytes(raw);
      return this;
    }

    byte[] bytes() {
      return ByteBufUtil.getBytes(bytes);
    }
  }

  /** The body that a good server would send. */
  static Body good(Request request, Segments segments) {
    Body body = new Body();
    for (String map : request.maps()) {
      body.output(map, segments.of(number(map)));
    }
    return body;
  }

  /** The reply that a good server of ours would send, which keeps the connection. */
  static byte[] goodOfOurs(Request request, Segments segments) throws IOException {
    return ok(request, good(request, segments).bytes(), OURS, KEEP);
  }

  static int number(String attempt) {
    return Integer.parseInt(attempt.split("_")[4]);
  }

  static byte[] ok(Request request, byte[] body, String... headers) throws IOException {
    return reply("200 OK", request.replyHash(), body, body.length, headers);
  }

  static byte[] reply(String status, String hash, byte[] body, int length, String... headers) {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 " + status + "\r\nname: mapreduce\r\nversion: 1.0.0\r\n");
    head.append("ReplyHash: ").append(hash).append("\r\ncontent-length: ").append(length);
    for (String header : headers) {
      head.append("\r\n").append(header);
    }
    if (headers.length == 0) {
      head.append("\r\nconnection: close");
    }
    head.append("\r\n\r\n");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      bytes.write(head.toString().getBytes(StandardCharsets.US_ASCII));
      bytes.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Refuses connections from now on. */
  void refuse() throws IOException {
    listener.close();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
