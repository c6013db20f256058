/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.io.IOException;
import java.util.Set;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlCodec;
import org.missioncontrol.scheduler.control.ControlException;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.security.JobHash;

/**
 * Speaks the control messages: signs what goes out, believes only what comes back signed. Blocks,
 * throws nothing. Thread-safe.
 */
final class ControlClient {
  /** What a stock shuffle handler, or one that does not speak our version, says to a message. */
  private static final Set<Integer> STOCK_ANSWERS = Set.of(400, 404, 405);

  private final ControlExchange exchange;
  private final SequenceNumbers sequences;
  private final Supplier<@Nullable SecretKey> secrets;

  /** A client of one job; {@code secrets} gives null until the job has its secret. */
  ControlClient(
      ControlExchange exchange, SequenceNumbers sequences, Supplier<@Nullable SecretKey> secrets) {
    this.exchange = exchange;
    this.sequences = sequences;
    this.secrets = secrets;
  }

  /** Tells {@code node} what {@code transfer} is now. */
  Outcome announce(Node node, TransferDescriptor transfer) {
    try {
      return call(node, "PUT", transfer.job(), ControlCodec.encode(transfer));
    } catch (ControlException e) {
      return new Outcome.Failed("encode", "no NodeManager would take it: " + e.sentence());
    }
  }

  /** Tells {@code node} to forget the job's transfer. */
  Outcome withdraw(Node node, String job) {
    return call(node, "DELETE", job, "");
  }

  private Outcome call(Node node, String method, String job, String body) {
    try {
      SecretKey secret = secrets.get();
      if (secret == null) {
        return new Outcome.Failed("secret", "the job has no shuffle secret");
      }
      String path = ControlProtocol.TRANSFER_PATH;
      String sequence = Long.toString(sequences.next());
      String signature =
          JobHash.of(ControlProtocol.signedRequest(method, path, job, sequence, body), secret);
      ControlRequest request = new ControlRequest(method, path, job, sequence, signature, body);
      return outcome(exchange.exchange(node, request), sequence, secret);
    } catch (IOException | RuntimeException e) {
      return new Outcome.Failed(e.getClass().getName(), e.toString());
    }
  }

  private static Outcome outcome(ControlReply reply, String sequence, SecretKey secret)
      throws IOException {
    if (STOCK_ANSWERS.contains(reply.status())) {
      return new Outcome.Stock(reply.status());
    }
    if (reply.status() != 200) {
      String status = "HTTP status " + reply.status();
      return new Outcome.Failed(status, status);
    }
    String signed = ControlProtocol.signedReply(sequence, reply.body());
    if (!JobHash.matches(reply.signature(), signed, secret)) {
      return new Outcome.Failed("signature", "its reply is not signed with the job's secret");
    }
    try {
      return new Outcome.Accepted(ControlCodec.decodeHostView(reply.body()));
    } catch (ControlException e) {
      return new Outcome.Failed("view", "its reply cannot be read: " + e.sentence());
    }
  }
}
