/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRules.Rule;
import org.missioncontrol.conf.AdminRulesException.Problem;
import org.missioncontrol.conf.RuleEntries.Entry;

/** From the entries of a file to rules, or to all mistakes at once. Owned by one parse. */
final class RulesParser {
  private static final String POLICY = "policy";
  private static final Pattern NAMED =
      Pattern.compile("(user|queue)\\.(.+)\\.(weight|weight-cap|transport)");
  private static final Pattern JOB = Pattern.compile("job\\.(job_[0-9]+_[0-9]+)\\.transport");

  /** As the kernel's names of congestion controls are. */
  private static final Pattern TRANSPORT = Pattern.compile("[a-z0-9_-]{1,15}");

  private static final String KNOWN =
      "policy, user.NAME.weight, user.NAME.weight-cap, user.NAME.transport, queue.NAME.weight,"
          + " queue.NAME.weight-cap, queue.NAME.transport, job.JOB_ID.transport;"
          + " NAME may be * for all others; rule.NUMBER.WHAT, where WHAT is one of "
          + TransportRulesParser.KNOWN;

  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Map<String, Rule> users = new HashMap<>();
  private final Map<String, Rule> queues = new HashMap<>();
  private final Map<String, String> jobTransports = new HashMap<>();
  private final TransportRulesParser table = new TransportRulesParser();
  private @Nullable String policy;

  AdminRules parse(List<Entry> entries) throws AdminRulesException {
    for (Entry entry : entries) {
      try {
        take(entry);
      } catch (IllegalArgumentException e) {
        problems.add(new Problem(entry.line(), entry.key(), String.valueOf(e.getMessage())));
      }
    }
    List<TransportRule> rules = table.rules(problems);
    if (!problems.isEmpty()) {
      throw new AdminRulesException(problems);
    }
    return new AdminRules(policy, users, queues, jobTransports, rules);
  }

  private void take(Entry entry) {
    Matcher named = NAMED.matcher(entry.key());
    Matcher job = JOB.matcher(entry.key());
    if (entry.key().equals(POLICY)) {
      once(entry, entry.key());
      policy = policy(entry.value());
    } else if (named.matches()) {
      boolean user = named.group(1).equals("user");
      String name = user ? named.group(2) : AdminRules.plain(named.group(2));
      once(entry, named.group(1) + "." + name + "." + named.group(3));
      UnaryOperator<Rule> change = change(named.group(3), entry.value());
      Map<String, Rule> rules = user ? users : queues;
      rules.put(name, change.apply(rules.getOrDefault(name, Rule.NONE)));
    } else if (job.matches()) {
      once(entry, entry.key());
      jobTransports.put(job.group(1), transport(entry.value()));
    } else if (TransportRulesParser.owns(entry.key())) {
      once(entry, TransportRulesParser.meaning(entry.key()));
      table.take(entry);
    } else {
      throw new IllegalArgumentException("is not a key; known are " + KNOWN);
    }
  }

  private void once(Entry entry, String meaning) {
    Integer first = lines.putIfAbsent(meaning, entry.line());
    if (first != null) {
      throw new IllegalArgumentException("was given in line " + first + " already");
    }
  }

  private static UnaryOperator<Rule> change(String what, String value) {
    return switch (what) {
      case "weight" -> {
        float weight = weight(value);
        yield rule -> new Rule(weight, rule.weightCap(), rule.transport());
      }
      case "weight-cap" -> {
        float cap = weight(value);
        yield rule -> new Rule(rule.weight(), cap, rule.transport());
      }
      default -> {
        String transport = transport(value);
        yield rule -> new Rule(rule.weight(), rule.weightCap(), transport);
      }
    };
  }

  private static String policy(String value) {
    return AdminRules.checkPolicy("", value.toLowerCase(Locale.ROOT));
  }

  private static float weight(String value) {
    float weight;
    try {
      weight = Float.parseFloat(value);
    } catch (NumberFormatException e) {
      weight = Float.NaN;
    }
    if (!(weight > 0) || weight > AdminRules.MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "is not a positive number up to " + (int) AdminRules.MAX_WEIGHT + ": \"" + value + "\"");
    }
    return weight;
  }

  static String transport(String value) {
    String name = value.toLowerCase(Locale.ROOT);
    if (!TRANSPORT.matcher(name).matches()) {
      throw new IllegalArgumentException("is not the name of a transport: \"" + value + "\"");
    }
    return name;
  }
}
