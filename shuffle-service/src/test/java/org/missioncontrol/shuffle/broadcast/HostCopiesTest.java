/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.broadcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.broadcast.HostCopies.Claim;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

class HostCopiesTest {
  private static final String MAP = "attempt_1_1_m_000007_0";
  private static final byte[] BODY = "a map output".getBytes(UTF_8);
  private static final MapOutputHeader HEADER = new MapOutputHeader(MAP, BODY.length, 40, 0);

  @TempDir Path directory;
  private HostCopies one;
  private HostCopies other;

  @BeforeEach
  void open() throws IOException {
    one = HostCopies.open(List.of(directory), 1_000);
    other = HostCopies.open(List.of(directory), 1_000);
  }

  @AfterEach
  void close() throws IOException {
    one.close();
    other.close();
  }

  private CopyBeingMade claimed() throws IOException {
    return ((Claim.Mine) one.claim(MAP, 7)).copy();
  }

  @Test
  void whatOneHasFetchedTheOthersRead() throws Exception {
    try (CopyBeingMade made = claimed()) {
      made.begin(HEADER);
      made.write(BODY, 0, 5);
      assertThat(other.complete()).isEmpty();
      made.write(BODY, 5, BODY.length - 5);
      assertThat(made.publish()).isTrue();
    }
    assertThat(other.complete()).containsExactly(MAP);
    assertThat(other.claim(MAP, 7)).isEqualTo(new Claim.Others());
    try (CompleteCopy copy = other.read(MAP)) {
      assertThat(copy.header()).isEqualTo(HEADER);
      assertThat(copy.bytes().readAllBytes()).isEqualTo(BODY);
    }
  }

  @Test
  void whileOneFetchesTheOthersDoNot() throws Exception {
    try (CopyBeingMade made = claimed()) {
      assertThat(other.claim(MAP, 7)).isEqualTo(new Claim.Others());
      assertThat(other.claim("attempt_1_1_m_000007_1", 7))
          .as("another attempt of the map")
          .isEqualTo(new Claim.Others());
      assertThat(other.claim("attempt_1_1_m_000008_0", 8)).isInstanceOf(Claim.Mine.class);
    }
    assertThat(other.claim(MAP, 7)).isInstanceOf(Claim.Mine.class);
  }

  @Test
  void aCopyThatIsShortIsNeverPublished() throws Exception {
    try (CopyBeingMade made = claimed()) {
      made.begin(HEADER);
      made.write(BODY, 0, BODY.length - 1);
      assertThat(made.publish()).isFalse();
    }
    assertThat(other.complete()).isEmpty();
    assertThatThrownBy(() -> other.read(MAP)).isInstanceOf(NoSuchFileException.class);
    assertThat(other.progress(MAP)).as("what is left of it").isZero();
  }

  @Test
  void beyondTheLimitEveryoneFetchesForItself() throws Exception {
    try (CopyBeingMade made = claimed()) {
      made.begin(new MapOutputHeader(MAP, 1_001, 2_000, 0));
      made.write(BODY, 0, BODY.length);
      assertThat(made.publish()).as("too large a copy").isFalse();
    }
    Files.write(directory.resolve("mission-control-broadcast/any.copy"), new byte[1_000]);
    other.complete();
    assertThat(other.claim(MAP, 7)).isEqualTo(new Claim.NoRoom());
  }

  @Test
  void nobodyElseMayReadThem() throws Exception {
    assertThat(Files.getPosixFilePermissions(directory.resolve("mission-control-broadcast")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void theFirstLocalDirectoryThatTakesThemHasThem() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    Path good = Files.createDirectory(directory.resolve("good"));
    try (HostCopies copies = HostCopies.open(List.of(file, good), 1_000)) {
      assertThat(copies).asString().startsWith(good.toString());
    }
    assertThatThrownBy(() -> HostCopies.open(List.of(file), 1_000))
        .isInstanceOf(IOException.class)
        .satisfies(failure -> assertThat(failure.getSuppressed()[0]).hasMessageContaining("file"));
  }
}
