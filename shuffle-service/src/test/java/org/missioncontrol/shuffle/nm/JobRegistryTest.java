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
import java.nio.ByteBuffer;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRegistryTest {
  @TempDir File root;

  @Test
  void knowsTheSecretAndUserOfAJobUntilItIsRemoved() throws IOException {
    JobRegistry jobs = new JobRegistry(null);

    assertThat(jobs.add(Jobs.alice())).isTrue();
    assertThat(jobs.secret(Jobs.ID).getEncoded()).isEqualTo(Jobs.SECRET.getBytes(UTF_8));
    assertThat(jobs.user(Jobs.ID)).isEqualTo(Jobs.USER);

    jobs.remove(Jobs.ID);
    assertThat(jobs.secret(Jobs.ID)).isNull();
    assertThat(jobs.user(Jobs.ID)).isNull();
  }

  @Test
  void addingAJobAgainChangesNothingAndANewSecretReplacesTheOld() throws IOException {
    JobRegistry jobs = new JobRegistry(null);
    jobs.add(Jobs.alice());

    assertThat(jobs.add(Jobs.alice())).isFalse();
    assertThat(jobs.add(new StoredJob(Jobs.ID, Jobs.USER, Jobs.token("new")))).isTrue();
    assertThat(jobs.secret(Jobs.ID).getEncoded()).isEqualTo("new".getBytes(UTF_8));
    assertThat(jobs.size()).isEqualTo(1);
  }

  @Test
  void aJobWithoutASecretIsRefusedAndNeverReachesTheStore() throws IOException {
    try (RecoveryStore store = RecoveryStore.open(root)) {
      JobRegistry jobs = new JobRegistry(store);

      assertThatThrownBy(() -> jobs.add(new StoredJob(Jobs.ID, Jobs.USER, Jobs.token(""))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(store.jobs()).isEmpty();
      assertThat(jobs.secret(Jobs.ID)).isNull();
    }
  }

  @Test
  void aStoredJobWithoutASecretDoesNotHinderTheOthers() throws IOException {
    try (RecoveryStore store = RecoveryStore.open(root)) {
      store.put(new StoredJob("job_1_0002", "bob", Jobs.token("")));
      store.put(Jobs.alice());
      JobRegistry jobs = new JobRegistry(store);

      assertThat(jobs.recover()).isEqualTo(1);
      assertThat(jobs.user(Jobs.ID)).isEqualTo(Jobs.USER);
    }
  }

  @Test
  void aJobThatCouldNotBeStoredMayShuffleAndIsStoredAtTheNextOccasion() throws IOException {
    RecoveryStore store = RecoveryStore.open(root);
    store.close();
    JobRegistry jobs = new JobRegistry(store);

    for (int container = 0; container < 2; container++) {
      assertThatThrownBy(() -> jobs.add(Jobs.alice())).isInstanceOf(IOException.class);
      assertThat(jobs.user(Jobs.ID)).isEqualTo(Jobs.USER);
    }
  }

  @Test
  void readsAndWritesServiceDataAsStockDoes() throws IOException {
    ByteBuffer data = ShuffleHandler.serializeServiceData(Jobs.token(Jobs.SECRET));

    assertThat(ServiceData.token(data)).isEqualTo(Jobs.token(Jobs.SECRET));
    assertThat(data.remaining()).as("left for other readers").isPositive();
    assertThat(ShuffleHandler.deserializeMetaData(ServiceData.port(13562))).isEqualTo(13562);
  }

  @Test
  void serviceDataThatIsNoTokenIsRefusedBeforeMemoryIsTaken() {
    // A vint of 2^31-1, which Token.readFields would allocate.
    ByteBuffer huge = ByteBuffer.wrap(new byte[] {-116, 127, -1, -1, -1, 0});

    assertThatThrownBy(() -> ServiceData.token(huge)).hasMessageContaining("2147483647 in 6 bytes");
    assertThatThrownBy(() -> ServiceData.token(ByteBuffer.allocate(0)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> ServiceData.token(null)).hasMessageContaining("no job token");
  }
}
