/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.shuffle.throttle.ThrottleBooks.JobLine;

class ThrottleBooksTest {
  private static final long EXPIRY = 1_000;
  private static final long LEASE_MAX = 10_000;

  private long now;
  private long requests;
  private long sessions;

  @ParameterizedTest
  @CsvSource({"7, 3, 7, 3", "1, 1, 5, 5", "2, 1, 7, 3", "1, 99, 1, 9"})
  void twoJobsGetTheirWeightsOfTenFlows(float a, float b, int flowsOfA, int flowsOfB) {
    ThrottleBooks books = books(10);
    announce(books, "a", a);
    announce(books, "b", b);
    ask(books, session(books, "a"), 20);
    ask(books, session(books, "b"), 20);
    books.grant(now);
    assertThat(held(books, "a")).isEqualTo(flowsOfA);
    assertThat(held(books, "b")).isEqualTo(flowsOfB);
  }

  @Test
  void aJobThatGetsFewerBytesThanItsWeightGetsMoreFlowsWhileItContends() {
    ThrottleBooks books = books(20);
    ask(books, session(books, "a"), 30);
    ask(books, session(books, "b"), 30);
    long second = TimeUnit.SECONDS.toNanos(1);
    books.balance(Map.of("a", 0L, "b", 0L), second);
    assertThat(books.lines(now)).extracting(JobLine::share).containsExactly(10, 10);
    books.balance(Map.of("a", 800L, "b", 1_200L), second + second / 10);
    assertThat(books.lines(now)).extracting(JobLine::share).containsExactly(11, 9);
    assertThat(books.lines(now)).extracting(JobLine::due).containsExactly(10, 10);
    assertThat(books.lines(now).get(0).correction()).isGreaterThan(1);

    books.closeSession(sessions);
    books.balance(Map.of("a", 800L, "b", 1_200L), 2 * second);
    assertThat(books.lines(now)).extracting(JobLine::correction).containsOnly(1f);
  }

  @Test
  void loneJobHasAllUntilAnotherComesAndAgainWhenItEnds() {
    ThrottleBooks books = books(10);
    long a = session(books, "a");
    ask(books, a, 40);
    List<Lease> ofA = new ArrayList<>(books.grant(now));
    assertThat(ofA).hasSize(10);

    long b = session(books, "b");
    ask(books, b, 40);
    assertThat(books.grant(now)).as("nothing is taken from a batch that runs").isEmpty();
    for (int i = 0; i < 5; i++) {
      Lease returning = ofA.remove(0);
      assertThat(books.renew(a, returning.id(), now)).isFalse();
      books.release(a, returning.id());
      assertThat(books.grant(now)).singleElement().matches(lease -> lease.job().equals("b"));
    }
    assertThat(books.renew(a, ofA.get(0).id(), now)).isTrue();

    assertThat(books.closeSession(b)).hasSize(5);
    assertThat(books.grant(now)).hasSize(5).allMatch(lease -> lease.job().equals("a"));
    assertThat(held(books, "a")).isEqualTo(10);
  }

  @Test
  void whatOneJobDoesNotWantTheOtherHas() {
    ThrottleBooks books = books(10);
    announce(books, "a", 9);
    ask(books, session(books, "a"), 2);
    ask(books, session(books, "b"), 20);
    books.grant(now);
    assertThat(held(books, "a")).isEqualTo(2);
    assertThat(held(books, "b")).isEqualTo(8);
  }

  @Test
  void weightCountsUntilItExpiresOrIsWithdrawn() {
    ThrottleBooks books = books(10);
    announce(books, "a", 4);
    ask(books, session(books, "a"), 20);
    ask(books, session(books, "b"), 20);
    assertThat(share(books, "a")).isEqualTo(8);
    now += EXPIRY;
    assertThat(share(books, "a")).isEqualTo(5);
    announce(books, "a", 4);
    assertThat(share(books, "a")).isEqualTo(8);
    books.withdraw("a");
    assertThat(share(books, "a")).isEqualTo(5);
  }

  @Test
  void weightCountsWhileAMessageWaitsAndForTheUsualTimeAfter() {
    ThrottleBooks books = books(10);
    announce(books, "a", 4);
    ask(books, session(books, "a"), 20);
    ask(books, session(books, "b"), 20);
    books.waits("a", 30 * EXPIRY, now);
    now += 20 * EXPIRY;
    assertThat(share(books, "a")).isEqualTo(8);
    books.waits("a", 0, now);
    now += EXPIRY - 1;
    assertThat(share(books, "a")).as("within the usual time").isEqualTo(8);
    books.waits("a", 0, now);
    now += 1;
    assertThat(share(books, "a")).as("a wait's end makes nothing longer").isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(floats = {0, -1, Float.NaN, Float.POSITIVE_INFINITY})
  void weightThatIsNoneIsRefusedByName(float weight) {
    assertThatThrownBy(() -> announce(books(1), "a", weight))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weight of a");
  }

  @Test
  void jobIsForgottenWhenNothingIsLeftOfIt() {
    ThrottleBooks books = books(10);
    announce(books, "a", 4);
    long session = session(books, "b");
    assertThat(books.lines(now)).hasSize(2);
    books.closeSession(session);
    now += EXPIRY;
    assertThat(books.lines(now)).isEmpty();
  }

  @Test
  void sessionThatHoldsFewestComesFirstThenTheOneThatWaitedLongest() {
    ThrottleBooks books = books(4);
    long first = session(books, "a");
    long second = session(books, "a");
    ask(books, first, 3);
    ask(books, second, 3);
    assertThat(books.grant(now))
        .extracting(Lease::session)
        .containsExactly(first, second, first, second);
  }

  @Test
  void deadSessionReturnsItsLeasesAndItsPlaceInTheQueue() {
    ThrottleBooks books = books(4);
    long dead = session(books, "a");
    ask(books, dead, 9);
    books.grant(now);
    long alive = session(books, "a");
    ask(books, alive, 9);
    assertThat(books.closeSession(dead)).hasSize(4);
    assertThat(books.closeSession(dead)).isEmpty();
    assertThat(books.grant(now)).hasSize(4).allMatch(lease -> lease.session() == alive);
  }

  @Test
  void leaseBelongsToItsSessionAlone() {
    ThrottleBooks books = books(1);
    long owner = session(books, "a");
    long thief = session(books, "a");
    ask(books, owner, 1);
    long lease = books.grant(now).get(0).id();
    assertThat(books.release(thief, lease)).isNull();
    assertThat(books.renew(thief, lease, now)).isFalse();
    assertThat(books.release(owner, lease)).isNotNull();
    assertThat(books.release(owner, lease)).isNull();
    assertThat(books.renew(owner, lease, now)).isFalse();
  }

  @Test
  void withdrawnRequestIsNotGrantedAndOneNumberWaitsOnce() {
    ThrottleBooks books = books(1);
    long session = session(books, "a");
    assertThat(books.request(session, 7)).isTrue();
    assertThat(books.request(session, 7)).isFalse();
    assertThat(line(books, "a").demand()).isEqualTo(1);
    assertThat(books.withdraw(session, 7)).isTrue();
    assertThat(books.withdraw(session, 7)).isFalse();
    assertThat(books.grant(now)).isEmpty();
    assertThat(books.request(sessions + 1, 7)).isFalse();
  }

  @Test
  void leaseIsOverdueAfterItsTimeUnlessRenewed() {
    ThrottleBooks books = books(2);
    long session = session(books, "a");
    ask(books, session, 2);
    List<Lease> leases = books.grant(now);
    now += LEASE_MAX - 1;
    assertThat(books.cutOverdue(now)).isEmpty();
    assertThat(books.renew(session, leases.get(1).id(), now)).isTrue();
    now += 1;
    assertThat(books.cutOverdue(now)).containsExactly(leases.get(0));
    assertThat(held(books, "a")).isEqualTo(1);
  }

  @Test
  void leaseOnWhichBytesComeIsNeverOverdue() {
    ThrottleBooks books = books(2);
    ask(books, session(books, "a"), 2);
    List<Lease> leases = books.grant(now);
    for (int i = 0; i < 10; i++) {
      now += LEASE_MAX - 1;
      books.moved(List.of(leases.get(1).id(), -1L), now);
      books.cutOverdue(now);
    }
    assertThat(line(books, "a").leases())
        .as("the other one stood still")
        .singleElement()
        .matches(lease -> lease.id() == leases.get(1).id())
        .matches(lease -> lease.grantedNanos() == leases.get(1).grantedNanos());
    now += LEASE_MAX;
    assertThat(books.cutOverdue(now)).hasSize(1);
  }

  @Test
  void flowsMoveToTheTaskOfTheJobThatHoldsClearlyFewer() {
    ThrottleBooks books = books(4);
    long early = session(books, "a");
    ask(books, early, 4);
    List<Lease> held = books.grant(now);
    long late = session(books, "a");
    ask(books, late, 4);
    for (int i = 0; i < 2; i++) {
      assertThat(books.renew(early, held.get(i).id(), now)).isFalse();
      books.release(early, held.get(i).id());
      assertThat(books.grant(now)).singleElement().matches(lease -> lease.session() == late);
    }
    assertThat(books.renew(early, held.get(2).id(), now)).isTrue();
    assertThat(books.renew(early, held.get(3).id(), now)).isTrue();
  }

  @Test
  void tasksTakeTurnsWhenTheyOutnumberTheFlows() {
    ThrottleBooks books = books(1);
    long first = session(books, "a");
    ask(books, first, 1);
    Lease lease = books.grant(now).get(0);
    assertThat(books.renew(first, lease.id(), now)).as("nobody else waits").isTrue();
    long second = session(books, "a");
    ask(books, second, 1);
    assertThat(books.renew(first, lease.id(), now)).isFalse();
    books.release(first, lease.id());
    assertThat(books.grant(now)).singleElement().matches(next -> next.session() == second);
  }

  @Test
  void everyJobHasItsTurnWhenJobsOutnumberFlows() {
    ThrottleBooks books = books(2);
    List<Long> open = new ArrayList<>();
    for (String job : List.of("a", "b", "c", "d", "e")) {
      long session = session(books, job);
      open.add(session);
      ask(books, session, 100);
    }
    List<String> turns = new ArrayList<>();
    List<Lease> running = new ArrayList<>(books.grant(now));
    for (int batch = 0; batch < 20; batch++) {
      Lease done = running.remove(0);
      turns.add(done.job());
      if (books.renew(done.session(), done.id(), now)) {
        running.add(done);
      } else {
        books.release(done.session(), done.id());
      }
      running.addAll(books.grant(now));
      assertThat(running).hasSize(2);
    }
    for (String job : List.of("a", "b", "c", "d", "e")) {
      assertThat(turns.stream().filter(job::equals)).hasSize(4);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noFlowIsLostOrIdleWhateverHappens(long seed) {
    Random random = new Random(seed);
    int budget = 1 + random.nextInt(12);
    ThrottleBooks books = books(budget);
    List<Long> open = new ArrayList<>();
    List<Lease> live = new ArrayList<>();
    for (int step = 0; step < 2_000; step++) {
      now += random.nextInt(50);
      String job = "job" + random.nextInt(6);
      switch (random.nextInt(9)) {
        case 0 -> announce(books, job, 0.1f + 5 * random.nextFloat());
        case 1 -> books.withdraw(job);
        case 2 -> open.add(session(books, job));
        case 3 -> {
          if (!open.isEmpty() && random.nextInt(3) == 0) {
            live.removeAll(books.closeSession(open.remove(random.nextInt(open.size()))));
          }
        }
        case 4, 5 -> {
          if (!open.isEmpty()) {
            ask(books, open.get(random.nextInt(open.size())), 1 + random.nextInt(3));
          }
        }
        case 6, 7 -> {
          if (!live.isEmpty()) {
            Lease lease = live.remove(random.nextInt(live.size()));
            assertThat(books.release(lease.session(), lease.id())).isNotNull();
          }
        }
        default -> {
          List<Long> overdue = books.cutOverdue(now).stream().map(Lease::id).toList();
          live.removeIf(lease -> overdue.contains(lease.id()));
        }
      }
      live.addAll(books.grant(now));
      check(books, budget, live);
    }
  }

  private void check(ThrottleBooks books, int budget, List<Lease> live) {
    List<ThrottleBooks.JobLine> lines = books.lines(now);
    int demand = lines.stream().mapToInt(ThrottleBooks.JobLine::demand).sum();
    Set<Long> ids = new HashSet<>();
    lines.forEach(line -> line.leases().forEach(lease -> ids.add(lease.id())));
    assertThat(ids).hasSize(Math.min(budget, demand));
    assertThat(live).extracting(Lease::id).containsExactlyInAnyOrderElementsOf(ids);
  }

  private ThrottleBooks books(int budget) {
    return new ThrottleBooks(
        budget, SharingRules.of("fair", AdminRules.NONE, job -> "alice"), EXPIRY, LEASE_MAX);
  }

  private void announce(ThrottleBooks books, String job, float weight) {
    books.announce(Transfers.shuffle(job, weight), now);
  }

  private long session(ThrottleBooks books, String job) {
    books.openSession(++sessions, job, "attempt_of_" + job);
    return sessions;
  }

  private void ask(ThrottleBooks books, long session, int flows) {
    for (int i = 0; i < flows; i++) {
      assertThat(books.request(session, ++requests)).isTrue();
    }
  }

  private int held(ThrottleBooks books, String job) {
    return line(books, job).leases().size();
  }

  private int share(ThrottleBooks books, String job) {
    return line(books, job).share();
  }

  private ThrottleBooks.JobLine line(ThrottleBooks books, String job) {
    return books.lines(now).stream().filter(l -> l.job().equals(job)).findFirst().orElseThrow();
  }
}
