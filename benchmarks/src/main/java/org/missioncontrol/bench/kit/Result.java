/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a benchmark found: values by name in order, some of which have a goal. Not shared. */
public final class Result {
  private static final double KEPT = 1e6;

  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<Goal> goals = new ArrayList<>();

  private record Goal(String name, String wanted, double value, boolean met) {}

  /** Of the benchmark with that name. */
  public Result(String name) {
    values.put("name", name);
  }

  /** A value without a goal. */
  public Result with(String name, double value) {
    // JSON knows no infinity.
    values.put(name, Double.isFinite(value) ? Math.round(value * KEPT) / KEPT : "none");
    return this;
  }

  /** Values below a name of their own. */
  public Result with(String name, Map<String, Object> tree) {
    values.put(name, tree);
    return this;
  }

  /** A value that should be at least {@code goal}. */
  public Result atLeast(String name, double value, double goal) {
    goals.add(new Goal(name, ">= " + Table.round(goal), value, value >= goal));
    return with(name, value);
  }

  /** A value that should be at most {@code goal}. */
  public Result atMost(String name, double value, double goal) {
    goals.add(new Goal(name, "<= " + Table.round(goal), value, value <= goal));
    return with(name, value);
  }

  /** A value by name. */
  public Object value(String name) {
    Object value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no value " + name);
    }
    return value;
  }

  /** The goals as a table; empty if there are none. */
  public String goals() {
    if (goals.isEmpty()) {
      return "";
    }
    Table table = new Table("goal", "wanted", "measured", "");
    for (Goal goal : goals) {
      table.row(goal.name(), goal.wanted(), goal.value(), goal.met() ? "met" : "MISSED");
    }
    return table.toString();
  }

  /** One JSON object on one line. */
  public String json() {
    try {
      return new ObjectMapper().writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts can be written", e);
    }
  }
}
