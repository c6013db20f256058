/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.yarn.server.records.Version;
import org.apache.hadoop.yarn.server.records.impl.pb.VersionPBImpl;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.Options;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts of the NodeManager, with the class swapped or not. */
class RecoveryTest {
  private static final String MAP = "attempt_1111111111111_0001_m_000000_0";

  @TempDir Path root;

  @BeforeEach
  void writeAMapOutput() throws Exception {
    ServiceRun.outputs(root).write(MAP, "a", "b");
  }

  @Test
  void aJobShufflesOnAfterARestartUntilItEnds() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      assertThat(run.client().status(MAP)).as("before the job").isEqualTo(401);
      run.addAlice();
      assertThat(run.client().status(MAP)).isEqualTo(200);
    }
    try (ServiceRun run = ServiceRun.ours(root)) {
      assertThat(run.client().status(MAP)).as("recovered").isEqualTo(200);
      run.stopAlice();
      assertThat(run.client().status(MAP)).as("ended").isEqualTo(401);
    }
    try (ServiceRun run = ServiceRun.ours(root)) {
      assertThat(run.client().status(MAP)).as("ended for good").isEqualTo(401);
    }
  }

  @Test
  void weContinueWhatStockWrote() throws Exception {
    try (ServiceRun run = ServiceRun.stock(root)) {
      run.addAlice();
    }
    try (ServiceRun run = ServiceRun.ours(root)) {
      assertThat(run.client().fetch(1, false, MAP)).containsEntry(MAP, "b");
    }
  }

  @Test
  void stockContinuesWhatWeWroteAndForgetsWhatWeRemoved() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.addAlice();
    }
    try (ServiceRun run = ServiceRun.stock(root)) {
      assertThat(run.client().fetch(1, false, MAP)).containsEntry(MAP, "b");
    }
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.stopAlice();
    }
    try (ServiceRun run = ServiceRun.stock(root)) {
      assertThat(run.client().status(MAP)).isEqualTo(401);
    }
  }

  @Test
  void aStoreOfAnotherMajorVersionStopsTheStartAndIsNotTouched() throws Exception {
    try (ServiceRun run = ServiceRun.ours(root)) {
      run.addAlice();
    }
    storeVersion(Version.newInstance(2, 1));
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> ServiceRun.ours(root))
          .hasMessageContaining("Incompatible version for state DB schema:");
    }
    storeVersion(Version.newInstance(1, 1));
    try (ServiceRun run = ServiceRun.ours(root)) {
      assertThat(run.client().status(MAP)).isEqualTo(200);
    }
  }

  private void storeVersion(Version version) throws Exception {
    File directory = root.resolve("recovery/mapreduce_shuffle_state").toFile();
    try (DB db = JniDBFactory.factory.open(directory, new Options())) {
      db.put(
          "shuffle-schema-version".getBytes(StandardCharsets.UTF_8),
          ((VersionPBImpl) version).getProto().toByteArray());
    }
  }
}
