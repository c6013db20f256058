/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.shuffle.throttle.ThrottleBooks.JobLine;

/** Two jobs on ten flows, under the administrator's rules. */
class SharingRulesTest {
  private static final String FIRST = "job_1_0001";
  private static final String SECOND = "job_1_0002";
  private static final long EXPIRY = 1_000;

  @TempDir Path directory;
  private final Map<String, String> users = new HashMap<>(Map.of(FIRST, "alice", SECOND, "bob"));
  private final ThrottleBooks books =
      new ThrottleBooks(10, rules("fair", AdminRules.NONE), EXPIRY, 10_000);
  private long requests;

  @ParameterizedTest
  @CsvSource({
    "fifo, 7, 3",
    "priority, 3, 7",
    "fair, 5, 5",
    "performance-centric-by-class, 3, 7",
    "performance-centric-by-machines, 2, 8",
  })
  void thePolicyOfTheFileSharesTheFlows(String policy, int flowsOfFirst, int flowsOfSecond)
      throws Exception {
    books.announce(Transfers.of(FIRST, "default", "LOW", "shuffle", 2, 1), 0);
    books.announce(Transfers.of(SECOND, "default", "HIGH", "broadcast", 3, 1), 0);
    wantTen(FIRST);
    wantTen(SECOND);
    books.setRules(rules("fair", file("policy=" + policy)));
    books.grant(0);
    assertThat(line(FIRST).leases()).hasSize(flowsOfFirst);
    assertThat(line(SECOND).leases()).hasSize(flowsOfSecond);
  }

  @Test
  void aLateJobTakesNothingFromItsBetterWhoeverIsInTheBooksFirst() throws Exception {
    wantTen(SECOND);
    wantTen(FIRST);
    books.setRules(rules("fifo", AdminRules.NONE));
    assertThat(line(FIRST).share()).isEqualTo(7);
    assertThat(line(SECOND).share()).isEqualTo(3);
  }

  @Test
  void factorsAndCapsMakeTheWeightAndBothAreInTheLine() throws Exception {
    books.announce(Transfers.of(FIRST, "prod", "NORMAL", "shuffle", 1, 2), 0);
    wantTen(FIRST);
    wantTen(SECOND);
    books.setRules(
        rules("fair", file("user.alice.weight=3\nqueue.prod.weight=2\nuser.alice.weight-cap=4")));
    assertThat(line(FIRST).wantedWeight()).isEqualTo(12);
    assertThat(line(FIRST).weightCap()).isEqualTo(4);
    assertThat(line(FIRST).weight()).isEqualTo(4);
    assertThat(line(FIRST).share()).isEqualTo(8);
    books.setRules(rules("fair", AdminRules.NONE));
    assertThat(line(FIRST).weight()).isEqualTo(2);
    assertThat(line(FIRST).share()).isEqualTo(7);
  }

  @Test
  void theUserIsWhoTheHostKnowsNotWhoTheDescriptorSays() throws Exception {
    users.put(FIRST, "mallory");
    books.announce(Transfers.of(FIRST, "default", "NORMAL", "shuffle", 1, 50), 0);
    books.setRules(rules("fair", file("user.mallory.weight-cap=1\nuser.alice.weight=100")));
    assertThat(line(FIRST).weight()).isEqualTo(1);
  }

  @Test
  void aJobThatDoesNotAnnounceItselfIsCappedAllTheSame() throws Exception {
    wantTen(FIRST);
    wantTen(SECOND);
    books.setRules(rules("fair", file("user.bob.weight-cap=0.25")));
    assertThat(line(SECOND).weight()).isEqualTo(0.25f);
    assertThat(line(FIRST).share()).isEqualTo(8);
  }

  @Test
  void anAnnouncementThatExpiresTakesItsFactsWithIt() throws Exception {
    books.setRules(rules("priority", AdminRules.NONE));
    books.announce(Transfers.of(FIRST, "default", "VERY_HIGH", "shuffle", 1, 6), 0);
    wantTen(FIRST);
    assertThat(line(FIRST).weight()).isEqualTo(10);
    books.grant(EXPIRY);
    assertThat(line(FIRST).weight()).isEqualTo(1);
  }

  private void wantTen(String job) {
    books.openSession(users.get(job).hashCode(), job, "attempt_of_" + job);
    for (int i = 0; i < 10; i++) {
      books.request(users.get(job).hashCode(), ++requests);
    }
  }

  private SharingRules rules(String configured, AdminRules file) {
    return SharingRules.of(configured, file, users::get);
  }

  private AdminRules file(String text) throws Exception {
    return AdminRules.parse(Files.writeString(directory.resolve("rules.properties"), text));
  }

  private JobLine line(String job) {
    return books.lines(0).stream().filter(l -> l.job().equals(job)).findFirst().orElseThrow();
  }
}
