/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.crypto.SecretKey;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.security.JobSecrets;
import org.missioncontrol.shuffle.server.ShuffleServer;
import org.missioncontrol.shuffle.store.LocalMapOutputStore;
import org.missioncontrol.transport.Channels;

/** The page in a real browser, served by the real server over a host that the test makes up. */
class StatusPageTest {
  /** Screenshots for people to look at. */
  private static final Path SHOTS = Path.of("target", "screenshots");

  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir static Path profile;
  private static @Nullable Browser browser;

  private final ImaginedHost host = new ImaginedHost();
  private ShuffleServer server;

  @BeforeAll
  static void startBrowser() throws Exception {
    Optional<Path> program = Browser.installed();
    if (program.isPresent()) {
      browser = Browser.start(program.get(), profile);
    }
  }

  @AfterAll
  static void endBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    assumeThat(browser).as("no Chromium below /usr/bin; the page is not looked at").isNotNull();
    server = serve(0);
    browser.forgetComplaints();
    browser.size(1100, 860, 1);
    browser.prefer("light");
    browser.open("http://localhost:" + server.port() + "/missionControl");
    awaitText("#state", "live");
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void drawsFlowsAndThroughputOfEachJobAndReadsWellOnEveryScreen() throws Exception {
    awaitSamples(6);
    assertThat(text("#host")).isEqualTo("node7:13562");
    assertThat(text("#in-use")).isEqualTo("9");
    assertThat(text("#jobs tbody tr:first-child td:first-child")).isEqualTo(ImaginedHost.FIRST);
    assertThat(rows()).isEqualTo(3);
    assertThat(text("#received-now")).endsWith("MB/s");
    assertThat(browser.evaluate("document.querySelectorAll('#received-chart path').length").asInt())
        .as("areas, one for each job")
        .isEqualTo(3);
    shoot("desktop-light");
    browser.prefer("dark");
    shoot("desktop-dark");
    browser.size(390, 1700, 2);
    browser.evaluate("document.querySelector('td button').click()");
    shoot("phone-dark");
    browser.prefer("light");
    shoot("phone-light");
    assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
        .as("nothing sticks out on a phone")
        .isLessThanOrEqualTo(390);
    assertThat(browser.complaints()).as("of scripts and of the page's policy").isEmpty();
  }

  @Test
  void aNameThatLooksLikeMarkupStaysText() {
    host.user = "<img src=x onerror=\"window.harm=1\"><script>window.harm=2</script>";

    awaitText("#jobs tbody tr:first-child td:nth-child(2)", host.user);

    assertThat(browser.evaluate("typeof window.harm").asText()).isEqualTo("undefined");
    assertThat(browser.evaluate("document.querySelectorAll('img, main script').length").asInt())
        .isZero();
    browser.evaluate(
        "const more = document.createElement('script'); more.textContent = 'window.harm=3';"
            + " document.body.append(more)");
    assertThat(browser.evaluate("typeof window.harm").asText())
        .as("the policy lets no script in that is not a file of this port")
        .isEqualTo("undefined");
  }

  @Test
  void everythingCanBeReachedWithoutAMouse() {
    press("Tab");
    assertThat(focused()).isEqualTo("pause");
    press("Enter");
    assertThat(text("#state")).isEqualTo("paused");
    press("Enter");
    awaitText("#state", "live");
    press("Tab");
    press("Enter");
    assertThat(text("#jobs .flows"))
        .contains(
            "node8:13562", "reno", "by rule.1", "ECN with 12 marks", "0.42 ms", "3 sent again")
        .contains("2 connections fetch from here, reno, encrypted");
    int before = samples();
    awaitSamples(before + 1);
    assertThat(browser.evaluate("document.activeElement.dataset.job").asText())
        .as("new rows keep the focus")
        .isEqualTo(ImaginedHost.FIRST);
  }

  @Test
  void saysThatTheNodeManagerIsAwayAndComesBack() throws Exception {
    int port = server.port();
    server.close();
    awaitText("#state", "away");
    assertThat(text("#away")).contains("does not answer", "asked again");
    assertThat(rows()).as("the last numbers stay").isEqualTo(3);
    shoot("away");

    server = serve(port);

    awaitText("#state", "live");
    assertThat(browser.evaluate("document.getElementById('away').hidden").asBoolean()).isTrue();
  }

  private ShuffleServer serve(int port) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setInt("mapreduce.shuffle.port", port);
    ServerConfig config = ServerConfig.from(conf);
    StatusSite site = new StatusSite(host);
    return ShuffleServer.start(
        config,
        Channels.detect(),
        new Nobody(),
        new LocalMapOutputStore(
            config,
            relative -> {
              throw new FileNotFoundException(relative);
            },
            job -> false),
        request -> CompletableFuture.completedFuture(site.answer(request)),
        (counter, amount) -> {},
        null);
  }

  private static String text(String selector) {
    return browser.evaluate("document.querySelector('" + selector + "')?.textContent").asText();
  }

  private static void awaitText(String selector, String wanted) {
    await().atMost(SOON).until(() -> text(selector), wanted::equals);
  }

  private static int samples() {
    return browser.evaluate("samples.length").asInt();
  }

  private static void awaitSamples(int least) {
    await().atMost(SOON).until(() -> samples() >= least);
  }

  private static int rows() {
    return browser.evaluate("document.querySelectorAll('#jobs tr.job').length").asInt();
  }

  private static String focused() {
    return browser.evaluate("document.activeElement.id").asText();
  }

  private static void press(String key) {
    browser.press(key);
  }

  private static void shoot(String name) throws IOException {
    browser.evaluate("scrollTo(0, 0)");
    browser.screenshot(SHOTS.resolve(name + ".png"));
    assertThat(Files.size(SHOTS.resolve(name + ".png"))).isPositive();
  }

  private static final class Nobody implements JobSecrets {
    @Override
    public @Nullable SecretKey secret(String job) {
      return null;
    }

    @Override
    public @Nullable String user(String job) {
      return null;
    }
  }
}
