/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The administrator's file as it changes: keeps the last rules that were good. A file is new when
 * its time, size or inode is; it should be replaced by a rename, lest half of it be read. Each
 * {@link #look} costs one stat(2) while nothing changes. Owned by one thread but for its getters.
 */
public final class RulesFile {
  private final Path path;
  private @Nullable Stamp seen;
  private boolean looked;
  private volatile AdminRules rules = AdminRules.NONE;
  private volatile @Nullable String problem;

  /** Not looked at yet. */
  public RulesFile(Path path) {
    this.path = path;
  }

  private record Stamp(FileTime modified, long size, @Nullable Object inode) {}

  /** What one look found. */
  public enum Found {
    /** The file is as it was. */
    NOTHING_NEW,
    /** There are new rules. */
    NEW_RULES,
    /** The file can no longer be used, for another reason than before; the rules are as before. */
    NEW_PROBLEM
  }

  /** Looks at the file and reads it if it is new. */
  public Found look() {
    Stamp now = stamp();
    if (looked && Objects.equals(now, seen)) {
      return Found.NOTHING_NEW;
    }
    looked = true;
    seen = now;
    try {
      rules = AdminRules.parse(path);
      problem = null;
      return Found.NEW_RULES;
    } catch (AdminRulesException e) {
      return problem(path + " is not in force: " + e.getMessage());
    } catch (NoSuchFileException e) {
      return problem(path + " does not exist");
    } catch (IOException e) {
      return problem(path + " cannot be read: " + e);
    }
  }

  private Found problem(String now) {
    boolean same = now.equals(problem);
    problem = now;
    return same ? Found.NOTHING_NEW : Found.NEW_PROBLEM;
  }

  /** The last rules that were good; none before the first. Thread-safe. */
  public AdminRules rules() {
    return rules;
  }

  /** Why the file as it is now is not in force, or null if it is. Thread-safe. */
  public @Nullable String problem() {
    return problem;
  }

  /** Where it is. Thread-safe. */
  public Path path() {
    return path;
  }

  private @Nullable Stamp stamp() {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(now.lastModifiedTime(), now.size(), now.fileKey());
    } catch (IOException e) {
      // Reading it will say why.
      return null;
    }
  }
}
