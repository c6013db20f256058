/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;

/** A real HTTP port that answers control messages as it is told. Thread-safe. */
final class FakeNodeManager implements AutoCloseable {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger requests = new AtomicInteger();
  private final HttpServer server;

  FakeNodeManager(Function<ControlRequest, CompletableFuture<ControlReply>> answers)
      throws IOException {
    this(HttpServer.create(ANY_PORT, 0), answers);
  }

  private FakeNodeManager(
      HttpServer server, Function<ControlRequest, CompletableFuture<ControlReply>> answers) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, answers));
    server.start();
  }

  /** One where another was. */
  FakeNodeManager(Node where, Function<ControlRequest, CompletableFuture<ControlReply>> answers)
      throws IOException {
    this(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), where.port()), 0),
        answers);
  }

  /** One that speaks HTTPS. */
  static FakeNodeManager encrypted(
      SSLContext context, Function<ControlRequest, CompletableFuture<ControlReply>> answers)
      throws IOException {
    HttpsServer server = HttpsServer.create(ANY_PORT, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return new FakeNodeManager(server, answers);
  }

  /** One that gives the same answer to all. */
  static FakeNodeManager always(ControlReply reply) throws IOException {
    return new FakeNodeManager(request -> CompletableFuture.completedFuture(reply));
  }

  Node node() {
    return new Node("127.0.0.1", server.getAddress().getPort());
  }

  int requests() {
    return requests.get();
  }

  private void answer(
      HttpExchange exchange, Function<ControlRequest, CompletableFuture<ControlReply>> answers)
      throws IOException {
    requests.incrementAndGet();
    byte[] body = exchange.getRequestBody().readNBytes(ControlProtocol.MAX_BODY_BYTES + 1);
    CompletableFuture<ControlReply> answer =
        answers.apply(
            new ControlRequest(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst(ControlProtocol.RECEIVER_HEADER),
                exchange.getRequestHeaders().getFirst(ControlProtocol.JOB_HEADER),
                exchange.getRequestHeaders().getFirst(ControlProtocol.SEQUENCE_HEADER),
                exchange.getRequestHeaders().getFirst(ControlProtocol.SIGNATURE_HEADER),
                new String(body, StandardCharsets.UTF_8)));
    ControlReply reply = answer.join();
    if (reply.signature() != null) {
      exchange.getResponseHeaders().set(ControlProtocol.REPLY_SIGNATURE_HEADER, reply.signature());
    }
    byte[] text = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status(), text.length == 0 ? -1 : text.length);
    try (exchange) {
      exchange.getResponseBody().write(text);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
