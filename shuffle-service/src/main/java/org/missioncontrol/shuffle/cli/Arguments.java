/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** What stands behind the command's name. Immutable. */
final class Arguments {
  private static final int MS = 1000;

  private final CommandLine line;

  private Arguments(CommandLine line) {
    this.line = line;
  }

  static Arguments parse(List<String> words) throws ParseException {
    Options options = new Options();
    options.addOption(null, "json", false, "");
    for (String name :
        List.of(
            "rm", "port", "timeout", "interval", "count", "transport", "weight", "secret-file")) {
      options.addOption(null, name, true, "");
    }
    return new Arguments(new DefaultParser(false).parse(options, words.toArray(String[]::new)));
  }

  List<String> words() {
    return line.getArgList();
  }

  /** Refuses options that a command has no use for. */
  void allow(String command, List<String> names) throws CliException {
    for (var option : line.getOptions()) {
      if (!names.contains(option.getLongOpt())) {
        throw CliException.usage(
            command + " takes no --" + option.getLongOpt() + "; see missioncontrol --help");
      }
    }
  }

  boolean json() {
    return line.hasOption("json");
  }

  @Nullable String text(String name) {
    return line.getOptionValue(name);
  }

  @Nullable Integer port() throws CliException {
    return line.hasOption("port") ? (int) number("port", 0, 1, 65_535) : null;
  }

  @Nullable Float weight() throws CliException {
    return line.hasOption("weight") ? (float) number("weight", 0, Float.MIN_VALUE, 1e6) : null;
  }

  int timeoutMs() throws CliException {
    return (int) (number("timeout", 5, 0.001, 3600) * MS);
  }

  long intervalMs() throws CliException {
    return (long) (number("interval", 2, 0.1, 3600) * MS);
  }

  /** Looks to take. */
  long count() throws CliException {
    return (long) number("count", Long.MAX_VALUE, 1, Integer.MAX_VALUE);
  }

  private double number(String name, double otherwise, double least, double most)
      throws CliException {
    String text = line.getOptionValue(name);
    if (text == null) {
      return otherwise;
    }
    try {
      double value = Double.parseDouble(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw CliException.usage("--" + name + " is not a number: " + Words.plain(text));
    }
    throw CliException.usage(
        "--"
            + name
            + " is not between "
            + Words.number(least)
            + " and "
            + Words.number(most)
            + ": "
            + Words.plain(text));
  }
}
