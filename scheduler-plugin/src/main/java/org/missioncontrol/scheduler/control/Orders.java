/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's orders that a NodeManager keeps, the newest of each job that it knows. They come
 * from the operator by {@link ControlProtocol#ORDERS_PATH}, or through the job's ApplicationMaster,
 * which cannot alter them.
 *
 * <p>Answers an operator with 200, signed; 400 for what is not as documented; 401 for a wrong
 * signature; 403 where no orders are taken; 404 for a job that is not here; 405 and 413 for a wrong
 * method and length; 409 for an order that is not newer than the one in force, or whose time is
 * more than {@value #MAX_SKEW_S} s from this host's; 422 for what the administrator or the host
 * does not allow. Thread-safe; reads the secret's file for each order.
 */
public final class Orders {
  /** Greatest difference of the operator's clock and ours, seconds. */
  static final long MAX_SKEW_S = 300;

  private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

  private final @Nullable Path secretFile;
  private final JobSecrets jobs;
  private final OrderCheck check;
  private final Consumer<String> changed;
  private final LongSupplier epochMicros;
  // Of jobs that are known; looked after when one ends.
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  /** An order and what it says. Immutable. */
  private record Kept(SignedOrder signed, TransferOrder order) {}

  /**
   * @param secretFile of the operators, or null: then no orders are taken
   * @param changed hears of each job whose order is new
   * @param epochMicros microseconds since the epoch
   */
  public Orders(
      @Nullable Path secretFile,
      JobSecrets jobs,
      OrderCheck check,
      Consumer<String> changed,
      LongSupplier epochMicros) {
    this.secretFile = secretFile;
    this.jobs = jobs;
    this.check = check;
    this.changed = changed;
    this.epochMicros = epochMicros;
  }

  /** The order in force for a job, as it was signed, or null. */
  public @Nullable SignedOrder signed(String job) {
    Kept order = kept.get(job);
    return order == null ? null : order.signed();
  }

  /** What the order in force says, or null without one. */
  public @Nullable TransferOrder order(String job) {
    Kept order = kept.get(job);
    return order == null ? null : order.order();
  }

  /** Forgets a job that has ended. */
  public void forget(String job) {
    kept.remove(job);
  }

  /** Answers an operator; throws nothing. */
  public ControlReply handle(ControlRequest request) {
    try {
      return answer(request);
    } catch (ControlException e) {
      return refusal(400, e.sentence());
    }
  }

  private ControlReply answer(ControlRequest request) throws ControlException {
    String job = request.path().substring(ControlProtocol.ORDERS_PATH.length());
    if (!request.method().equals("PUT")) {
      return refusal(405, "PUT an order of the job that ends the path");
    }
    if (request.body().length() > OrderCodec.MAX_BODY) {
      return refusal(413, "an order is no longer than " + OrderCodec.MAX_BODY + " characters");
    }
    OperatorSecret secret;
    try {
      secret = secret();
    } catch (IOException e) {
      LOG.warn("An order for {} is refused: {}", request.path(), e.getMessage());
      return refusal(403, "this NodeManager cannot use its operators' secret; its log says why");
    }
    if (secret == null) {
      return refusal(
          403, "this NodeManager takes no orders: mission-control.operator.secret-file is not set");
    }
    long sequence = ControlProtocol.sequenceNumber(request.sequence());
    SignedOrder signed = new SignedOrder(job, sequence, request.body(), "" + request.signature());
    if (sequence < 0 || !secret.matches(request.signature(), signed.signed())) {
      return refusal(401, "not signed with the operators' secret of this NodeManager");
    }
    return obey(signed, secret);
  }

  /** Of an order that is the operator's own. */
  private ControlReply obey(SignedOrder signed, OperatorSecret secret) throws ControlException {
    String job = signed.job();
    long skewMicros = Math.abs(epochMicros.getAsLong() - signed.sequence());
    if (skewMicros > TimeUnit.SECONDS.toMicros(MAX_SKEW_S)) {
      return refusal(
          409,
          "the order's time is "
              + TimeUnit.MICROSECONDS.toSeconds(skewMicros)
              + " s from this host's; it may be a replay, or one of the clocks is wrong");
    }
    TransferOrder order = OrderCodec.decode(signed.body());
    if (!ControlCodec.isJob(job) || jobs.secret(job) == null) {
      return refusal(
          404, "no job " + job + " runs or ran on this NodeManager; ask one where it does");
    }
    String refusal = check.refusal(job, order);
    if (refusal != null) {
      return refusal(422, refusal);
    }
    if (!take(signed, order)) {
      return refusal(409, "an order of " + job + " that is as new or newer is in force");
    }
    LOG.info("An operator orders for {}: {}", job, order.describe());
    changed.accept(job);
    return new ControlReply(
        200,
        signed.body(),
        secret.sign(SignedOrder.signedReply(job, Long.toString(signed.sequence()), signed.body())));
  }

  /** Takes what an ApplicationMaster carried here, if it is an operator's and newer. */
  void carried(String job, SignedOrder signed) {
    SignedOrder known = signed(job);
    if (!signed.job().equals(job) || (known != null && known.sequence() >= signed.sequence())) {
      return;
    }
    try {
      OperatorSecret secret = secret();
      if (secret != null && secret.matches(signed.signature(), signed.signed())) {
        TransferOrder order = OrderCodec.decode(signed.body());
        if (take(signed, order)) {
          LOG.info("An operator ordered for {}: {}", job, order.describe());
        }
      }
    } catch (IOException | ControlException e) {
      LOG.debug("The order that {} carries cannot be checked", job, e);
    }
  }

  private boolean take(SignedOrder signed, TransferOrder order) {
    boolean[] taken = new boolean[1];
    kept.compute(
        signed.job(),
        (job, before) -> {
          taken[0] = before == null || before.signed().sequence() < signed.sequence();
          return taken[0] ? new Kept(signed, order) : before;
        });
    if (jobs.secret(signed.job()) == null) {
      forget(signed.job());
    }
    return taken[0];
  }

  private @Nullable OperatorSecret secret() throws IOException {
    return secretFile == null ? null : OperatorSecret.read(secretFile);
  }

  private static ControlReply refusal(int status, String sentence) {
    return new ControlReply(status, sentence, null);
  }
}
