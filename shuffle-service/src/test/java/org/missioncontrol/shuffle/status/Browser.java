/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Headless Chromium with one page, driven by its DevTools protocol, for tests. Thread-safe. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger calls = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private Browser(Process process, int port) throws IOException, InterruptedException {
    this.process = process;
    HttpClient client = HttpClient.newHttpClient();
    String pages =
        client
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                    .build(),
                BodyHandlers.ofString())
            .body();
    String page = JSON.readTree(pages).at("/0/webSocketDebuggerUrl").asText();
    socket = client.newWebSocketBuilder().buildAsync(URI.create(page), new Listener()).join();
    call("Runtime.enable");
    call("Log.enable");
    call("Page.enable");
  }

  /** The browser of this machine, if there is one. */
  static Optional<Path> installed() {
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .map(name -> Path.of("/usr/bin", name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * @param profile an empty directory
   */
  static Browser start(Path program, Path profile) throws IOException, InterruptedException {
    ProcessBuilder chromium =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("log").toFile());
    chromium.environment().put("TMPDIR", profile.toString());
    Process process = chromium.start();
    try {
      Path told = profile.resolve("DevToolsActivePort");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> Files.exists(told) && Files.readString(told).contains("\n"));
      return new Browser(process, Integer.parseInt(Files.readString(told).split("\n", -1)[0]));
    } catch (RuntimeException | IOException | InterruptedException e) {
      end(process);
      throw e;
    }
  }

  void open(String url) {
    call("Page.navigate", "url", url);
  }

  void size(int width, int height, int scale) {
    call(
        "Emulation.setDeviceMetricsOverride",
        "width",
        width,
        "height",
        height,
        "deviceScaleFactor",
        scale,
        "mobile",
        false);
  }

  void prefer(String colours) {
    ObjectNode parameters = JSON.createObjectNode();
    parameters
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", colours);
    call("Emulation.setEmulatedMedia", parameters);
  }

  /** The value of an expression of JavaScript. */
  JsonNode evaluate(String expression) {
    JsonNode result = call("Runtime.evaluate", "expression", expression, "returnByValue", true);
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
    }
    return result.at("/result/value");
  }

  /** Presses and releases a key, as {@code KeyboardEvent.key} names it. */
  void press(String key) {
    String text = key.equals("Enter") ? "\r" : "";
    int code = key.equals("Enter") ? 13 : 9;
    call(
        "Input.dispatchKeyEvent",
        "type",
        "keyDown",
        "key",
        key,
        "code",
        key,
        "text",
        text,
        "windowsVirtualKeyCode",
        code);
    call(
        "Input.dispatchKeyEvent",
        "type",
        "keyUp",
        "key",
        key,
        "code",
        key,
        "windowsVirtualKeyCode",
        code);
  }

  void screenshot(Path file) throws IOException {
    JsonNode shot = call("Page.captureScreenshot", "format", "png", "captureBeyondViewport", true);
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(shot.get("data").asText()));
  }

  /** What scripts threw and what the browser refused, such as a breach of the page's policy. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  void forgetComplaints() {
    complaints.clear();
  }

  @Override
  public void close() {
    socket.abort();
    end(process);
  }

  private static void end(Process process) {
    List<ProcessHandle> family =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    family.forEach(ProcessHandle::destroyForcibly);
    family.forEach(one -> one.onExit().orTimeout(10, TimeUnit.SECONDS).join());
  }

  private JsonNode call(String method, Object... namesAndValues) {
    ObjectNode parameters = JSON.createObjectNode();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      parameters.set(namesAndValues[i].toString(), JSON.valueToTree(namesAndValues[i + 1]));
    }
    return call(method, parameters);
  }

  private JsonNode call(String method, ObjectNode parameters) {
    int id = calls.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true).join();
    JsonNode said = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    if (said.has("error")) {
      throw new IllegalStateException(method + ": " + said.get("error"));
    }
    return said.get("result");
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean whole) {
      text.append(piece);
      if (whole) {
        heard(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    private void heard(String message) {
      try {
        JsonNode said = JSON.readTree(message);
        CompletableFuture<JsonNode> answer = answers.remove(said.path("id").asInt());
        if (answer != null) {
          answer.complete(said);
        }
        String event = said.path("method").asText();
        if (event.equals("Runtime.exceptionThrown")
            || event.equals("Log.entryAdded")
                && said.at("/params/entry/level").asText().equals("error")) {
          complaints.add(said.get("params").toString());
        }
      } catch (IOException e) {
        complaints.add(e.toString());
      }
    }
  }
}
