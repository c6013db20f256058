/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the administrator's file says about sharing. What is not said of a name is as it is said of
 * {@code *}, if it is. Immutable.
 *
 * @param policy name of the share policy, one of {@link #POLICIES}; null where the file says none
 * @param users by user name or {@code *}
 * @param queues by queue name, without a leading {@code root.}, or {@code *}
 * @param jobTransports transport by job id
 * @param table transports of jobs that leave the choice open, the first rule that fits counts
 */
public record AdminRules(
    @Nullable String policy,
    Map<String, Rule> users,
    Map<String, Rule> queues,
    Map<String, String> jobTransports,
    List<TransportRule> table) {
  /** Every share policy that can be named. */
  public static final List<String> POLICIES =
      List.of(
          "fair",
          "fifo",
          "priority",
          "performance-centric-by-class",
          "performance-centric-by-machines");

  /** Greatest weight, factor and cap; without unit. */
  public static final float MAX_WEIGHT = 1e6f;

  /** No rule at all. */
  public static final AdminRules NONE =
      new AdminRules(null, Map.of(), Map.of(), Map.of(), List.of());

  static final String ANY = "*";

  /** Copies the maps and the table. */
  public AdminRules {
    table = List.copyOf(table);
    users = Map.copyOf(users);
    queues = Map.copyOf(queues);
    jobTransports = Map.copyOf(jobTransports);
  }

  /**
   * What the file says of one user or queue; null where it says nothing. Immutable.
   *
   * @param weight factor of the weight that a job asks for; positive, without unit
   * @param weightCap most that a job may weigh, positive, without unit
   * @param transport name of the transport that its jobs shall use
   */
  public record Rule(
      @Nullable Float weight, @Nullable Float weightCap, @Nullable String transport) {
    static final Rule NONE = new Rule(null, null, null);
  }

  /**
   * Reads a file, XML if its name ends in {@code .xml}, else properties.
   *
   * @throws IOException if the file cannot be read
   * @throws AdminRulesException with every mistake in it, by line and key
   */
  public static AdminRules parse(Path file) throws IOException, AdminRulesException {
    return new RulesParser().parse(RuleEntries.read(file));
  }

  /** The weight that a job wants: what it asks for, times the factors of its user and queue. */
  public float wantedWeight(String user, String queue, float asked) {
    double ofUser = find(users, user, Rule::weight, 1f);
    double ofQueue = find(queues, plain(queue), Rule::weight, 1f);
    return (float) Math.min(asked * ofUser * ofQueue, Float.MAX_VALUE);
  }

  /** Most that a job may weigh: the lesser cap of its user and queue, infinite without one. */
  public float weightCap(String user, String queue) {
    return Math.min(
        find(users, user, Rule::weightCap, Float.POSITIVE_INFINITY),
        find(queues, plain(queue), Rule::weightCap, Float.POSITIVE_INFINITY));
  }

  /** Transport that the rules order for a job, or null: of the job, else its user, else queue. */
  public @Nullable String transportFor(String user, String queue, String job) {
    return Stream.of(
            Optional.ofNullable(jobTransports.get(job)),
            find(users, user, Rule::transport),
            find(queues, plain(queue), Rule::transport))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(null);
  }

  /**
   * Throws {@link IllegalArgumentException} listing the known policies, after {@code subject}, if
   * there is none of that name.
   */
  static String checkPolicy(String subject, String policy) {
    if (!POLICIES.contains(policy)) {
      throw new IllegalArgumentException(
          subject + "is none of " + String.join(", ", POLICIES) + ": \"" + policy + "\"");
    }
    return policy;
  }

  /** Queues may be named with or without their root. */
  public static String plain(String queue) {
    return queue.startsWith("root.") ? queue.substring("root.".length()) : queue;
  }

  private static float find(
      Map<String, Rule> rules, String name, Function<Rule, @Nullable Float> what, float otherwise) {
    return find(rules, name, what).orElse(otherwise);
  }

  private static <T> Optional<T> find(
      Map<String, Rule> rules, String name, Function<Rule, @Nullable T> what) {
    return Stream.of(name, ANY)
        .flatMap(known -> Optional.ofNullable(rules.get(known)).stream())
        .flatMap(rule -> Optional.ofNullable(what.apply(rule)).stream())
        .findFirst();
  }
}
