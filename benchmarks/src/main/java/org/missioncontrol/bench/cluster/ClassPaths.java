/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.stream.Stream;

/**
 * Where Hadoop's jars and ours lie on this machine. Immutable. Hadoop's list is written by the
 * build ({@code target/cluster-classpath.txt}); system properties {@value #LIST_PROPERTY} and
 * {@value #JAR_PROPERTY} override what is found beside this class.
 *
 * @param hadoop jars that every daemon, client and task needs
 * @param hdfsOnly jars for NameNode and DataNode alone: they hold HDFS's web pages, and tests
 * @param examples jar with TeraGen, TeraSort and TeraValidate
 * @param missionControl the deployable jar
 * @param bench classes of this module: jobs and the daemons' launcher
 */
public record ClassPaths(
    List<Path> hadoop, List<Path> hdfsOnly, Path examples, Path missionControl, Path bench) {
  /** Names the file with Hadoop's class path. */
  public static final String LIST_PROPERTY = "mission-control.cluster.classpath";

  /** Names the deployable jar. */
  public static final String JAR_PROPERTY = "mission-control.jar";

  /** Copies the lists. */
  public ClassPaths {
    hadoop = List.copyOf(hadoop);
    hdfsOnly = List.copyOf(hdfsOnly);
  }

  /** Reads the list that the build wrote; fails with the command to run when something lacks. */
  public static ClassPaths find() throws IOException {
    Path bench = ownLocation();
    Path target = bench.resolveSibling("").toAbsolutePath();
    Path list = property(LIST_PROPERTY, target.resolve("cluster-classpath.txt"));
    if (!Files.isRegularFile(list)) {
      throw new IOException("no class path list at " + list + "; run: mvn -DskipTests package");
    }
    List<Path> hadoop = new ArrayList<>();
    List<Path> hdfsOnly = new ArrayList<>();
    List<Path> examples = new ArrayList<>();
    StringTokenizer entries =
        new StringTokenizer(Files.readString(list).trim(), File.pathSeparator);
    while (entries.hasMoreTokens()) {
      Path jar = Path.of(entries.nextToken());
      String name = String.valueOf(jar.getFileName());
      if (name.matches("hadoop-hdfs-[0-9.]+-tests\\.jar")) {
        hdfsOnly.add(jar);
      } else if (name.startsWith("hadoop-mapreduce-examples-")) {
        examples.add(jar);
      } else {
        hadoop.add(jar);
      }
    }
    if (examples.size() != 1) {
      throw new IOException("expected one hadoop-mapreduce-examples jar in " + list);
    }
    return new ClassPaths(hadoop, hdfsOnly, examples.get(0), deployableJar(target), bench);
  }

  /** The same with our own classes in another directory. */
  ClassPaths movedTo(Path directory) {
    Path jar = directory.resolve("mission-control.jar");
    Path classes = directory.resolve(Files.isDirectory(bench) ? "bench" : "bench.jar");
    return new ClassPaths(hadoop, hdfsOnly, examples, jar, classes);
  }

  private static Path deployableJar(Path benchTarget) throws IOException {
    Path dir = benchTarget.resolve("../../shuffle-service/target").normalize();
    if (System.getProperty(JAR_PROPERTY) != null || !Files.isDirectory(dir)) {
      return property(JAR_PROPERTY, dir.resolve("mission-control.jar"));
    }
    try (Stream<Path> files = Files.list(dir)) {
      return files
          .filter(
              file -> String.valueOf(file.getFileName()).matches("mission-control-[0-9].*\\.jar"))
          .findFirst()
          .orElse(dir.resolve("mission-control.jar"));
    }
  }

  private static Path property(String key, Path otherwise) {
    String value = System.getProperty(key);
    return value == null ? otherwise : Path.of(value).toAbsolutePath();
  }

  private static Path ownLocation() throws IOException {
    try {
      return Path.of(ClassPaths.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("cannot tell where " + ClassPaths.class + " was loaded from", e);
    }
  }
}
