/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the command printed and how it ended. Immutable. */
record Printed(int exit, List<String> lines) {
  static Printed by(String... words) throws InterruptedException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int exit = Bench.run(List.of(words));
      return new Printed(exit, printed.toString(StandardCharsets.UTF_8).lines().toList());
    } finally {
      System.setOut(before);
    }
  }
}
