/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorHash;
import org.missioncontrol.shuffle.door.DoorMessage.Hello;

/** Speaks to the door line by line, without the code of the reducer. */
final class RawTask implements Closeable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NONCE = "0123456789abcdef";

  final SocketChannel control;
  private final BufferedReader lines;
  private @Nullable SocketChannel descriptors;
  private String nonce = "";
  private int files;

  RawTask(Path door) throws IOException {
    control = connect(door);
    lines = new BufferedReader(Channels.newReader(control, UTF_8));
  }

  static RawTask inside(Path door, String job) throws IOException {
    RawTask task = new RawTask(door);
    task.hello(job);
    task.say("{'type':'proof','hash':'" + task.proof(job) + "'}");
    String token = task.hear("welcome").get("token").asText();
    SocketChannel second = connect(door);
    task.descriptors = second;
    write(second, "{'type':'attach','version':1,'token':'" + token + "'}");
    task.files = task.hear("ready").get("files").asInt();
    return task;
  }

  JsonNode hello(String job) throws IOException {
    say(
        "{'type':'hello','version':1,'job':'%s','attempt':'attempt_1','nonce':'%s','new':[1]}"
            .formatted(job, NONCE));
    JsonNode challenge = hear("challenge");
    nonce = challenge.get("nonce").asText();
    return challenge;
  }

  String proof(String job) throws IOException {
    return DoorHash.ofTask(new Hello(1, job, "attempt_1", NONCE), nonce, Node.secretOf(job));
  }

  /** Port of the files that can be asked for here. */
  int files() {
    return files;
  }

  void ask(long id, int port) throws IOException {
    say(
        "{'type':'ask','id':%d,'host':'127.0.0.1','port':%d,'transport':'default','timeoutMs':0}"
            .formatted(id, port));
  }

  void say(String line) throws IOException {
    write(control, line);
  }

  JsonNode hear(String type) throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new IOException("closed, where " + type + " was expected");
    }
    JsonNode message = JSON.readTree(line);
    if (!message.get("type").asText().equals(type)) {
      throw new IOException(type + " was expected: " + line);
    }
    return message;
  }

  /** Why we are refused; the socket must be closed after it. */
  String refusal() throws IOException {
    String reason = hear("refused").get("reason").asText();
    if (lines.readLine() != null) {
      throw new IOException("not closed after " + reason);
    }
    return reason;
  }

  @Override
  public void close() throws IOException {
    control.close();
    if (descriptors != null) {
      descriptors.close();
    }
  }

  static SocketChannel connect(Path door) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(door));
    return channel;
  }

  static void write(SocketChannel channel, String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line.replace('\'', '"') + "\n").getBytes(UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
