/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** What operators and NodeManagers share and jobs do not know. Immutable. */
public final class OperatorSecret {
  /** Least length of a secret, bytes. */
  public static final int MIN_BYTES = 16;

  private static final int MAX_BYTES = 4096;
  private static final String ALGORITHM = "HmacSHA256";
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rw-------");

  private final SecretKeySpec key;

  private OperatorSecret(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /**
   * Reads a secret: all of a file but for white space at its ends.
   *
   * @throws IOException naming the file and what is wrong with it: it cannot be read, others than
   *     its owner may (mode other than 0600 or 0400), or it is too short or too long
   */
  public static OperatorSecret read(Path file) throws IOException {
    checkMode(file);
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " is longer than a secret: more than " + MAX_BYTES + " bytes");
    }
    byte[] secret = Files.readString(file, UTF_8).strip().getBytes(UTF_8);
    if (secret.length < MIN_BYTES) {
      throw new IOException(file + " is too short for a secret: less than " + MIN_BYTES + " bytes");
    }
    return new OperatorSecret(secret);
  }

  private static void checkMode(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("there is no file " + file);
    }
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      throw new IOException("who may read " + file + " cannot be told on this file system");
    }
    Set<PosixFilePermission> mode = view.readAttributes().permissions();
    if (!OWNER_ALONE.containsAll(mode)) {
      throw new IOException(
          file
              + " has mode "
              + PosixFilePermissions.toString(mode)
              + ": others than its owner might know the secret; chmod 600 it, and change it");
    }
  }

  /** Base64 of the HMAC-SHA256 of {@code message}. */
  public String sign(String message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getEncoder().encodeToString(mac.doFinal(message.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
    }
  }

  /** Compares in constant time; null never matches. */
  boolean matches(@Nullable String signature, String message) {
    return signature != null
        && MessageDigest.isEqual(signature.getBytes(UTF_8), sign(message).getBytes(UTF_8));
  }
}
