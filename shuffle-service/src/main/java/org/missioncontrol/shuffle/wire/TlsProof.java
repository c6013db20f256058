/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.wire;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.missioncontrol.scheduler.control.ControlProtocol;

/**
 * How a map host proves, inside TLS, that the connection ends at itself: it hashes, with the job's
 * secret, the fingerprint of its own key and a number that the reducer has just drawn. Whoever
 * stands in between has another key, and TLS proves that the peer holds its own. Immutable.
 */
public final class TlsProof {
  /** GET, with {@link #JOB} and {@link #NONCE} as parameters. */
  public static final String PATH = ControlProtocol.ROOT + "tls";

  public static final String JOB = "job";
  public static final String NONCE = "nonce";

  /** Header of the reply: the hash, under the job's secret, of {@link #message}. */
  public static final String HEADER = "mission-control-tls-proof";

  /** Bytes of a nonce, which is written in hexadecimal. */
  public static final int NONCE_BYTES = 32;

  private static final Pattern NONCE_FORM = Pattern.compile("[0-9a-f]{" + 2 * NONCE_BYTES + "}");

  private TlsProof() {}

  /** What the reducer asks for. */
  public static String uri(String job, String nonce) {
    return PATH + "?" + JOB + "=" + job + "&" + NONCE + "=" + nonce;
  }

  /** Whether it has the form of a nonce. */
  public static boolean isNonce(String text) {
    return NONCE_FORM.matcher(text).matches();
  }

  /** No other message that is hashed with a job's secret begins like this. */
  public static String message(String job, String nonce, String fingerprint) {
    return String.join("\n", "mission-control tls 1", job, nonce, fingerprint);
  }

  /** SHA-256 of the key's SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), in hexadecimal. */
  public static String fingerprint(PublicKey key) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
