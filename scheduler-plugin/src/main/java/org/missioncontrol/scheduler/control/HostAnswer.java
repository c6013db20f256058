/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.HostView.TransferView;
import org.missioncontrol.transport.HostTraits;

/**
 * What a NodeManager answers to one job's {@link Announcement}. Immutable.
 *
 * @param version of the message, {@link ControlProtocol#VERSION}
 * @param state stands for everything that matters in the answer: budget, policy, transports, orders
 *     and each transfer's weight and share, but not each grant; equal states say the same
 * @param view of the host, with {@value #MAX_TRANSFERS} transfers at most, the job's own first
 * @param order that is in force for the job here, as the operator signed it, or null
 * @param ruleTransport transport that the administrator's rules order for the job, or null
 * @param traits what the host has that transports are chosen by, in the answer to a message that
 *     knows of none before; else null
 */
public record HostAnswer(
    int version,
    String state,
    HostView view,
    @Nullable SignedOrder order,
    @Nullable String ruleTransport,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HostTraits traits) {
  /** Transfers in one answer; more jobs than a host can run well. */
  public static final int MAX_TRANSFERS = 64;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** An answer to a message that knows the host. */
  public HostAnswer(
      int version,
      String state,
      HostView view,
      @Nullable SignedOrder order,
      @Nullable String ruleTransport) {
    this(version, state, view, order, ruleTransport, null);
  }

  /** The same to a message that does not know the host. */
  HostAnswer with(@Nullable HostTraits host) {
    return new HostAnswer(version, state, view, order, ruleTransport, host);
  }

  /** The answer to {@code job}. */
  static HostAnswer of(
      String job, HostView host, @Nullable SignedOrder order, @Nullable String ruleTransport) {
    Comparator<TransferView> ownFirst =
        Comparator.comparing((TransferView transfer) -> !transfer.job().equals(job));
    List<TransferView> shown =
        host.transfers().size() <= MAX_TRANSFERS
            ? host.transfers()
            : host.transfers().stream().sorted(ownFirst).limit(MAX_TRANSFERS).toList();
    HostView view = host.withTransfers(shown);
    return new HostAnswer(
        ControlProtocol.VERSION,
        state(view, host.transfers().size(), order, ruleTransport),
        view,
        order,
        ruleTransport);
  }

  /** Whether nothing but weights and shares of transfers has changed since {@code older}. */
  boolean tellsOnlyShares(HostAnswer older) {
    return view.policy().equals(older.view.policy())
        && view.budget() == older.view.budget()
        && view.congestionControls().equals(older.view.congestionControls())
        && Objects.equals(order, older.order)
        && Objects.equals(ruleTransport, older.ruleTransport);
  }

  private static String state(
      HostView view, int transfers, @Nullable SignedOrder order, @Nullable String ruleTransport) {
    Stream<?> parts =
        Stream.concat(
            Stream.of(
                view.policy(),
                view.budget(),
                transfers,
                view.congestionControls(),
                order == null ? 0 : order.sequence(),
                String.valueOf(ruleTransport)),
            view.transfers().stream()
                .flatMap(each -> Stream.of(each.job(), each.weight(), each.share())));
    long hash = FNV_OFFSET;
    for (Object part : (Iterable<Object>) parts.map(Object.class::cast)::iterator) {
      String text = part.toString();
      for (int i = 0; i < text.length(); i++) {
        hash = (hash ^ text.charAt(i)) * FNV_PRIME;
      }
      hash = (hash ^ '\n') * FNV_PRIME;
    }
    return Long.toHexString(hash);
  }
}
