/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.missioncontrol.conf.AdminRules;
import org.missioncontrol.conf.AdminRulesException;
import org.missioncontrol.conf.ClusterConfig;
import org.missioncontrol.conf.OperatorConfig;
import org.missioncontrol.scheduler.control.ControlCodec;
import org.missioncontrol.scheduler.control.TransferOrder;
import org.missioncontrol.shuffle.status.StatusJson;

/** Carries a command out. Owned by the thread that runs it. */
final class Commands {
  private static final List<String> WHERE = List.of("rm", "port", "timeout");

  /** Moves to the upper left corner and clears what follows. */
  private static final String CLEAR = "\033[H\033[J";

  /** System property that the launcher sets where standard output is a terminal. */
  private static final String TERMINAL = "mission-control.terminal";

  private final Configuration conf;
  private final Web web;
  private final Arguments arguments;
  private final PrintStream out;
  private final PrintStream err;

  Commands(Configuration conf, Web web, Arguments arguments, PrintStream out, PrintStream err) {
    this.conf = conf;
    this.web = web;
    this.arguments = arguments;
    this.out = out;
    this.err = err;
  }

  /** The exit code. */
  int run(String command) throws CliException, InterruptedException {
    return switch (command) {
      case "status" -> status();
      case "watch" -> watch();
      case "explain" -> explain();
      case "set" -> set();
      case "check" -> check();
      default ->
          throw CliException.usage(
              "no command "
                  + Words.plain(command)
                  + "; there are status, watch, explain, set, check");
    };
  }

  private int status() throws CliException, InterruptedException {
    arguments.allow("status", with("json"));
    List<NodeAnswer> answers = ask(arguments.words());
    if (arguments.json()) {
      out.println(StatusJson.write(answers));
      return code(answers);
    }
    out.print(StatusText.of(found(answers), List.of()));
    return complain(answers);
  }

  private int watch() throws CliException, InterruptedException {
    arguments.allow("watch", with("interval", "count"));
    List<NodeAnswer> answers = List.of();
    List<String> urls = nodes().urls(arguments.words());
    for (long look = 0; look < arguments.count(); look++) {
      if (look > 0) {
        Thread.sleep(arguments.intervalMs());
      }
      List<NodeAnswer> before = answers;
      answers = new StatusClient(web).ask(urls);
      out.print(
          (Boolean.getBoolean(TERMINAL) ? CLEAR : "") + StatusText.of(answers, before) + "\n");
      out.flush();
    }
    return code(answers);
  }

  private int explain() throws CliException, InterruptedException {
    arguments.allow("explain", with("json"));
    String job = job("explain");
    List<NodeAnswer> answers = ask(arguments.words().subList(1, arguments.words().size()));
    List<Explanation> explanations = new ArrayList<>();
    for (NodeAnswer answer : found(answers)) {
      Explanation explanation = Explanation.of(Objects.requireNonNull(answer.report()), job);
      if (explanation != null) {
        explanations.add(explanation);
        if (!arguments.json()) {
          out.print(
              (explanations.size() == 1 ? "" : "\n")
                  + ExplanationText.of(explanation, answer.node()));
        }
      }
    }
    if (arguments.json()) {
      out.println(StatusJson.write(explanations));
    }
    int code = complain(answers);
    if (explanations.isEmpty()) {
      throw CliException.failed(
          job
              + " has neither a task at the door nor a descriptor on the "
              + found(answers).size()
              + " hosts that answered: it has not begun to shuffle, has ended, or runs without"
              + " Mission Control; missioncontrol status lists the jobs");
    }
    return code;
  }

  private int set() throws CliException, InterruptedException {
    arguments.allow("set", with("transport", "weight", "secret-file"));
    String job = job("set");
    List<String> hosts = arguments.words().subList(1, arguments.words().size());
    if (hosts.size() > 1) {
      throw CliException.usage("set takes one HOST: the job's ApplicationMaster tells the others");
    }
    String given = arguments.text("secret-file");
    SetCommand command =
        new SetCommand(
            given == null ? OperatorConfig.from(conf).secretFile() : given, arguments.timeoutMs());
    TransferOrder order = TransferOrder.of(arguments.text("transport"), arguments.weight());
    List<String> urls = nodes().urls(hosts);
    String url =
        hosts.isEmpty()
            ? SetCommand.where(job, urls, new StatusClient(web).ask(urls))
            : urls.get(0);
    web.trustForAll(url);
    out.println(command.send(url, job, order));
    return MissionControlCli.OK;
  }

  private int check() throws CliException {
    arguments.allow("check", List.of());
    if (arguments.words().size() != 1) {
      throw CliException.usage("check takes one file; see missioncontrol --help");
    }
    Path file = Path.of(arguments.words().get(0));
    try {
      AdminRules rules = AdminRules.parse(file);
      out.println(file + " is right: " + describe(rules));
      return MissionControlCli.OK;
    } catch (AdminRulesException e) {
      e.problems().forEach(problem -> err.println(file + ": " + problem));
      return MissionControlCli.FAILED;
    } catch (IOException e) {
      throw CliException.failed(file + " cannot be read: " + e);
    }
  }

  private static String describe(AdminRules rules) {
    return (rules.policy() == null ? "no policy" : "policy " + rules.policy())
        + count(", rules for ", rules.users(), "user")
        + count(", rules for ", rules.queues(), "queue")
        + count(", transports for ", rules.jobTransports(), "job")
        + ", a table of "
        + rules.table().size()
        + " more transports";
  }

  private static String count(String before, Map<String, ?> entries, String noun) {
    return before + entries.size() + " " + noun + (entries.size() == 1 ? "" : "s");
  }

  private String job(String command) throws CliException {
    List<String> words = arguments.words();
    if (words.isEmpty()) {
      throw CliException.usage(command + " needs the id of a job; see missioncontrol --help");
    }
    String job = words.get(0).replaceFirst("^application_", "job_");
    if (!ControlCodec.isJob(job)) {
      throw CliException.usage(
          "not the id of a job (job_1700000000000_0001): " + Words.plain(words.get(0)));
    }
    return job;
  }

  private List<NodeAnswer> ask(List<String> hosts) throws CliException, InterruptedException {
    return new StatusClient(web).ask(nodes().urls(hosts));
  }

  private Nodes nodes() throws CliException {
    return new Nodes(ClusterConfig.from(conf), web, arguments.text("rm"), arguments.port());
  }

  private static List<NodeAnswer> found(List<NodeAnswer> answers) {
    return answers.stream().filter(answer -> answer.report() != null).toList();
  }

  private int complain(List<NodeAnswer> answers) {
    for (NodeAnswer answer : answers) {
      if (answer.problem() != null) {
        err.println("missioncontrol: " + answer.node() + " " + answer.problem());
      }
    }
    return code(answers);
  }

  private static int code(List<NodeAnswer> answers) {
    return found(answers).size() == answers.size()
        ? MissionControlCli.OK
        : MissionControlCli.FAILED;
  }

  private static List<String> with(String... more) {
    List<String> names = new ArrayList<>(WHERE);
    names.addAll(List.of(more));
    return names;
  }
}
