/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.missioncontrol.conf.TransportRule.CLASS;
import static org.missioncontrol.conf.TransportRule.ECN;
import static org.missioncontrol.conf.TransportRule.NUMBERS;
import static org.missioncontrol.conf.TransportRule.QUEUE;
import static org.missioncontrol.conf.TransportRule.TEXTS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AdminRulesException.Problem;
import org.missioncontrol.conf.Keys.Transfer;
import org.missioncontrol.conf.RuleEntries.Entry;
import org.missioncontrol.conf.TransportRule.Range;

/**
 * From the entries {@code rule.NUMBER.WHAT} to a table of rules, in the order of their numbers.
 * Owned by one parse.
 */
final class TransportRulesParser {
  private static final Pattern RULE = Pattern.compile("rule\\.([0-9]{1,6})\\.(.+)");
  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,15})([kmgt]?)");
  private static final Map<String, List<String>> CHOICES =
      Map.of(CLASS, List.of("shuffle", "broadcast"), ECN, List.of("yes", "no"));
  private static final String TRANSPORT = "transport";
  private static final String LEAST = "min-";
  private static final String MOST = "max-";
  private static final int UNIT_BITS = 10;

  /** Every key of a rule, after its number. */
  static final String KNOWN =
      Stream.of(
              Stream.of(TRANSPORT),
              TEXTS.stream(),
              NUMBERS.stream().flatMap(of -> Stream.of(LEAST + of, MOST + of)))
          .flatMap(names -> names)
          .collect(Collectors.joining(", "));

  private final TreeMap<Integer, Draft> drafts = new TreeMap<>();

  private static final class Draft {
    private final int line;
    private final String key;
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, Range> ranges = new HashMap<>();
    private @Nullable String transport;
    private int mistakes;

    Draft(Entry first) {
      line = first.line();
      key = first.key();
    }
  }

  /** Whether a key is of a rule. */
  static boolean owns(String key) {
    return RULE.matcher(key).matches();
  }

  /**
   * What a key means, however its number is written.
   *
   * @throws IllegalArgumentException if it is not a key of a rule
   */
  static String meaning(String key) {
    Matcher rule = matched(key);
    return "rule." + Integer.parseInt(rule.group(1)) + "." + rule.group(2);
  }

  /**
   * Takes one entry.
   *
   * @throws IllegalArgumentException saying what is wrong with it and what is right
   */
  void take(Entry entry) {
    Matcher rule = matched(entry.key());
    int number = Integer.parseInt(rule.group(1));
    Draft draft = drafts.computeIfAbsent(number, added -> new Draft(entry));
    draft.mistakes++;
    take(draft, rule.group(2), entry);
    draft.mistakes--;
  }

  private static void take(Draft draft, String what, Entry entry) {
    if (what.equals(TRANSPORT)) {
      draft.transport = transport(entry.value());
    } else if (TEXTS.contains(what)) {
      draft.texts.put(what, text(what, entry.value()));
    } else if (what.startsWith(LEAST) && NUMBERS.contains(what.substring(LEAST.length()))) {
      narrow(draft, what.substring(LEAST.length()), Range.atLeast(number(entry.value())));
    } else if (what.startsWith(MOST) && NUMBERS.contains(what.substring(MOST.length()))) {
      narrow(draft, what.substring(MOST.length()), Range.atMost(number(entry.value())));
    } else {
      throw new IllegalArgumentException("is not a key of a rule; known are " + KNOWN);
    }
  }

  /** The table; what makes a rule incomplete goes to {@code problems}. */
  List<TransportRule> rules(List<Problem> problems) {
    List<TransportRule> rules = new ArrayList<>();
    drafts.forEach(
        (number, draft) -> {
          if (draft.transport != null) {
            rules.add(
                new TransportRule("rule." + number, draft.texts, draft.ranges, draft.transport));
          } else if (draft.mistakes == 0) {
            problems.add(
                new Problem(
                    draft.line,
                    draft.key,
                    "is of a rule without transport: rule." + number + ".transport is missing"));
          }
        });
    return rules;
  }

  private static String transport(String value) {
    String name = RulesParser.transport(value);
    if (name.equals(Transfer.TRANSPORT_DEFAULT)) {
      throw new IllegalArgumentException(
          "is what jobs say that leave the choice to these rules; say default for the kernel's own");
    }
    return name;
  }

  private static void narrow(Draft draft, String of, Range more) {
    Range before = draft.ranges.getOrDefault(of, Range.ANY);
    draft.ranges.put(
        of,
        new Range(Math.max(before.least(), more.least()), Math.min(before.most(), more.most())));
  }

  private static String text(String what, String value) {
    List<String> choices = CHOICES.get(what);
    if (choices == null) {
      if (value.isEmpty()) {
        throw new IllegalArgumentException("is empty; leave the line out for any " + what);
      }
      return what.equals(QUEUE) ? AdminRules.plain(value) : value;
    }
    String chosen = value.toLowerCase(Locale.ROOT);
    if (!choices.contains(chosen)) {
      throw new IllegalArgumentException(
          "is none of " + String.join(", ", choices) + ": \"" + value + "\"");
    }
    return chosen;
  }

  private static long number(String value) {
    Matcher number = NUMBER.matcher(value.toLowerCase(Locale.ROOT));
    int unit = number.matches() ? " kmgt".indexOf((number.group(2) + " ").charAt(0)) : -1;
    long count = unit < 0 ? 0 : Long.parseLong(number.group(1));
    if (unit < 0 || count > Long.MAX_VALUE >> (UNIT_BITS * unit)) {
      throw new IllegalArgumentException(
          "is not a whole number, maybe with k, m, g or t (powers of 1024) after it: \""
              + value
              + "\"");
    }
    return count << (UNIT_BITS * unit);
  }

  private static Matcher matched(String key) {
    Matcher rule = RULE.matcher(key);
    if (!rule.matches()) {
      throw new IllegalArgumentException("is not a key of a rule: " + key);
    }
    return rule;
  }
}
