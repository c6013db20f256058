/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import org.junit.jupiter.api.Test;
import org.missioncontrol.shuffle.wire.TlsProof;

class SelfSignedTest {
  @Test
  void theCertificateHoldsTheKeyIsSignedWithItAndNeverEnds() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair keys = generator.generateKeyPair();
    X509Certificate certificate = SelfSigned.of(keys, "x".repeat(200));

    certificate.verify(keys.getPublic());
    certificate.checkValidity();
    assertThat(certificate.getPublicKey()).isEqualTo(keys.getPublic());
    assertThat(certificate.getNotAfter()).isInTheFuture();
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + "x".repeat(200));
    assertThat(TlsProof.fingerprint(certificate.getPublicKey()))
        .matches("[0-9a-f]{64}")
        .isEqualTo(TlsProof.fingerprint(keys.getPublic()));
  }
}
