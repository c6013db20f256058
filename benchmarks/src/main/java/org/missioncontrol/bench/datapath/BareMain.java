/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.datapath;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.missioncontrol.bench.host.Child;
import org.missioncontrol.bench.host.Usage;

/**
 * What the kernel can do without any shuffle: one JVM sends a file by transferTo, another one
 * reads. Hears {@code serve FILE}, which answers the port, {@code read PORT BYTES TIMES [FILE]} and
 * {@code usage}. Immutable.
 */
public final class BareMain {
  private static final int BUFFER_BYTES = 1 << 18;

  private BareMain() {}

  /** Entry point. */
  public static void main(String[] arguments) throws IOException {
    Child.serve(
        words ->
            switch (words[0]) {
              case "serve" -> Integer.toString(serve(Path.of(words[1])));
              case "read" -> {
                Usage before = Usage.now();
                read(words);
                yield Usage.now().since(before).line();
              }
              case "usage" -> Usage.now().line();
              default -> throw new IOException("not understood: " + words[0]);
            });
    System.exit(0);
  }

  private static int serve(Path file) throws IOException {
    ServerSocketChannel listener =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread server = new Thread(() -> serve(listener, file), "bare-server");
    server.setDaemon(true);
    server.start();
    return ((InetSocketAddress) listener.getLocalAddress()).getPort();
  }

  private static void serve(ServerSocketChannel listener, Path file) {
    try (FileChannel data = FileChannel.open(file, READ)) {
      while (true) {
        try (SocketChannel peer = listener.accept()) {
          ByteBuffer request = ByteBuffer.allocate(2 * Long.BYTES);
          for (int read = 0; read >= 0 && request.hasRemaining(); ) {
            read = peer.read(request);
          }
          long bytes = request.flip().getLong();
          for (long times = request.getLong(); times > 0; times--) {
            for (long sent = 0; sent < bytes; ) {
              sent += data.transferTo(sent, bytes - sent, peer);
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(String[] words) throws IOException {
    long bytes = Long.parseLong(words[2]);
    long times = Long.parseLong(words[3]);
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    int port = Integer.parseInt(words[1]);
    try (SocketChannel peer =
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        FileChannel to =
            words.length > 4
                ? FileChannel.open(Path.of(words[4]), CREATE, WRITE, TRUNCATE_EXISTING)
                : null) {
      buffer.putLong(bytes).putLong(times).flip();
      while (buffer.hasRemaining()) {
        peer.write(buffer);
      }
      for (long left = bytes * times; left > 0; ) {
        buffer.clear();
        int read = peer.read(buffer);
        if (read < 0) {
          throw new EOFException(left + " bytes are missing");
        }
        left -= read;
        buffer.flip();
        while (to != null && buffer.hasRemaining()) {
          to.write(buffer);
        }
      }
    }
  }
}
