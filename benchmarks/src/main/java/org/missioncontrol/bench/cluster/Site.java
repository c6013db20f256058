/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A configuration directory being filled: every entry goes to core-site.xml, which all of Hadoop
 * reads, and to yarn-site.xml, which overrides yarn-default.xml. Owned by one thread.
 */
final class Site {
  private static final String LOG4J =
      """
      log4j.rootLogger=INFO,out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
      """;

  private final Map<String, String> entries = new LinkedHashMap<>();

  Site set(String key, Object value) {
    entries.put(key, value.toString());
    return this;
  }

  Site setAll(Map<String, String> more) {
    entries.putAll(more);
    return this;
  }

  /** Writes the files that daemons, clients and tasks read. */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Configuration conf = new Configuration(false);
    entries.forEach(conf::set);
    for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "yarn-site.xml"}) {
      writeXml(conf, directory.resolve(file));
    }
    writeXml(conf, directory.resolve("mapred-site.xml"));
    writeXml(conf, directory.resolve("capacity-scheduler.xml"));
    Files.writeString(directory.resolve("log4j.properties"), LOG4J);
  }

  private static void writeXml(Configuration conf, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      conf.writeXml(out);
    }
  }
}
