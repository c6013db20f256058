/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.shuffle.status.StatusJson;

/** Asks NodeManagers for their status, many at once. Thread-safe. */
final class StatusClient {
  private static final int MAX_AT_ONCE = 32;

  private final Web web;

  StatusClient(Web web) {
    this.web = web;
  }

  /** One answer for each URL, in their order. */
  List<NodeAnswer> ask(List<String> urls) throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(Math.max(1, Math.min(MAX_AT_ONCE, urls.size())));
    try {
      List<Future<NodeAnswer>> asked = new ArrayList<>();
      for (String url : urls) {
        asked.add(threads.submit(() -> ask(url)));
      }
      List<NodeAnswer> answers = new ArrayList<>();
      for (Future<NodeAnswer> answer : asked) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private NodeAnswer ask(String url) {
    String node = url.replaceFirst("https?://", "");
    try {
      return new NodeAnswer(
          node, StatusJson.read(web.get(url + ControlProtocol.STATUS_PATH)), null);
    } catch (IOException e) {
      return new NodeAnswer(node, null, Words.plain(Nodes.reason(e)));
    }
  }
}
