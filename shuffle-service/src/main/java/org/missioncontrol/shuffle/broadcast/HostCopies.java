/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.broadcast;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Map outputs that reducers of one job on one host keep for each other: a directory in the job's
 * own part of the NodeManager's local directories, which the NodeManager deletes when the job ends.
 * A complete copy has its final name; the file {@code claims} has a byte for each map, whose lock
 * belongs to the process that fetches its output now, and is freed by the kernel when that dies.
 * All these processes are the job's user's, so nobody gains anything by a wrong copy.
 *
 * <p>Thread-safe. One instance in a process, since closing a file frees all its locks.
 */
public final class HostCopies implements AutoCloseable {
  private static final String DIRECTORY = "mission-control-broadcast";
  private static final String COPY = ".copy";
  private static final String PART = ".part";

  private final Path directory;
  private final long mostBytes;
  private final FileChannel claims;
  private volatile long usedBytes;

  /** The outcome of a claim. Immutable. */
  public sealed interface Claim {
    /** The caller is to fetch the output and make the copy. */
    record Mine(CopyBeingMade copy) implements Claim {}

    /** Another process fetches it, or has just done so. */
    record Others() implements Claim {}

    /** There is no room for a copy; the caller is to fetch for itself alone. */
    record NoRoom() implements Claim {}
  }

  private HostCopies(Path directory, long mostBytes, FileChannel claims) {
    this.directory = directory;
    this.mostBytes = mostBytes;
    this.claims = claims;
  }

  /**
   * Opens the job's copies on this host.
   *
   * @param localDirs the task's local directories, the same in every task of the job
   * @param mostBytes of all copies together, about
   * @throws IOException if no local directory takes them
   */
  public static HostCopies open(List<Path> localDirs, long mostBytes) throws IOException {
    IOException why = new IOException("the task has no local directory");
    for (Path local : localDirs) {
      try {
        Path directory = local.resolve(DIRECTORY);
        if (!Files.isDirectory(directory)) {
          Files.createDirectories(
              directory,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        FileChannel claims =
            FileChannel.open(
                directory.resolve("claims"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        return new HostCopies(directory, mostBytes, claims);
      } catch (IOException e) {
        why.addSuppressed(e);
      }
    }
    throw why;
  }

  /** Attempts whose outputs can be {@link #read}. Reads the directory. */
  public Set<String> complete() throws IOException {
    Set<String> complete = new HashSet<>();
    long used = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        used += size(file);
        if (name.endsWith(COPY)) {
          complete.add(name.substring(0, name.length() - COPY.length()));
        }
      }
    }
    usedBytes = used;
    return complete;
  }

  /**
   * Asks to be the one that fetches an output.
   *
   * @param map number of the map, by which attempts of the same map exclude each other
   */
  public Claim claim(String attempt, int map) throws IOException {
    if (usedBytes >= mostBytes) {
      return new Claim.NoRoom();
    }
    FileLock lock = lock(map);
    if (lock == null) {
      return new Claim.Others();
    }
    boolean claimed = false;
    try {
      if (Files.exists(copy(attempt))) {
        return new Claim.Others();
      }
      CopyBeingMade made = new CopyBeingMade(part(attempt), copy(attempt), lock, this::hasRoomFor);
      claimed = true;
      return new Claim.Mine(made);
    } finally {
      if (!claimed) {
        lock.release();
      }
    }
  }

  private @Nullable FileLock lock(int map) throws IOException {
    try {
      return claims.tryLock(map, 1, false);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private boolean hasRoomFor(long bytes) {
    return usedBytes + bytes <= mostBytes;
  }

  /** Bytes that whoever fetches an output has written of its copy so far; 0 before the first. */
  public long progress(String attempt) {
    try {
      return size(part(attempt));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens a complete copy. */
  public CompleteCopy read(String attempt) throws IOException {
    return CompleteCopy.open(copy(attempt));
  }

  private Path copy(String attempt) {
    return directory.resolve(attempt + COPY);
  }

  private Path part(String attempt) {
    return directory.resolve(attempt + PART);
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Where the copies lie. */
  @Override
  public String toString() {
    return directory.toString();
  }

  /** Frees every claim of this process; the copies stay. */
  @Override
  public void close() throws IOException {
    claims.close();
  }
}
