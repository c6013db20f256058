/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.TlsProof;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server's key pair for TLS 1.3: drawn at its start, never written anywhere, vouched for by
 * {@link TlsProof} and not by a certificate. Thread-safe.
 */
final class NodeKey implements TlsEngines {
  private static final Logger LOG = LoggerFactory.getLogger(NodeKey.class);

  /** The shorter key first: half as fast again, and no weaker than the curve. */
  private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};

  private final SSLContext context;
  private final String fingerprint;

  private NodeKey(SSLContext context, String fingerprint) {
    this.context = context;
    this.fingerprint = fingerprint;
  }

  /** Draws a key pair; null, with a warning, if this Java cannot. */
  static @Nullable NodeKey generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      return new NodeKey(context(keys), TlsProof.fingerprint(keys.getPublic()));
    } catch (GeneralSecurityException | IOException e) {
      LOG.warn("Map outputs cannot be sent encrypted, this Java lacks what it takes: {}", e + "");
      return null;
    }
  }

  private static SSLContext context(KeyPair keys) throws GeneralSecurityException, IOException {
    char[] password = new char[0];
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, password);
    store.setKeyEntry(
        "node",
        keys.getPrivate(),
        password,
        new X509Certificate[] {SelfSigned.of(keys, "mission-control")});
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, password);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /** {@link TlsProof#fingerprint} of the public key. */
  String fingerprint() {
    return fingerprint;
  }

  @Override
  public SSLEngine newEngine() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    engine.setEnabledCipherSuites(CIPHERS);
    return engine;
  }
}
