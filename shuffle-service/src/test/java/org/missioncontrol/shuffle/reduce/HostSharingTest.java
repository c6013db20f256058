/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.broadcast.CopyBeingMade;
import org.missioncontrol.shuffle.broadcast.HostCopies;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

class HostSharingTest {
  private static final MapServer FAR = new MapServer("far", 13562, "");
  private static final MapServer OWN = new MapServer("own", 13562, "");
  private static final MapAttempt MAP = new MapAttempt("attempt_1_1_m_000001_0", 1);

  @TempDir Path directory;
  private HostSharing one;
  private HostSharing other;
  private long now = 1_000;

  @BeforeEach
  void open() throws IOException {
    one = sharing();
    other = sharing();
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
  }

  private HostSharing sharing() throws IOException {
    return new HostSharing(HostCopies.open(List.of(directory), 1 << 20), "own");
  }

  private CopyBeingMade fetching() {
    assertThat(one.mayFetch(FAR, MAP, now)).isTrue();
    CopyBeingMade copy = one.copiesOf(List.of(MAP)).get(MAP);
    copy.begin(new MapOutputHeader(MAP.id(), 4, 4, 0));
    return copy;
  }

  private boolean otherMayFetch() {
    return other.mayFetch(FAR, MAP, now);
  }

  @Test
  void oneFetchesAndTheOthersFindTheCopy() {
    CopyBeingMade copy = fetching();
    assertThat(otherMayFetch()).isFalse();
    copy.write("body".getBytes(UTF_8), 0, 4);
    copy.publish();
    one.ended(List.of(MAP));
    now += HostSharing.LOOK_MS;
    assertThat(other.complete(now)).containsExactly(MAP.id());
    assertThat(otherMayFetch()).as("while the copy waits to be read").isFalse();
  }

  @Test
  void whoFailedLeavesTheOutputToOthers() {
    fetching();
    one.ended(List.of(MAP));
    assertThat(otherMayFetch()).isTrue();
  }

  @Test
  void whoMakesNoProgressIsNotWaitedFor() {
    CopyBeingMade copy = fetching();
    assertThat(otherMayFetch()).isFalse();
    now += HostSharing.STUCK_MS - 1;
    assertThat(otherMayFetch()).isFalse();
    now += 1;
    assertThat(otherMayFetch()).isTrue();
    assertThat(other.copiesOf(List.of(MAP))).as("for itself alone").isEmpty();
    copy.close();
  }

  @Test
  void mapOutputsOfThisHostAreReadWhereTheyLie() {
    assertThat(one.mayFetch(OWN, MAP, now)).isTrue();
    assertThat(one.copiesOf(List.of(MAP))).isEmpty();
    assertThat(other.mayFetch(OWN, MAP, now)).isTrue();
  }

  @Test
  void aCopyThatCannotBeReadIsFetched() {
    CopyBeingMade copy = fetching();
    copy.write("body".getBytes(UTF_8), 0, 4);
    copy.publish();
    one.ended(List.of(MAP));
    other.complete(now);
    other.useless(MAP, new EOFException("short"));
    now += HostSharing.LOOK_MS;
    assertThat(other.complete(now)).isEmpty();
    assertThat(otherMayFetch()).isTrue();
  }

  @Test
  void withoutTheDirectoryEveryoneFetchesForItself() throws Exception {
    Path copies = directory.resolve("mission-control-broadcast");
    Files.delete(copies.resolve("claims"));
    Files.delete(copies);
    assertThat(one.complete(now)).isEmpty();
    assertThat(one.mayFetch(FAR, MAP, now)).isTrue();
    assertThat(one.copiesOf(List.of(MAP))).isEmpty();
  }
}
