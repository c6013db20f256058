/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.util.List;
import java.util.stream.Collectors;

/** The administrator's file cannot be used. Immutable. */
public final class AdminRulesException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  AdminRulesException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /** Every mistake, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * One mistake. Immutable.
   *
   * @param line of the file, from 1
   * @param key that is wrong or has a wrong value; empty where the file is not well formed
   * @param sentence what is wrong and what is right
   */
  public record Problem(int line, String key, String sentence) {
    @Override
    public String toString() {
      return "line " + line + ": " + (key.isEmpty() ? "" : key + " ") + sentence;
    }
  }
}
