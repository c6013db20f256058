/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The operator's end of {@link ControlProtocol#ORDERS_PATH}: signs an order, sends it to one
 * NodeManager that has the job, believes only an answer that is signed. The job's ApplicationMaster
 * hears of it from there within a second and tells all others. Blocks. Thread-safe.
 */
public final class OperatorClient {
  private static final int MAX_SENTENCE = 2000;

  private final OperatorSecret secret;
  private final int timeoutMs;
  private final Clock clock;
  private final AtomicLong last = new AtomicLong();

  /**
   * @param timeoutMs milliseconds for connecting, and again for the answer
   */
  public OperatorClient(OperatorSecret secret, int timeoutMs) {
    this(secret, timeoutMs, Clock.systemUTC());
  }

  OperatorClient(OperatorSecret secret, int timeoutMs, Clock clock) {
    this.secret = secret;
    this.timeoutMs = timeoutMs;
    this.clock = clock;
  }

  /**
   * What a NodeManager said to an order. Immutable.
   *
   * @param status of HTTP: 200 if the order is in force now, else as {@link Orders} says
   * @param sentence why not; empty if it is
   */
  public record Answer(int status, String sentence) {
    /** Whether the order is in force. */
    public boolean taken() {
      return status == 200;
    }
  }

  /**
   * Sends an order.
   *
   * @param nodeManager its shuffle port: {@code http://host:port} or {@code https://host:port}
   * @throws ControlException if no NodeManager would take the order
   * @throws IOException if the NodeManager cannot be asked, or its answer is a forgery
   */
  public Answer order(URL nodeManager, String job, TransferOrder order)
      throws ControlException, IOException {
    SignedOrder signed = sign(job, order);
    URL url = new URL(nodeManager, ControlProtocol.ORDERS_PATH + job);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    try {
      connection.setRequestMethod("PUT");
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout(timeoutMs);
      connection.setReadTimeout(timeoutMs);
      connection.setDoOutput(true);
      connection.setRequestProperty("Connection", "close");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setRequestProperty(ControlProtocol.JOB_HEADER, job);
      connection.setRequestProperty(
          ControlProtocol.SEQUENCE_HEADER, Long.toString(signed.sequence()));
      connection.setRequestProperty(ControlProtocol.SIGNATURE_HEADER, signed.signature());
      connection.getOutputStream().write(signed.body().getBytes(StandardCharsets.UTF_8));
      return answer(connection, signed);
    } finally {
      connection.disconnect();
    }
  }

  /** An order that is newer than any that this client has signed. */
  public SignedOrder sign(String job, TransferOrder order) throws ControlException {
    ControlCodec.require(ControlCodec.isJob(job), "not the id of a job: " + job);
    String body = OrderCodec.encode(order);
    Instant now = clock.instant();
    long micros =
        TimeUnit.SECONDS.toMicros(now.getEpochSecond())
            + TimeUnit.NANOSECONDS.toMicros(now.getNano());
    long sequence = last.accumulateAndGet(micros, (before, at) -> Math.max(before + 1, at));
    String text = SignedOrder.signed(job, Long.toString(sequence), body);
    return new SignedOrder(job, sequence, body, secret.sign(text));
  }

  private Answer answer(HttpURLConnection connection, SignedOrder signed) throws IOException {
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      return new Answer(status, text(connection.getErrorStream()));
    }
    String body = text(connection.getInputStream());
    String signature = connection.getHeaderField(ControlProtocol.REPLY_SIGNATURE_HEADER);
    String sequence = Long.toString(signed.sequence());
    if (!secret.matches(signature, SignedOrder.signedReply(signed.job(), sequence, body))) {
      throw new IOException(
          "the answer of " + connection.getURL() + " is not signed with the operators' secret");
    }
    return new Answer(status, "");
  }

  private static String text(@Nullable InputStream in) throws IOException {
    if (in == null) {
      return "";
    }
    try (in) {
      return new String(in.readNBytes(MAX_SENTENCE), StandardCharsets.UTF_8);
    }
  }
}
