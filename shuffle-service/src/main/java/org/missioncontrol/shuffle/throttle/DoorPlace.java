/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.Keys;
import org.missioncontrol.conf.ThrottleConfig;
import org.missioncontrol.shuffle.door.DoorPointer;
import org.missioncontrol.transport.linux.DomainSockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the socket lies and how tasks find it: in the configured directory, else in the first local
 * directory that will do, else, if that path is longer than a socket may have, in a directory for
 * temporary files. Every local directory points to it. Owned by {@link Door}.
 */
final class DoorPlace {
  private static final Logger LOG = LoggerFactory.getLogger(DoorPlace.class);
  private static final String TEMPORARY_PREFIX = "mission-control-door";
  private static final Set<PosixFilePermission> FOR_ALL_TO_ENTER =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final Path socket;
  private final List<Path> localDirs;

  private DoorPlace(Path socket, List<Path> localDirs) {
    this.socket = socket;
    this.localDirs = localDirs;
  }

  /**
   * Makes place, replacing the socket of a dead NodeManager.
   *
   * @throws IOException if a NodeManager that lives has its door there, or there is no place
   */
  static DoorPlace prepare(ThrottleConfig config, Path temporary) throws IOException {
    List<Path> localDirs = writable(config.localDirs());
    if (localDirs.isEmpty()) {
      throw new IOException("no local directory can be written: " + config.localDirs());
    }
    for (Path localDir : localDirs) {
      Path before = DoorPointer.read(localDir);
      if (before != null) {
        removeDead(before);
      }
    }
    String name = "door-" + identity(config.localDirs()) + ".sock";
    Path directory =
        config.doorDirectory().isEmpty()
            ? localDirs.get(0).resolve(DoorPointer.DIRECTORY)
            : Path.of(config.doorDirectory()).toAbsolutePath();
    Path socket = directory.resolve(name);
    if (DomainSockets.fits(socket)) {
      Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(FOR_ALL_TO_ENTER));
      removeDead(socket);
    } else {
      Path made = Files.createTempDirectory(temporary, TEMPORARY_PREFIX);
      Files.setPosixFilePermissions(made, FOR_ALL_TO_ENTER);
      socket = made.resolve("s");
      if (!DomainSockets.fits(socket)) {
        Files.delete(made);
        throw new IOException(
            "too long for a socket: " + socket + "; set " + Keys.Throttle.DOOR_DIRECTORY_KEY);
      }
    }
    return new DoorPlace(socket, localDirs);
  }

  Path socket() {
    return socket;
  }

  /** Lets every user connect and tells the tasks; who may do what is a matter of secrets. */
  void publish() throws IOException {
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    for (Path localDir : localDirs) {
      DoorPointer.write(localDir, socket);
    }
  }

  /** Removes what was made here. Idempotent. */
  void remove() throws IOException {
    IOException first = null;
    for (Path localDir : localDirs) {
      try {
        DoorPointer.remove(localDir, socket);
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    removeSocket(socket);
    if (first != null) {
      throw first;
    }
  }

  private static List<Path> writable(List<String> localDirs) {
    List<Path> writable = new ArrayList<>();
    for (String localDir : localDirs) {
      Path path = Path.of(localDir).toAbsolutePath();
      try {
        Path ours = path.resolve(DoorPointer.DIRECTORY);
        Files.createDirectories(ours);
        Files.setPosixFilePermissions(ours, FOR_ALL_TO_ENTER);
        writable.add(path);
      } catch (IOException e) {
        LOG.warn("no pointer to the door in {}: {}", localDir, e.toString());
      }
    }
    return writable;
  }

  /** The same for a NodeManager that is started again, another for its neighbour on the host. */
  private static String identity(List<String> localDirs) {
    byte[] name = String.join(",", localDirs).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).toString().substring(0, 8);
  }

  private static void removeDead(Path socket) throws IOException {
    if (!Files.exists(socket)) {
      return;
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException refused) {
      LOG.debug("nobody is behind {}", socket, refused);
      removeSocket(socket);
      return;
    }
    throw new IOException("a NodeManager that lives has its door at " + socket);
  }

  private static void removeSocket(Path socket) throws IOException {
    Files.deleteIfExists(socket);
    Path directory = parent(socket);
    if (directory != null && directory.getFileName().toString().startsWith(TEMPORARY_PREFIX)) {
      Files.deleteIfExists(directory);
    }
  }

  private static @Nullable Path parent(Path socket) {
    Path parent = socket.getParent();
    return parent == null || parent.getFileName() == null ? null : parent;
  }
}
