/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's end of {@link ControlProtocol#TRANSFER_PATH}: checks who sends, then passes the
 * message on.
 *
 * <p>Answers: 200 with a signed {@link HostView}; 400 for a message that is not as documented; 401
 * for an unknown job and for a wrong signature, which look the same; 404, 405 and 413 for a wrong
 * path, method and length; 409 for a sequence that does not grow, a replay or an ApplicationMaster
 * that a later attempt has replaced; 500 when the NodeManager itself failed.
 *
 * <p>Remembers one number for each job whose secret is known. Thread-safe, does not block.
 */
public final class ControlServer {
  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
  private static final ControlReply UNAUTHENTICATED =
      refusal(401, "not signed with the secret of a job that this NodeManager knows");

  private final JobSecrets secrets;
  private final TransferRegistry registry;
  private final Map<String, Long> lastSequences = new ConcurrentHashMap<>();
  private final SecretKey nobodysSecret;

  public ControlServer(JobSecrets secrets, TransferRegistry registry) {
    this.secrets = secrets;
    this.registry = registry;
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.nobodysSecret = new SecretKeySpec(random, "HmacSHA1");
  }

  /** Answers one message; throws nothing. */
  public ControlReply handle(ControlRequest request) {
    try {
      return answer(request);
    } catch (ControlException e) {
      return refusal(400, e.sentence());
    } catch (IOException | RuntimeException e) {
      LOG.warn("A control message of {} could not be answered", request.job(), e);
      return refusal(500, "the NodeManager failed; its log says why");
    }
  }

  /** Forgets the sequence of a job that has ended. */
  public void forget(String job) {
    lastSequences.remove(job);
  }

  /** Jobs whose sequence is remembered. */
  int remembered() {
    return lastSequences.size();
  }

  private ControlReply answer(ControlRequest request) throws ControlException, IOException {
    if (!request.path().equals(ControlProtocol.TRANSFER_PATH)) {
      return refusal(404, "not a path of the control messages");
    }
    if (!request.method().equals("PUT") && !request.method().equals("DELETE")) {
      return refusal(405, "PUT or DELETE a transfer");
    }
    if (exceeds(request.body(), ControlProtocol.MAX_BODY_BYTES)) {
      return refusal(413, "longer than " + ControlProtocol.MAX_BODY_BYTES + " bytes");
    }
    String job = request.job();
    String sequence = request.sequence();
    if (job == null || !ControlCodec.isJob(job)) {
      return UNAUTHENTICATED;
    }
    long number = ControlProtocol.sequenceNumber(sequence);
    if (sequence == null || number < 0) {
      return refusal(400, ControlProtocol.SEQUENCE_HEADER + " is not a number");
    }
    SecretKey secret = authenticated(request, job, sequence);
    if (secret == null) {
      return UNAUTHENTICATED;
    }
    if (!grows(job, number)) {
      return refusal(409, "sequence does not grow: " + number);
    }
    String body = encode(act(request, job), job);
    String signature = JobHash.of(ControlProtocol.signedReply(sequence, body), secret);
    return new ControlReply(200, body, signature);
  }

  private @Nullable SecretKey authenticated(ControlRequest request, String job, String sequence)
      throws IOException {
    SecretKey secret = secrets.secret(job);
    if (secret == null) {
      forget(job);
    }
    String message =
        ControlProtocol.signedRequest(
            request.method(), request.path(), job, sequence, request.body());
    // INVARIANT: an unknown job costs the same time as a wrong signature.
    boolean matches =
        JobHash.matches(request.signature(), message, secret == null ? nobodysSecret : secret);
    return matches ? secret : null;
  }

  private boolean grows(String job, long number) {
    boolean[] grew = new boolean[1];
    lastSequences.compute(
        job,
        (key, last) -> {
          grew[0] = last == null || number > last;
          return grew[0] ? Long.valueOf(number) : last;
        });
    if (secrets.secret(job) == null) {
      forget(job);
    }
    return grew[0];
  }

  private HostView act(ControlRequest request, String job) throws ControlException {
    if (request.method().equals("DELETE")) {
      return registry.withdraw(job);
    }
    TransferDescriptor transfer = ControlCodec.decodeDescriptor(request.body());
    if (!transfer.job().equals(job)) {
      throw new ControlException("the transfer is of another job than the message");
    }
    String user = secrets.user(job);
    return registry.announce(user == null ? transfer : transfer.withUser(user));
  }

  /** A view that is too long for a reply is cut down to the job's own transfer. */
  private static String encode(HostView view, String job) throws ControlException {
    String body = ControlCodec.encode(view);
    if (!exceeds(body, ControlProtocol.MAX_REPLY_BYTES)) {
      return body;
    }
    return ControlCodec.encode(
        new HostView(
            view.version(),
            view.policy(),
            view.budget(),
            view.inUse(),
            view.transfers().stream().filter(transfer -> transfer.job().equals(job)).toList(),
            view.congestionControls(),
            view.stored()));
  }

  private static boolean exceeds(String body, int bytes) {
    return body.length() > bytes || body.getBytes(StandardCharsets.UTF_8).length > bytes;
  }

  private static ControlReply refusal(int status, String sentence) {
    return new ControlReply(status, sentence, null);
  }
}
