/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.Announcement;
import org.missioncontrol.scheduler.control.ControlCodec;
import org.missioncontrol.scheduler.control.ControlException;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.scheduler.security.JobHash;

/**
 * Speaks the control messages: signs what goes out, believes only what comes back signed. Does not
 * block; every call ends with an outcome, never with a failure. Thread-safe.
 */
final class ControlClient implements AutoCloseable {
  /** What a stock shuffle handler, or one that does not speak our version, says to a message. */
  private static final Set<Integer> STOCK_ANSWERS = Set.of(400, 404, 405);

  private static final int TOO_MANY_WAIT = 429;

  private final ControlExchange exchange;
  private final SequenceNumbers sequences;
  private final Supplier<@Nullable SecretKey> secrets;
  private final long timeoutMs;

  /**
   * A client of one job.
   *
   * @param secrets gives null until the job has its secret
   * @param timeoutMs milliseconds that an answer may take that does not wait
   */
  ControlClient(
      ControlExchange exchange,
      SequenceNumbers sequences,
      Supplier<@Nullable SecretKey> secrets,
      long timeoutMs) {
    this.exchange = exchange;
    this.sequences = sequences;
    this.secrets = secrets;
    this.timeoutMs = timeoutMs;
  }

  /** Tells {@code node} what the transfer is now. */
  CompletableFuture<Outcome> announce(Node node, Announcement message) {
    try {
      String body = ControlCodec.encode(message);
      return call(node, "PUT", message.transfer().job(), body, message.waitMs() + timeoutMs);
    } catch (ControlException e) {
      return failed("encode", "no NodeManager would take it: " + e.sentence());
    }
  }

  /** Tells {@code node} to forget the job's transfer. */
  CompletableFuture<Outcome> withdraw(Node node, String job) {
    return call(node, "DELETE", job, "", timeoutMs);
  }

  /** Gives up what is under way. */
  @Override
  public void close() {
    exchange.close();
  }

  private CompletableFuture<Outcome> call(
      Node node, String method, String job, String body, long limitMs) {
    try {
      SecretKey secret = secrets.get();
      if (secret == null) {
        return failed("secret", "the job has no shuffle secret");
      }
      String path = ControlProtocol.TRANSFER_PATH;
      String receiver = node.toString();
      String sequence = Long.toString(sequences.next());
      String signature =
          JobHash.of(
              ControlProtocol.signedRequest(receiver, method, path, job, sequence, body), secret);
      ControlRequest request =
          new ControlRequest(method, path, receiver, job, sequence, signature, body);
      return exchange
          .exchange(node, request, limitMs)
          .handle(
              (reply, failure) ->
                  failure == null ? outcome(reply, sequence, secret) : failure(failure));
    } catch (IOException | RuntimeException | LinkageError e) {
      return CompletableFuture.completedFuture(failure(e));
    }
  }

  private static Outcome outcome(ControlReply reply, String sequence, SecretKey secret) {
    if (STOCK_ANSWERS.contains(reply.status())) {
      return new Outcome.Stock(reply.status());
    }
    if (reply.status() == TOO_MANY_WAIT) {
      return new Outcome.Busy();
    }
    if (reply.status() != 200) {
      String status = "HTTP status " + reply.status();
      return new Outcome.Failed(status, status);
    }
    try {
      String signed = ControlProtocol.signedReply(sequence, reply.body());
      if (!JobHash.matches(reply.signature(), signed, secret)) {
        return new Outcome.Failed("signature", "its reply is not signed with the job's secret");
      }
      return new Outcome.Accepted(ControlCodec.decodeAnswer(reply.body()));
    } catch (ControlException e) {
      return new Outcome.Failed("view", "its reply cannot be read: " + e.sentence());
    } catch (IOException | RuntimeException e) {
      return failure(e);
    }
  }

  private static Outcome failure(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return new Outcome.Failed(cause.getClass().getName(), cause.toString());
  }

  private static CompletableFuture<Outcome> failed(String kind, String reason) {
    return CompletableFuture.completedFuture(new Outcome.Failed(kind, reason));
  }
}
