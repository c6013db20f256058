/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** A shuffle service in a JVM of its own: {@code CLASS ROOT PORT KEY=VALUE…}. Immutable. */
public final class NodeMain {
  private static final int OPTIONS_FROM = 3;

  private NodeMain() {}

  /**
   * Entry point; hears {@code add JOB}, {@code remove JOB}, {@code port}, {@code usage} and {@code
   * collected}.
   */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = new Configuration();
    conf.set("mapreduce.shuffle.port", arguments[2]);
    for (String option : List.of(arguments).subList(OPTIONS_FROM, arguments.length)) {
      String[] keyAndValue = option.split("=", 2);
      conf.set(keyAndValue[0], keyAndValue[1]);
    }
    try (ServiceHost service = ServiceHost.start(arguments[0], Path.of(arguments[1]), conf)) {
      Child.serve(
          words ->
              switch (words[0]) {
                case "add" -> {
                  service.add(job(words));
                  yield "done";
                }
                case "remove" -> {
                  service.remove(job(words));
                  yield "done";
                }
                case "port" -> Integer.toString(service.port());
                case "collected" -> {
                  System.gc();
                  yield Usage.now().line();
                }
                case "usage" -> Usage.now().line();
                default -> throw new IOException("not understood: " + words[0]);
              });
    }
    System.exit(0);
  }

  private static BenchJob job(String[] words) {
    return new BenchJob(Integer.parseInt(words[1]));
  }
}
