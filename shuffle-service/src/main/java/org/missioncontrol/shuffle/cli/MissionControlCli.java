/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.cli.ParseException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The command {@code missioncontrol}: looks at, explains and changes what runs. */
public final class MissionControlCli {
  static final int OK = 0;

  /** What was asked for could not be had: a node is away, a file has mistakes. */
  static final int FAILED = 1;

  static final int USAGE_ERROR = 2;

  static final String USAGE =
      """
      missioncontrol status [HOST[:PORT] ...]       flows, shares and bytes of each job on each host
      missioncontrol watch [HOST[:PORT] ...]        the same, again and again, with speeds
      missioncontrol explain JOB [HOST[:PORT] ...]  why a job has the flows that it has
      missioncontrol set JOB [HOST[:PORT]] [--transport NAME] [--weight NUMBER]
                                                    change a running job, within the caps;
                                                    what is not said is as the job's keys say
      missioncontrol check FILE                     is the administrator's file right?

      Without a HOST, every running node is asked that the ResourceManager lists.
        --rm URL            the ResourceManager's web address; default: yarn-site.xml
        --port PORT         shuffle port; default: mapreduce.shuffle.port, 13562
        --timeout SECONDS   patience with each node; default: 5
        --json              status and explain: JSON in the place of text
        --interval SECONDS  watch: time between two looks; default: 2
        --count N           watch: number of looks; default: until interrupted
        --secret-file FILE  set: the operators' secret; default: mission-control.operator.secret-file

      Exit code: 0 done; 1 not (fully) done, the reason is on standard error; 2 wrong command line.
      """;

  private MissionControlCli() {}

  /** Runs one command and exits. */
  public static void main(String[] arguments) {
    Configuration conf = new YarnConfiguration();
    conf.addResource("mapred-site.xml");
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(arguments, conf, out, err));
  }

  /** Runs one command; the exit code. */
  static int run(String[] arguments, Configuration conf, PrintStream out, PrintStream err) {
    List<String> words = Arrays.asList(arguments);
    if (words.isEmpty() || words.contains("--help") || words.get(0).equals("help")) {
      (words.isEmpty() ? err : out).print(USAGE);
      return words.isEmpty() ? USAGE_ERROR : OK;
    }
    try {
      Arguments parsed = Arguments.parse(words.subList(1, words.size()));
      try (Web web = new Web(conf, parsed.timeoutMs())) {
        return new Commands(conf, web, parsed, out, err).run(words.get(0));
      }
    } catch (CliException e) {
      err.println("missioncontrol: " + e.getMessage());
      return e.exitCode();
    } catch (ParseException e) {
      err.println("missioncontrol: " + e.getMessage() + "; see missioncontrol --help");
      return USAGE_ERROR;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }
}
