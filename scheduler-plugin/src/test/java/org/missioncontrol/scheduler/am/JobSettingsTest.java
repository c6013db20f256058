/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.conf.Keys;

class JobSettingsTest {
  private final Configuration conf = new Configuration(false);
  private final List<String> warnings = new ArrayList<>();

  @Test
  void whatTheJobSaysIsTaken() {
    conf.set(Keys.Transfer.WEIGHT_KEY, "2.5");
    conf.set(Keys.Transfer.TRANSPORT_KEY, " Cubic ");
    conf.set("mapreduce.job.priority", "HIGH");
    JobSettings settings = JobSettings.from(conf, warnings::add);
    assertThat(settings.weight()).isEqualTo(2.5f);
    assertThat(settings.transport()).isEqualTo("cubic");
    assertThat(settings.am().priority()).isEqualTo("HIGH");
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "heavy", "1e7", "1e99"})
  void aWeightThatCannotBeUsedIsReportedOnceAndTheRestKept(String weight) {
    conf.set(Keys.Transfer.WEIGHT_KEY, weight);
    conf.set(Keys.Transfer.TRANSPORT_KEY, "reno");
    JobSettings settings = JobSettings.from(conf, warnings::add);
    assertThat(settings.weight()).isEqualTo(1);
    assertThat(settings.transport()).isEqualTo("reno");
    assertThat(warnings).singleElement().asString().contains(Keys.Transfer.WEIGHT_KEY);
  }

  @Test
  void aTransportThatNoKernelHasIsReportedAndTheDefaultTaken() {
    conf.set(Keys.Transfer.TRANSPORT_KEY, "../../etc");
    assertThat(JobSettings.from(conf, warnings::add).transport()).isEqualTo("default");
    assertThat(warnings).singleElement().asString().contains(Keys.Transfer.TRANSPORT_KEY);
  }

  @Test
  void aTimeOutOfRangeIsReportedAndDoesNotHideWhetherTheShuffleIsEncrypted() {
    conf.set(Keys.Am.POLL_INTERVAL_MS_KEY, "0");
    conf.set("mapreduce.shuffle.ssl.enabled", "true");
    JobSettings settings = JobSettings.from(conf, warnings::add);
    assertThat(settings.am().pollIntervalMs()).isEqualTo(Keys.Am.POLL_INTERVAL_MS_DEFAULT);
    assertThat(settings.am().sslEnabled()).isTrue();
    assertThat(warnings).singleElement().asString().contains(Keys.Am.POLL_INTERVAL_MS_KEY);
  }
}
