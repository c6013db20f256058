/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.missioncontrol.scheduler.control.StoredBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sizes of one job's map outputs on this host, of each map once, whichever attempt made it. An
 * index that cannot be read yet is looked at again the next time. Thread-safe.
 */
final class JobTally {
  private static final Logger LOG = LoggerFactory.getLogger(JobTally.class);
  private static final Pattern MAP = Pattern.compile("attempt_\\d+_\\d+_m_(\\d{1,9})_\\d+");

  /** Map outputs of one job on one host that are counted. */
  private static final int MAX_OUTPUTS = 100_000;

  private final String job;
  private final String user;
  private final Set<String> maps = new HashSet<>();
  private long[] bytes = {};
  private boolean looking;
  private boolean looked;
  private long lookedNanos;

  JobTally(String job, String user) {
    this.job = job;
    this.user = user;
  }

  /** Whether it is time to {@link #look}; who is told so does. */
  synchronized boolean mayLook(long nowNanos, long restNanos) {
    if (looking || (looked && nowNanos - lookedNanos < restNanos)) {
      return false;
    }
    looking = true;
    looked = true;
    lookedNanos = nowNanos;
    return true;
  }

  synchronized StoredBytes counted() {
    return new StoredBytes(maps.size(), LongStream.of(bytes).boxed().toList());
  }

  /** Reads the indexes that are new. Blocks. */
  void look(List<String> localDirs) {
    try {
      String outputs = OutputId.directoryOf(job, user);
      for (String localDir : localDirs) {
        lookInto(Path.of(localDir, outputs));
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot count the map outputs of {}", job, e);
    } finally {
      synchronized (this) {
        looking = false;
      }
    }
  }

  private void lookInto(Path outputs) throws IOException {
    if (!Files.isDirectory(outputs)) {
      return;
    }
    try (DirectoryStream<Path> attempts = Files.newDirectoryStream(outputs)) {
      for (Path attempt : attempts) {
        Matcher name = MAP.matcher(attempt.getFileName().toString());
        if (name.matches() && !known(name.group(1))) {
          read(name.group(1), attempt.resolve("file.out.index").toFile());
        }
      }
    }
  }

  private synchronized boolean known(String map) {
    return maps.contains(map) || maps.size() >= MAX_OUTPUTS;
  }

  private void read(String map, File index) {
    if (!index.exists()) {
      return;
    }
    try (RandomAccessFile file = SecureFiles.open(index, user)) {
      if (file.length() > MapOutputIndex.fileBytes(StoredBytes.MAX_PARTITIONS)) {
        return;
      }
      add(map, MapOutputIndex.read(file));
    } catch (IOException e) {
      // Most likely it is still being written.
      LOG.debug("{} is not counted yet", index, e);
    }
  }

  private synchronized void add(String map, MapOutputIndex index) {
    if (index.partitions() > bytes.length) {
      bytes = Arrays.copyOf(bytes, index.partitions());
    }
    for (int i = 0; i < index.partitions(); i++) {
      bytes[i] += Math.max(0, index.partLength(i));
    }
    maps.add(map);
  }
}
