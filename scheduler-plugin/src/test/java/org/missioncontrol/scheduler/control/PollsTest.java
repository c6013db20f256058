/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.missioncontrol.scheduler.control.HostView.TransferView;
import org.missioncontrol.scheduler.security.JobHash;

/** The NodeManager's end of messages that wait for news, in virtual time. */
class PollsTest {
  private static final long WAIT_MS = 5000;

  private final ControlServers time = new ControlServers();
  private final Secrets secrets = new Secrets();
  private final Host host = new Host();
  private ControlServer server = serverWithPlaces(1000);
  private long sequence;
  private long restMs;

  @Test
  void aMessageWaitsUntilItsTimeIsOver() throws Exception {
    String state = state(job(1));
    CompletableFuture<ControlReply> poll = poll(job(1), state);
    time.pass(WAIT_MS - 1);
    assertThat(poll).isNotDone();
    assertThat(server.waiting()).isEqualTo(1);
    time.pass(1);
    assertThat(answer(poll).state()).isEqualTo(state);
    assertThat(server.waiting()).isZero();
  }

  @Test
  void whoHasNotSeenTheStateIsAnsweredAtOnce() throws Exception {
    assertThat(poll(job(1), "another")).isDone();
    assertThat(poll(job(1), null)).isDone();
  }

  @Test
  void aChangedShareWakesEveryoneAndAGrantNobody() throws Exception {
    CompletableFuture<ControlReply> first = poll(job(1), state(job(1)));
    CompletableFuture<ControlReply> second = poll(job(2), state(job(2)));
    time.pass(1000);
    host.flows = 3;
    server.changed();
    time.pass(1000);
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    host.share = 7;
    server.changed();
    time.pass(Polls.GAP_MS + 10);
    assertThat(answer(first).view().transfers().get(0).share()).isEqualTo(7);
    assertThat(second).isDone();
  }

  @Test
  void changesInQuickSuccessionAreAnsweredTogether() throws Exception {
    int answers = 0;
    CompletableFuture<ControlReply> poll = poll(job(1), state(job(1)));
    for (int ms = 0; ms < 10_000; ms++) {
      host.share++;
      server.changed();
      time.pass(1);
      if (poll.isDone()) {
        answers++;
        poll = poll(job(1), answer(poll).state());
      }
    }
    assertThat(answers).isBetween(50, 100);
  }

  @Test
  void aChangeBetweenTheAnswerAndTheWaitingIsNotMissed() throws Exception {
    String state = state(job(1));
    host.afterNextView =
        () -> {
          host.share = 9;
          server.changed();
        };
    CompletableFuture<ControlReply> poll = poll(job(1), state);
    time.pass(1000);
    assertThat(answer(poll).view().transfers().get(0).share()).isEqualTo(9);
  }

  @Test
  void anOrderOfItsJobWakesAMessageAtOnce() throws Exception {
    CompletableFuture<ControlReply> poll = poll(job(1), state(job(1)));
    CompletableFuture<ControlReply> other = poll(job(2), state(job(2)));
    server.urgent(job(1));
    assertThat(poll).isDone();
    assertThat(other).isNotDone();
  }

  @Test
  void aNewerMessageOfTheJobReleasesTheOneThatWaits() throws Exception {
    CompletableFuture<ControlReply> older = poll(job(1), state(job(1)));
    CompletableFuture<ControlReply> newer = poll(job(1), state(job(1)));
    assertThat(older).isDone();
    state(job(1));
    assertThat(newer).isDone();
    assertThat(server.waiting()).isZero();
  }

  @Test
  void whatAMessageChangesIsToldByTheOlderOneAndItWaitsInItsPlace() throws Exception {
    CompletableFuture<ControlReply> older = poll(job(1), state(job(1)));
    String seen = state(job(2));
    CompletableFuture<ControlReply> others = poll(job(2), seen);
    host.beforeAnnounced =
        () -> {
          host.share = 8;
          server.changed();
        };
    CompletableFuture<ControlReply> newer = poll(job(1), seen);
    assertThat(answer(older).view().transfers().get(0).share()).isEqualTo(8);
    time.pass(1000);
    assertThat(newer).isNotDone();
    assertThat(others).isDone();
    host.share = 9;
    server.changed();
    time.pass(1000);
    assertThat(newer).isDone();
  }

  @Test
  void whatAMessageChangesIsToldAtOnceWhenTheOlderOneGoesMeanwhile() throws Exception {
    String seen = state(job(1));
    poll(job(1), seen);
    host.beforeAnnounced = () -> host.share = 8;
    host.whenItWaits = () -> time.pass(WAIT_MS);
    CompletableFuture<ControlReply> newer = poll(job(1), seen);
    assertThat(answer(newer).view().transfers().get(0).share()).isEqualTo(8);
    assertThat(server.waiting()).isZero();
    assertThat(host.waits).endsWith("1 for 0");
  }

  @Test
  void newsOfSharesAloneComeWhenTheRestIsOver() throws Exception {
    restMs = 3000;
    CompletableFuture<ControlReply> poll = poll(job(1), state(job(1)));
    host.share = 8;
    server.changed();
    time.pass(2999);
    assertThat(poll).isNotDone();
    time.pass(Polls.GAP_MS + 10);
    assertThat(answer(poll).view().transfers().get(0).share()).isEqualTo(8);
    restMs = 0;
  }

  @Test
  void otherNewsComeWhateverTheRest() throws Exception {
    restMs = 3000;
    CompletableFuture<ControlReply> poll = poll(job(1), state(job(1)));
    time.pass(500);
    host.ruleTransport = "reno";
    server.changed();
    time.pass(Polls.GAP_MS + 10);
    assertThat(answer(poll).ruleTransport()).isEqualTo("reno");
  }

  @Test
  void sharesThatAreBackWhenTheRestIsOverAreNoNews() throws Exception {
    restMs = 3000;
    CompletableFuture<ControlReply> poll = poll(job(1), state(job(1)));
    host.share++;
    server.changed();
    time.pass(1000);
    host.share--;
    server.changed();
    time.pass(WAIT_MS - 1001);
    assertThat(poll).isNotDone();
    time.pass(1);
    assertThat(poll).isDone();
  }

  @Test
  void whoeverGoesFreesThePlace() throws Exception {
    CompletableFuture<ControlReply> poll = poll(job(1), state(job(1)));
    poll.cancel(false);
    assertThat(server.waiting()).isZero();
  }

  @Test
  void theRegistryHearsWhenAMessageBeginsToWaitAndWhenNoneWaitsAnyMore() throws Exception {
    poll(job(1), state(job(1)));
    assertThat(host.waits).containsExactly("1 for 5000");
    time.pass(1000);
    poll(job(1), state(job(1)));
    assertThat(host.waits).as("of a newer one in its place").hasSize(2).endsWith("1 for 5000");
    time.pass(WAIT_MS);
    assertThat(host.waits).hasSize(3).endsWith("1 for 0");
    poll(job(1), state(job(1))).cancel(false);
    assertThat(host.waits).as("of a connection that broke").hasSize(5).endsWith("1 for 0");
    poll(job(1), state(job(1)));
    host.share++;
    server.changed();
    time.pass(1000);
    assertThat(host.waits).as("of news").hasSize(7).endsWith("1 for 0");
  }

  @Test
  void withoutAPlaceTheMessageIsTakenAndTheWaitingRefused() throws Exception {
    server = serverWithPlaces(2);
    poll(job(1), state(job(1)));
    poll(job(2), state(job(2)));
    String state = state(job(3));
    CompletableFuture<ControlReply> third = poll(job(3), state);
    assertThat(third.join().status()).isEqualTo(429);
    assertThat(host.announced).contains(job(3));
    poll(job(2), state(job(2)));
    assertThat(server.waiting()).isEqualTo(2);
  }

  @Test
  void theJobsEndReleasesWhatWaits() throws Exception {
    CompletableFuture<ControlReply> poll = poll(job(1), state(job(1)));
    server.forget(job(1));
    assertThat(poll).isDone();
  }

  @Test
  void aThousandIdleTransfersAreAnsweredOnceEachWaitAndTheHostIsSeldomLookedAt() throws Exception {
    int jobs = 1000;
    List<CompletableFuture<ControlReply>> polls = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      polls.add(poll(job(i), state(job(i))));
    }
    int looksBefore = host.looks;
    long messages = 0;
    for (int second = 0; second < 60; second++) {
      server.changed();
      time.pass(1000);
      for (int i = 0; i < jobs; i++) {
        if (polls.get(i).isDone()) {
          messages++;
          polls.set(i, poll(job(i), answer(polls.get(i)).state()));
        }
      }
    }
    assertThat(messages).isBetween(60L * jobs / 6, 60L * jobs / 5);
    assertThat(host.looks - looksBefore).isLessThan((int) (2 * messages + 200));
  }

  @Test
  void aHostWithManyTransfersShowsSomeOfThemAndTheJobsOwn() throws Exception {
    host.jobs = IntStream.range(0, 500).mapToObj(PollsTest::job).toList();
    HostAnswer answer = answer(poll(job(499), null));
    assertThat(answer.view().transfers()).hasSize(HostAnswer.MAX_TRANSFERS);
    assertThat(answer.view().transfers().get(0).job()).isEqualTo(job(499));
  }

  private ControlServer serverWithPlaces(int most) {
    return time.server(secrets, any -> true, host, ControlServers.none(secrets), most);
  }

  private static String job(int number) {
    return "job_1700000000000_" + String.format("%04d", number);
  }

  private String state(String job) throws Exception {
    return answer(poll(job, null)).state();
  }

  private static HostAnswer answer(CompletableFuture<ControlReply> reply) throws Exception {
    assertThat(reply).isDone();
    assertThat(reply.join().status()).isEqualTo(200);
    return ControlCodec.decodeAnswer(reply.join().body());
  }

  private CompletableFuture<ControlReply> poll(String job, String seen) throws Exception {
    secrets.with(job, Secrets.key("secret"));
    TransferDescriptor transfer =
        new TransferDescriptor(2, job, "ann", "q", "NORMAL", "shuffle", 1, 1, 1, 1, "default");
    String body =
        ControlCodec.encode(
            seen == null
                ? Announcement.now(transfer, null)
                : Announcement.poll(transfer, null, seen, WAIT_MS, restMs));
    String number = Long.toString(++sequence);
    String path = ControlProtocol.TRANSFER_PATH;
    String signed = ControlProtocol.signedRequest("n:1", "PUT", path, job, number, body);
    return server.handle(
        new ControlRequest(
            "PUT", path, "n:1", job, number, JobHash.of(signed, Secrets.key("secret")), body));
  }

  /** A host that says what the test wants. */
  private static final class Host implements TransferRegistry {
    private final List<String> announced = new ArrayList<>();
    private List<String> jobs = List.of(job(1), job(2));
    private int share = 5;
    private int flows;
    private int looks;
    private final List<String> waits = new ArrayList<>();
    private Runnable afterNextView = () -> {};
    private Runnable beforeAnnounced = () -> {};
    private Runnable whenItWaits = () -> {};
    private @Nullable String ruleTransport;

    @Override
    public HostView announce(TransferDescriptor transfer) {
      announced.add(transfer.job());
      Runnable next = beforeAnnounced;
      beforeAnnounced = () -> {};
      next.run();
      return view();
    }

    @Override
    public HostView view() {
      looks++;
      HostView view =
          new HostView(
              2,
              "fair",
              20,
              flows,
              jobs.stream().map(job -> new TransferView(job, 1, 1, 9, share, flows)).toList(),
              List.of("cubic"));
      Runnable next = afterNextView;
      afterNextView = () -> {};
      next.run();
      return view;
    }

    @Override
    public @Nullable String ruleTransport(String job) {
      return ruleTransport;
    }

    @Override
    public void waits(String job, long forMs) {
      waits.add(job.substring(job.length() - 1) + " for " + forMs);
      Runnable next = whenItWaits;
      whenItWaits = () -> {};
      next.run();
    }

    @Override
    public HostView withdraw(String job) {
      return view();
    }
  }
}
