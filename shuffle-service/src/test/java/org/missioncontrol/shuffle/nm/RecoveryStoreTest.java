/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.server.records.Version;
import org.apache.hadoop.yarn.server.records.impl.pb.VersionPBImpl;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryStoreTest {
  @TempDir File root;

  @Test
  void keepsJobsOverReopeningUntilTheyAreRemoved() throws IOException {
    try (RecoveryStore store = RecoveryStore.open(root)) {
      store.put(Jobs.alice());
      store.put(new StoredJob("job_1_123456", "bob", Jobs.token("b")));
    }
    try (RecoveryStore store = RecoveryStore.open(root)) {
      assertThat(store.jobs())
          .containsExactly(Jobs.alice(), new StoredJob("job_1_123456", "bob", Jobs.token("b")));
      store.remove(Jobs.ID);
      store.remove("job_1_0404");
    }
    try (RecoveryStore store = RecoveryStore.open(root)) {
      assertThat(store.jobs()).extracting(StoredJob::id).containsExactly("job_1_123456");
    }
  }

  @Test
  void aMinorVersionIsTakenOverAndOverwritten() throws IOException {
    RecoveryStore.open(root).close();
    storeVersion(Version.newInstance(1, 1));

    RecoveryStore.open(root).close();

    assertThat(raw(RecoveryStore.VERSION_KEY)).isEqualTo(bytes(Version.newInstance(1, 0)));
  }

  @Test
  void aMajorVersionIsRefusedAndTheStoreLeftAsItIs() throws IOException {
    RecoveryStore.open(root).close();
    storeVersion(Version.newInstance(2, 1));

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> RecoveryStore.open(root))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Incompatible version for state DB schema:");
    }
    assertThat(raw(RecoveryStore.VERSION_KEY)).isEqualTo(bytes(Version.newInstance(2, 1)));
  }

  @Test
  void aBadEntryIsNamed() throws IOException {
    RecoveryStore.open(root).close();
    try (DB db = rawStore()) {
      db.put("job_1_0007".getBytes(UTF_8), "no protobuf".getBytes(UTF_8));
    }
    try (RecoveryStore store = RecoveryStore.open(root)) {
      assertThatThrownBy(store::jobs)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("job_1_0007")
          .hasMessageContaining(root.toString());
    }
  }

  @Test
  void aCorruptStoreIsRefusedWithWhatToDo() throws IOException {
    RecoveryStore.open(root).close();
    Path current = root.toPath().resolve(RecoveryStore.DIRECTORY).resolve("CURRENT");
    Files.writeString(current, "rubbish");

    assertThatThrownBy(() -> RecoveryStore.open(root))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(RecoveryStore.DIRECTORY)
        .hasMessageContaining("move it away");
  }

  @Test
  void aStoreThatAnotherServiceHoldsIsRefused() throws IOException {
    try (RecoveryStore held = RecoveryStore.open(root)) {
      assertThatThrownBy(() -> RecoveryStore.open(root))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(held.toString())
          .hasMessageContaining("lock");
    }
    RecoveryStore.open(root).close();
  }

  @Test
  void afterCloseNothingReachesTheNativeStore() throws IOException {
    RecoveryStore store = RecoveryStore.open(root);
    store.close();
    store.close();

    assertThatThrownBy(() -> store.put(Jobs.alice())).hasMessageContaining("closed");
    assertThatThrownBy(() -> store.remove(Jobs.ID)).hasMessageContaining("closed");
    assertThatThrownBy(store::jobs).hasMessageContaining("closed");
  }

  @Test
  void aJobDoesNotPrintItsSecret() {
    assertThat(List.of(Jobs.alice()).toString()).contains(Jobs.ID).doesNotContain(Jobs.SECRET);
  }

  private DB rawStore() throws IOException {
    return JniDBFactory.factory.open(new File(root, "mapreduce_shuffle_state"), new Options());
  }

  private byte[] raw(String key) throws IOException {
    try (DB db = rawStore()) {
      return db.get(key.getBytes(UTF_8));
    }
  }

  private void storeVersion(Version version) throws IOException {
    try (DB db = rawStore()) {
      db.put("shuffle-schema-version".getBytes(UTF_8), bytes(version));
    }
  }

  private static byte[] bytes(Version version) {
    return ((VersionPBImpl) version).getProto().toByteArray();
  }
}
