/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.terasort;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * TeraValidate's report: it succeeds as a job even when the rows are out of order, so the report
 * itself is read. Immutable.
 *
 * @param errors lines about rows out of order
 * @param checksum low 64 bits over all rows
 * @param expected the same from TeraGen
 */
record Verdict(List<String> errors, long checksum, long expected) {
  private static final int HEXADECIMAL = 16;

  /** Copies the list. */
  Verdict {
    errors = List.copyOf(errors);
  }

  static Verdict read(FileSystem files, Path report, long expected) throws IOException {
    List<String> errors = new ArrayList<>();
    long checksum = 0;
    boolean seen = false;
    for (FileStatus file : files.listStatus(report)) {
      if (!file.getPath().getName().startsWith("part-")) {
        continue;
      }
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(files.open(file.getPath()), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("checksum\t")) {
            seen = true;
            String digits = line.substring(line.indexOf('\t') + 1).trim();
            checksum = new BigInteger(digits, HEXADECIMAL).longValue();
          } else {
            errors.add(line);
          }
        }
      }
    }
    if (!seen) {
      errors.add("no checksum in " + report);
    }
    return new Verdict(errors, checksum, expected);
  }

  boolean success() {
    return errors.isEmpty() && checksum == expected;
  }

  @Override
  public String toString() {
    if (success()) {
      return "success (all rows in order, checksum "
          + Long.toHexString(checksum)
          + " as generated)";
    }
    return "FAILURE: "
        + (errors.isEmpty()
            ? "checksum "
                + Long.toHexString(checksum)
                + ", but generated "
                + Long.toHexString(expected)
            : errors.size() + " errors, first: " + errors.get(0));
  }
}
