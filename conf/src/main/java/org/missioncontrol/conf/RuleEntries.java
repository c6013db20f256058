/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.configuration2.PropertiesConfiguration.PropertiesReader;
import org.missioncontrol.conf.AdminRulesException.Problem;

/**
 * The entries of an administrator's file, whatever its format, with their lines. Properties are
 * read as Commons Configuration does, but nothing is included or interpolated; of XML, Commons
 * Configuration keeps no lines, so {@link RuleXml} reads it. Immutable.
 */
final class RuleEntries {
  private static final int MAX_BYTES = 1 << 20;

  private RuleEntries() {}

  /**
   * One entry. Immutable.
   *
   * @param line it ends on, from 1
   */
  record Entry(int line, String key, String value) {}

  static List<Entry> read(Path file) throws IOException, AdminRulesException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw problem(1, "the file is longer than " + MAX_BYTES + " bytes");
    }
    boolean xml = file.toString().toLowerCase(Locale.ROOT).endsWith(".xml");
    return xml
        ? RuleXml.read(new ByteArrayInputStream(bytes))
        : properties(new String(bytes, UTF_8));
  }

  static AdminRulesException problem(int line, String sentence) {
    return new AdminRulesException(List.of(new Problem(line, "", sentence)));
  }

  private static List<Entry> properties(String text) throws IOException, AdminRulesException {
    List<Entry> entries = new ArrayList<>();
    try (PropertiesReader reader = new PropertiesReader(new StringReader(text))) {
      while (nextProperty(reader)) {
        entries.add(
            new Entry(
                reader.getLineNumber(),
                reader.getPropertyName(),
                reader.getPropertyValue().strip()));
      }
    }
    return entries;
  }

  private static boolean nextProperty(PropertiesReader reader)
      throws IOException, AdminRulesException {
    try {
      return reader.nextProperty();
    } catch (RuntimeException e) {
      // A \\u without four digits after it.
      throw problem(reader.getLineNumber(), "is not well formed: " + e.getMessage());
    }
  }
}
