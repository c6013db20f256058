/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlCodecTest {
  private static final TransferDescriptor TRANSFER =
      new TransferDescriptor(
          1,
          "job_1700000000000_0001",
          "ann",
          "root.a",
          "HIGH",
          "shuffle",
          17,
          3,
          1L << 40,
          2.5f,
          "cubic");

  @Test
  void aDescriptorComesBackAsItWentOut() throws ControlException {
    assertThat(ControlCodec.decodeDescriptor(ControlCodec.encode(TRANSFER))).isEqualTo(TRANSFER);
  }

  @Test
  void aHostViewComesBackAsItWentOut() throws ControlException {
    HostView view =
        new HostView(
            1,
            "fifo",
            20,
            7,
            List.of(new HostView.TransferView("job_1_0002", 3, 2, 9, 5, 4)),
            List.of("reno", "cubic"));
    assertThat(ControlCodec.decodeHostView(ControlCodec.encode(view))).isEqualTo(view);
  }

  @Test
  void whatConcernsOneHostComesBackAsItWentOut() throws ControlException {
    TransferDescriptor local =
        TRANSFER.with(new LocalPart(true, 3, Map.of("attempt_1_1_r_000001_0", 1L << 40)));
    assertThat(ControlCodec.decodeDescriptor(ControlCodec.encode(local))).isEqualTo(local);
    HostView view =
        new HostView(1, "fair", 20, 7, List.of(), List.of())
            .with(new StoredBytes(2, List.of(0L, 5L)));
    assertThat(ControlCodec.decodeHostView(ControlCodec.encode(view))).isEqualTo(view);
  }

  @Test
  void anOlderSenderHasNothingForOneHost() throws ControlException {
    String message = ControlCodec.encode(TRANSFER);
    String older = message.replaceFirst(",\"local\":\\{.*?\\}\\}", "");
    assertThat(older).isNotEqualTo(message);
    assertThat(ControlCodec.decodeDescriptor(older)).isEqualTo(TRANSFER);
  }

  @Test
  void sizesOutOfBoundsAreRefused() throws ControlException {
    Map<String, Long> many =
        IntStream.rangeClosed(0, LocalPart.MAX_TASKS)
            .boxed()
            .collect(Collectors.toMap(i -> "r" + i, i -> 1L));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.encode(TRANSFER.with(new LocalPart(false, 0, many))))
        .withMessageContaining("too many tasks");
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(
            () -> ControlCodec.encode(TRANSFER.with(new LocalPart(false, 0, Map.of("r", -1L)))))
        .withMessageContaining("wantedBytes");
    HostView view = new HostView(1, "fair", 20, 7, List.of(), List.of());
    String tooMany =
        ControlCodec.encode(
            view.with(new StoredBytes(1, Collections.nCopies(StoredBytes.MAX_PARTITIONS + 1, 1L))));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeHostView(tooMany))
        .withMessageContaining("too many partitions");
    String negative = ControlCodec.encode(view.with(new StoredBytes(1, List.of(-1L))));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeHostView(negative))
        .withMessageContaining("partitionBytes");
  }

  @Test
  void aFieldOfALaterVersionIsIgnored() throws ControlException {
    String later = ControlCodec.encode(TRANSFER).replaceFirst("\\{", "{\"later\":[[{}]],");
    assertThat(ControlCodec.decodeDescriptor(later)).isEqualTo(TRANSFER);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\":1        | \"version\":2           | version",
        "\"weight\":2.5       | \"weight\":0            | weight",
        "\"weight\":2.5       | \"weight\":-1           | weight",
        "\"weight\":2.5       | \"weight\":1000001      | weight",
        "\"weight\":2.5       | \"weight\":1e999        | weight",
        "\"weight\":2.5       | \"weight\":\"NaN\"      | weight",
        "\"weight\":2.5       | \"weight\":null         | JSON",
        "\"machines\":3       | \"machines\":-1         | machines",
        "\"machines\":3       | \"machines\":99999999999| JSON",
        "\"machines\":3       | \"machines\":\"3\"      | JSON",
        "\"bytesKnown\"       | \"bytesUnknown\"        | JSON",
        "\"bytesKnown\":1     | \"bytesKnown\":-1       | bytesKnown",
        "\"submitTimeMs\":17  | \"submitTimeMs\":-17    | submitTimeMs",
        "\"user\":\"ann\"     | \"user\":null           | user",
        "\"user\":\"ann\"     | \"user\":\"a\\u0000\"   | user",
        "\"user\":\"ann\"     | \"user\":{\"a\":1}      | JSON",
        "\"user\"             | \"queue\"               | JSON",
        "job_1700000000000_   | job_                    | job",
        "job_1700000000000_   | ../job_1_               | job",
      })
  void aDescriptorOutOfBoundsIsRefused(String good, String bad, String named)
      throws ControlException {
    String message = ControlCodec.encode(TRANSFER);
    assertThat(message).contains(good);
    String broken = message.replace(good, bad.replace("\\u0000", "\\u0007"));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeDescriptor(broken))
        .withMessageContaining(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "3", "{", "{}", "{} {}", "\"a\"", "\u0000"})
  void whatIsNoMessageIsRefused(String body) {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeDescriptor(body));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeHostView(body));
  }

  @Test
  void deepNestingIsRefusedWithoutDeepRecursion() {
    String deep = "[".repeat(60_000);
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeDescriptor(deep));
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeDescriptor("{\"later\":" + deep));
  }

  @Test
  void longTextIsRefused() {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.encode(TRANSFER.withUser("u".repeat(257))))
        .withMessageContaining("user");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"version\":2,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[]}",
        "{\"version\":1,\"policy\":\"fair\",\"budget\":-1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[]}",
        "{\"version\":1,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"congestionControls\":[]}",
        "{\"version\":1,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"transfers\":[null],\"congestionControls\":[]}",
        "{\"version\":1,\"policy\":\"fair\",\"budget\":1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[null]}",
        "{\"version\":1,\"budget\":1,\"inUse\":0,\"transfers\":[],\"congestionControls\":[]}",
      })
  void aHostViewOutOfBoundsIsRefused(String body) {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ControlCodec.decodeHostView(body));
  }
}
