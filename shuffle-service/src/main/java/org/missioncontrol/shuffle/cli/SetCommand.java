/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import org.missioncontrol.scheduler.control.ControlException;
import org.missioncontrol.scheduler.control.OperatorClient;
import org.missioncontrol.scheduler.control.OperatorSecret;
import org.missioncontrol.scheduler.control.TransferOrder;
import org.missioncontrol.shuffle.status.StatusReport;

/** Sends an operator's order about a job to a NodeManager that has it. Owned by its thread. */
final class SetCommand {
  private final OperatorClient client;

  /**
   * @param secretFile with the operators' secret; empty where none is known
   */
  SetCommand(String secretFile, int timeoutMs) throws CliException {
    if (secretFile.isEmpty()) {
      throw CliException.failed(
          "no operators' secret: name its file by --secret-file, or by"
              + " mission-control.operator.secret-file in yarn-site.xml");
    }
    try {
      this.client = new OperatorClient(OperatorSecret.read(Path.of(secretFile)), timeoutMs);
    } catch (IOException e) {
      throw CliException.failed("no operators' secret: " + e.getMessage());
    }
  }

  /** Where the job is: the first host whose books or counted bytes have it. */
  static String where(String job, List<String> urls, List<NodeAnswer> answers) throws CliException {
    for (int i = 0; i < urls.size(); i++) {
      StatusReport report = answers.get(i).report();
      if (report != null && has(report, job)) {
        return urls.get(i);
      }
    }
    throw CliException.failed(
        "no host that answers has " + job + "; name one where it runs: set " + job + " HOST ...");
  }

  private static boolean has(StatusReport report, String job) {
    return report.jobs().stream().anyMatch(flows -> flows.job().equals(job))
        || report.traffic().stream().anyMatch(traffic -> traffic.job().equals(job));
  }

  /** The sentence for the operator once the order is in force. */
  String send(String url, String job, TransferOrder order) throws CliException {
    OperatorClient.Answer answer;
    try {
      answer = client.order(new URL(url), job, order);
    } catch (ControlException e) {
      throw CliException.usage(e.sentence());
    } catch (IOException e) {
      throw CliException.failed(url + " " + Words.plain(Nodes.reason(e)));
    }
    if (!answer.taken()) {
      throw CliException.failed(
          url + " refuses (" + answer.status() + "): " + Words.plain(answer.sentence()));
    }
    return job
        + ": "
        + order.describe()
        + "; in force on "
        + url.replaceFirst("https?://", "")
        + ", and everywhere once its ApplicationMaster has heard of it";
  }
}
