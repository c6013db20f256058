/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.shuffle.wire.TlsProof;

/** What the server refuses to a connection in clear. */
@Timeout(60)
class EncryptedOnlyTest {
  private static final String URI =
      "/mapOutput?job="
          + MapOutputs.JOB
          + "&reduce=0&map="
          + MapOutputs.attempt(0)
          + "&mission-control=1";

  @TempDir Path dir;
  private final Counts counts = new Counts();

  private String status(String uri) throws Exception {
    MapOutputs outputs = new MapOutputs(dir).write(0, MapOutputs.bytes(50_000, 1));
    try (ShuffleServer server = Servers.start(Servers.config(), outputs, counts);
        RawClient client = new RawClient(server.port())) {
      String hash = JobHash.of(server.port() + uri, Secrets.KEY);
      return client.send(RawClient.request("GET", uri, hash)).reply().status();
    }
  }

  @Test
  void aRequestThatWantsEncryptionGetsNoOutputInClear() throws Exception {
    assertThat(status(URI)).contains("200");
    assertThat(status(URI + "&mission-control-encrypted-only=true")).contains("403");
    assertThat(counts.of(ServerCounter.CLEAR_REQUESTS_REFUSED)).isEqualTo(1);
    assertThat(counts.of(ServerCounter.ENCRYPTED_BYTES)).isZero();
  }

  @Test
  void nothingIsProvedInClear() throws Exception {
    assertThat(status(TlsProof.uri(MapOutputs.JOB, "0".repeat(64)))).contains("400");
  }
}
