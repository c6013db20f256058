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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's end of {@link ControlProtocol#TRANSFER_PATH}: checks who sends and to whom,
 * passes the message on, and holds the answer back as long as the sender asks and nothing is new. A
 * newer message of a job has the older, which waits, answered; so what the newer one itself changed
 * is told in the older one's answer, and the newer one waits in its place.
 *
 * <p>Answers: 200 with a signed {@link HostAnswer}; 400 for a message that is not as documented;
 * 401 for an unknown job and for a wrong signature, which look the same; 404, 405 and 413 for a
 * wrong path, method and length; 409 for a sequence that does not grow, a replay or an
 * ApplicationMaster that a later attempt has replaced; 421 for a message that was addressed to
 * another NodeManager; 429 for one that has been taken, but cannot wait since too many do; 500 when
 * the NodeManager itself failed.
 *
 * <p>Remembers one number for each job whose secret is known. Thread-safe, does not block but for
 * what {@code addressedHere} does.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of continuations, whose outcome is what they do
public final class ControlServer {
  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

  private static final ControlReply UNAUTHENTICATED =
      refusal(401, "not signed with the secret of a job that this NodeManager knows");

  private final JobSecrets secrets;
  private final Predicate<String> addressedHere;
  private final TransferRegistry registry;
  private final Orders orders;
  private final Polls polls;
  private final Map<String, Long> lastSequences = new ConcurrentHashMap<>();
  private final SecretKey nobodysSecret;

  /**
   * @param addressedHere whether {@code host:port} is this NodeManager; may block for a name
   * @param polling the timer of answers that are held back, and how many may be
   */
  public ControlServer(
      JobSecrets secrets,
      Predicate<String> addressedHere,
      TransferRegistry registry,
      Orders orders,
      Polling polling) {
    this.secrets = secrets;
    this.addressedHere = addressedHere;
    this.registry = registry;
    this.orders = orders;
    this.polls = polling.polls(registry::view, this::answer, job -> registry.waits(job, 0));
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.nobodysSecret = new SecretKeySpec(random, "HmacSHA1");
  }

  /**
   * Answers one message, now or later; throws nothing. Cancelling the answer frees its place among
   * those that wait.
   */
  public CompletableFuture<ControlReply> handle(ControlRequest request) {
    try {
      return reply(request);
    } catch (ControlException e) {
      return done(refusal(400, e.sentence()));
    } catch (IOException | RuntimeException e) {
      return done(failed(request, e));
    }
  }

  /** What answers say may have changed: whoever waits may be answered soon. Cheap. */
  public void changed() {
    polls.changed();
  }

  /** Answers whoever waits for news of this job at once: they are urgent. */
  public void urgent(String job) {
    polls.release(job);
    registry.waits(job, 0);
  }

  /** Answers that are held back now. */
  public int waiting() {
    return polls.waiting();
  }

  /** Forgets the sequence of a job that has ended. */
  public void forget(String job) {
    lastSequences.remove(job);
    polls.release(job);
  }

  /** Jobs whose sequence is remembered. */
  int remembered() {
    return lastSequences.size();
  }

  private CompletableFuture<ControlReply> reply(ControlRequest request)
      throws ControlException, IOException {
    ControlReply refusal = misfit(request);
    String job = request.job();
    String sequence = request.sequence();
    String receiver = request.receiver();
    if (refusal != null) {
      return done(refusal);
    }
    if (job == null || !ControlCodec.isJob(job)) {
      return done(UNAUTHENTICATED);
    }
    long number = ControlProtocol.sequenceNumber(sequence);
    if (sequence == null || number < 0) {
      return done(refusal(400, ControlProtocol.SEQUENCE_HEADER + " is not a number"));
    }
    if (receiver == null) {
      return done(refusal(400, ControlProtocol.RECEIVER_HEADER + " is missing"));
    }
    SecretKey secret = authenticated(request, receiver, job, sequence);
    if (secret == null) {
      return done(UNAUTHENTICATED);
    }
    if (!addressedHere.test(receiver)) {
      return done(refusal(421, "addressed to " + receiver + ", which is not this NodeManager"));
    }
    if (!grows(job, number)) {
      return done(refusal(409, "sequence does not grow: " + number));
    }
    CompletableFuture<HostAnswer> answer = act(request, job);
    return answer == null
        ? done(refusal(429, "taken, but too many messages wait here; ask again without waiting"))
        : whenAnswered(answer, held -> signed(held, sequence, secret), request);
  }

  private static @Nullable ControlReply misfit(ControlRequest request) {
    if (!request.path().equals(ControlProtocol.TRANSFER_PATH)) {
      return refusal(404, "not a path of the control messages");
    }
    if (!request.method().equals("PUT") && !request.method().equals("DELETE")) {
      return refusal(405, "PUT or DELETE a transfer");
    }
    return exceeds(request.body(), ControlProtocol.MAX_BODY_BYTES)
        ? refusal(413, "longer than " + ControlProtocol.MAX_BODY_BYTES + " bytes")
        : null;
  }

  private @Nullable SecretKey authenticated(
      ControlRequest request, String receiver, String job, String sequence) throws IOException {
    SecretKey secret = secrets.secret(job);
    if (secret == null) {
      lastSequences.remove(job);
    }
    String message =
        ControlProtocol.signedRequest(
            receiver, request.method(), request.path(), job, sequence, request.body());
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
      lastSequences.remove(job);
    }
    return grew[0];
  }

  /** Null if the answer should wait and there is no place. */
  private @Nullable CompletableFuture<HostAnswer> act(ControlRequest request, String job)
      throws ControlException {
    long changes = polls.changes();
    if (request.method().equals("DELETE")) {
      HostView view = registry.withdraw(job);
      polls.release(job);
      return CompletableFuture.completedFuture(answer(job, view));
    }
    Announcement message = ControlCodec.decodeAnnouncement(request.body());
    TransferDescriptor transfer = message.transfer();
    if (!transfer.job().equals(job)) {
      throw new ControlException("the transfer is of another job than the message");
    }
    if (message.order() != null) {
      orders.carried(job, message.order());
    }
    String user = secrets.user(job);
    HostView view = registry.announce(user == null ? transfer : transfer.withUser(user));
    HostAnswer answer = answer(job, view).with(message.seen() == null ? registry.traits() : null);
    boolean more = answer.view().stored() != null;
    boolean told = answer.state().equals(message.seen()) || polls.waits(job, message.seen());
    if (message.waitMs() <= 0 || more || !told) {
      polls.release(job);
      return CompletableFuture.completedFuture(answer);
    }
    long waitMs = Math.min(message.waitMs(), ControlProtocol.MAX_WAIT_MS);
    registry.waits(job, waitMs);
    CompletableFuture<HostAnswer> held =
        polls.hold(job, answer, message.seen(), waitMs, message.restMs(), changes);
    if (held == null) {
      registry.waits(job, 0);
    }
    return held;
  }

  private HostAnswer answer(String job, HostView view) {
    return HostAnswer.of(job, view, orders.signed(job), registry.ruleTransport(job));
  }

  /** Turns an answer into a reply; what cancels the reply cancels the answer. */
  private static CompletableFuture<ControlReply> whenAnswered(
      CompletableFuture<HostAnswer> answer, Signer signer, ControlRequest request) {
    CompletableFuture<ControlReply> reply =
        answer.thenApply(
            held -> {
              try {
                return signer.sign(held);
              } catch (ControlException | IOException | RuntimeException e) {
                return failed(request, e);
              }
            });
    reply.whenComplete(
        (sent, failure) -> {
          if (failure instanceof CancellationException || failure instanceof CompletionException) {
            answer.cancel(false);
          }
        });
    return reply;
  }

  @FunctionalInterface
  private interface Signer {
    ControlReply sign(HostAnswer answer) throws ControlException, IOException;
  }

  private static ControlReply signed(HostAnswer answer, String sequence, SecretKey secret)
      throws ControlException, IOException {
    String body = ControlCodec.encode(answer);
    String signature = JobHash.of(ControlProtocol.signedReply(sequence, body), secret);
    return new ControlReply(200, body, signature);
  }

  private static ControlReply failed(ControlRequest request, Exception why) {
    LOG.warn("A control message of {} could not be answered", request.job(), why);
    return refusal(500, "the NodeManager failed; its log says why");
  }

  private static boolean exceeds(String body, int bytes) {
    return body.length() > bytes || body.getBytes(StandardCharsets.UTF_8).length > bytes;
  }

  private static CompletableFuture<ControlReply> done(ControlReply reply) {
    return CompletableFuture.completedFuture(reply);
  }

  private static ControlReply refusal(int status, String sentence) {
    return new ControlReply(status, sentence, null);
  }
}
