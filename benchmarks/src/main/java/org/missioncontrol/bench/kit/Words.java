/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.util.ArrayList;
import java.util.List;

/** Words of a command line, taken one by one; what is left at the end is an error. Not shared. */
public final class Words {
  private final List<String> words;

  /** Copies the list. */
  public Words(List<String> words) {
    this.words = new ArrayList<>(words);
  }

  /** Whether the option is there; it is taken. */
  public boolean flag(String option) {
    return words.remove(option);
  }

  /** The value behind an option, or the default. */
  public String text(String option, String otherwise) {
    int at = words.indexOf(option);
    if (at < 0) {
      return otherwise;
    }
    if (at + 1 == words.size()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    words.remove(at);
    return words.remove(at);
  }

  /** The positive number behind an option, or the default. */
  public int number(String option, int otherwise) {
    if (!words.contains(option)) {
      return otherwise;
    }
    String text = text(option, "");
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(option + " needs a positive number, not " + text);
    }
    return Integer.parseInt(text);
  }

  /** Refuses what nobody took. */
  public void none() {
    if (!words.isEmpty()) {
      throw new IllegalArgumentException("not understood: " + String.join(" ", words));
    }
  }
}
