/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/**
 * The envelope that TLS wants around a key: a self-signed X.509 certificate, version 1, in DER (RFC
 * 5280, 4.1; X.690). It says nothing but the key, and its dates are the widest that there are.
 * Immutable.
 */
final class SelfSigned {
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  /** OBJECT IDENTIFIER 1.2.840.10045.4.3.2, ecdsa-with-SHA256 (RFC 5758, 3.2). */
  private static final byte[] ECDSA_SHA256 = HexFormat.of().parseHex("06082a8648ce3d040302");

  /** OBJECT IDENTIFIER 2.5.4.3, commonName. */
  private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");

  private SelfSigned() {}

  /**
   * @param keys on an elliptic curve
   * @param name not empty, ASCII
   */
  static X509Certificate of(KeyPair keys, String name) throws GeneralSecurityException {
    byte[] algorithm = der(SEQUENCE, ECDSA_SHA256);
    byte[] who = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, ascii(name)))));
    byte[] when =
        der(
            SEQUENCE,
            der(UTC_TIME, ascii("000101000000Z")),
            der(GENERALIZED_TIME, ascii("99991231235959Z")));
    byte[] signed =
        der(
            SEQUENCE,
            der(INTEGER, new byte[] {1}),
            algorithm,
            who,
            when,
            who,
            keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(signed);
    byte[] certificate =
        der(SEQUENCE, signed, algorithm, der(BIT_STRING, new byte[] {0}, signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Tag, length, contents; no longer than 65,535 bytes. */
  private static byte[] der(int tag, byte[]... contents) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] content : contents) {
      body.writeBytes(content);
    }
    int length = body.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (length > 0xff) {
      out.write(0x82);
      out.write(length >> 8);
    } else if (length > 0x7f) {
      out.write(0x81);
    }
    out.write(length);
    out.writeBytes(body.toByteArray());
    return out.toByteArray();
  }
}
