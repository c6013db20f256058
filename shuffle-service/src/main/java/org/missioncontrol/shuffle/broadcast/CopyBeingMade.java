/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.broadcast;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/**
 * The copy of one map output, while its owner fetches it for itself. Never gets in the owner's way:
 * what fails here makes that there is no copy, and nothing else. Owned by one thread at a time.
 */
public final class CopyBeingMade implements AutoCloseable {
  private final Path part;
  private final Path copy;
  private final FileLock claim;
  private final LongPredicate room;
  private @Nullable DataOutputStream out;
  private long missing;

  CopyBeingMade(Path part, Path copy, FileLock claim, LongPredicate room) {
    this.part = part;
    this.copy = copy;
    this.claim = claim;
    this.room = room;
  }

  /** The output begins. */
  public void begin(MapOutputHeader header) {
    if (out != null || !room.test(header.partLength())) {
      return;
    }
    try {
      out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(part)));
      CompleteCopy.write(header, out);
      missing = header.partLength();
    } catch (IOException e) {
      abandon();
    }
  }

  /** Bytes of it have come. */
  public void write(byte[] bytes, int offset, int length) {
    if (out == null) {
      return;
    }
    try {
      out.write(bytes, offset, length);
      missing -= length;
    } catch (IOException e) {
      abandon();
    }
  }

  /**
   * All of it has come and was found right: the others may have it.
   *
   * @return whether they can
   */
  public boolean publish() {
    if (out == null || missing != 0) {
      return false;
    }
    try {
      out.close();
      out = null;
      Files.move(part, copy, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      abandon();
      return false;
    }
  }

  private void abandon() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      // The disk is full, perhaps; the file goes next.
    } finally {
      out = null;
    }
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // Whoever claims the output next truncates it.
    }
  }

  /** Gives the claim back; what was not published is gone. Idempotent. */
  @Override
  public void close() {
    if (out != null) {
      abandon();
    }
    try {
      claim.release();
    } catch (IOException e) {
      // Its file is closed, and the claim with it.
    }
  }
}
