/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.door;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code mission-control/door} in each local directory of a NodeManager, which tells a
 * task where the door is: a line with the version, a line with the absolute path of the socket.
 * Immutable.
 */
public final class DoorPointer {
  /** Ours in a local directory. */
  public static final String DIRECTORY = "mission-control";

  private static final String FILE = "door";
  private static final String HEADER = "mission-control-door " + DoorMessage.VERSION;

  /** A task's directory is usercache/USER/appcache/APPLICATION below the NodeManager's. */
  private static final int MAX_LEVELS_UP = 5;

  private DoorPointer() {}

  /** Writes the pointer in a local directory, whole or not at all. */
  public static void write(Path localDir, Path socket) throws IOException {
    Path file = file(localDir);
    Path draft = file.resolveSibling(FILE + "." + ProcessHandle.current().pid());
    Files.writeString(draft, HEADER + "\n" + socket.toAbsolutePath() + "\n");
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The socket that a local directory points to, or null if there is no pointer of our version. */
  public static @Nullable Path read(Path localDir) throws IOException {
    try {
      List<String> lines = Files.readAllLines(file(localDir));
      return lines.size() == 2 && lines.get(0).equals(HEADER) ? Path.of(lines.get(1)) : null;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return null;
    }
  }

  /** Removes the pointer if it is still the one to {@code socket}. */
  public static void remove(Path localDir, Path socket) throws IOException {
    if (socket.toAbsolutePath().equals(read(localDir))) {
      Files.deleteIfExists(file(localDir));
    }
  }

  /**
   * The door of the NodeManager that runs a task, or null.
   *
   * @param localDirs value of the task's environment variable LOCAL_DIRS
   */
  public static @Nullable Path find(String localDirs) throws IOException {
    for (String dir : localDirs.split(",", -1)) {
      Path up = dir.isBlank() ? null : Path.of(dir.trim()).toAbsolutePath();
      for (int level = 0; up != null && level <= MAX_LEVELS_UP; level++) {
        Path socket = read(up);
        if (socket != null) {
          return socket;
        }
        up = up.getParent();
      }
    }
    return null;
  }

  private static Path file(Path localDir) {
    return localDir.resolve(DIRECTORY).resolve(FILE);
  }
}
