/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.door;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.SecretKey;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.shuffle.door.DoorMessage.Hello;

/**
 * How both sides of the door show that they know the job's secret without telling it. The nonce of
 * the other side is in each hash, so none can be replayed, and so is the role, so none can be
 * mirrored. Thread-safe.
 */
public final class DoorHash {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_BYTES = 16;

  private DoorHash() {}

  /** 32 hexadecimal digits that nobody can guess. */
  public static String nonce() {
    byte[] random = new byte[NONCE_BYTES];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  public static String ofNodeManager(Hello hello, String nonce, SecretKey secret)
      throws IOException {
    return JobHash.of(text("node manager", hello, nonce), secret);
  }

  public static String ofTask(Hello hello, String nonce, SecretKey secret) throws IOException {
    return JobHash.of(text("task", hello, nonce), secret);
  }

  /** In constant time. */
  public static boolean isOfNodeManager(String hash, Hello hello, String nonce, SecretKey secret)
      throws IOException {
    return JobHash.matches(hash, text("node manager", hello, nonce), secret);
  }

  /** In constant time. */
  public static boolean isOfTask(String hash, Hello hello, String nonce, SecretKey secret)
      throws IOException {
    return JobHash.matches(hash, text("task", hello, nonce), secret);
  }

  private static String text(String role, Hello hello, String nonce) {
    return String.join(
        "\n",
        "mission-control door " + DoorMessage.VERSION,
        role,
        hello.nonce(),
        nonce,
        hello.job(),
        hello.attempt());
  }
}
