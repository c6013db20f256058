/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;

class StatusSiteTest {
  private static final String ROOT = "/missionControl/v1/";

  private final StatusSite site = new StatusSite(new ImaginedHost());

  @ParameterizedTest
  @ValueSource(strings = {"", "page.js", "page.css", "page.svg", "status", "metrics"})
  void nothingIsKeptFramedOrGuessed(String path) {
    ControlReply reply = get(site, ROOT + path);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers())
        .containsEntry("cache-control", "no-store")
        .containsEntry("x-content-type-options", "nosniff")
        .containsEntry("referrer-policy", "no-referrer");
    assertThat(reply.headers().get("content-security-policy"))
        .contains("default-src 'none'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "http", "*", "data:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "page.js", "page.css", "page.svg", "status", "metrics"})
  void allOfItIsOffWhenTheStatusIsOff(String path) {
    ControlReply reply = get(new StatusSite(null), ROOT + path);

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body()).contains("mission-control.status.enabled");
    assertThat(get(new StatusSite(null), "/missionControl").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "page.js", "status", "metrics"})
  void nothingCanBeChanged(String path) {
    assertThat(
            site.answer(new ControlRequest("POST", ROOT + path, null, null, null, null, ""))
                .status())
        .isEqualTo(405);
  }

  @Test
  void theEntranceLeadsToThePage() {
    assertThat(get(site, "/missionControl").headers()).containsEntry("location", ROOT);
  }

  @Test
  void thePageIsSmallAndLoadsNothingFromElsewhere() {
    int bytes = 0;
    for (String file : new String[] {"", "page.js", "page.css", "page.svg"}) {
      String text = get(site, ROOT + file).body();
      bytes += text.getBytes(StandardCharsets.UTF_8).length;
      assertThat(text.replace("http://www.w3.org/2000/svg", "")).doesNotContain("://");
    }
    assertThat(bytes).isLessThan(40_000);
    assertThat(get(site, ROOT).body())
        .as("no script and no style that the policy would have to allow")
        .doesNotContainPattern(Pattern.compile("<script>|<style|style=|\\son\\w+="));
  }

  @Test
  void theScriptHasNoWayToTurnTextIntoMarkup() {
    assertThat(get(site, ROOT + "page.js").body())
        .doesNotContain("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(")
        .doesNotContain("new Function", "setTimeout(\"", "srcdoc", "javascript:", "DOMParser");
  }

  private static @Nullable ControlReply get(StatusSite site, String path) {
    return site.answer(new ControlRequest("GET", path, null, null, null, null, ""));
  }
}
