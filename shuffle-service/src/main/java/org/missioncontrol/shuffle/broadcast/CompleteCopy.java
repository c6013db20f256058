/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.broadcast;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/**
 * A complete copy of one map output, as it came from its server: encrypted, compressed and with its
 * checksum. Owned by the thread that reads it.
 *
 * @param header what precedes it in a reply
 * @param bytes at its first byte
 */
public record CompleteCopy(MapOutputHeader header, InputStream bytes) implements AutoCloseable {
  private static final int BUFFER = 64 << 10;

  static CompleteCopy open(Path file) throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
    boolean opened = false;
    try {
      MapOutputHeader header =
          new MapOutputHeader(in.readUTF(), in.readLong(), in.readLong(), in.readInt());
      opened = true;
      return new CompleteCopy(header, in);
    } finally {
      if (!opened) {
        in.close();
      }
    }
  }

  static void write(MapOutputHeader header, DataOutputStream out) throws IOException {
    out.writeUTF(header.mapId());
    out.writeLong(header.partLength());
    out.writeLong(header.rawLength());
    out.writeInt(header.reduce());
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
