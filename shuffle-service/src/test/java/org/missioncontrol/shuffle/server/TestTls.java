/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;

/** A key pair made by the JDK's keytool, which both ends use. */
final class TestTls implements TlsEngines {
  private static final String PASSWORD = "password";

  private final SSLContext context;

  TestTls(Path dir) throws IOException, GeneralSecurityException, InterruptedException {
    Path store = dir.resolve("keystore.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "test",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed: " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("SunX509");
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(keys);
    context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
  }

  @Override
  public SSLEngine newEngine() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    return engine;
  }

  Socket over(Socket plain) throws IOException {
    return context.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
  }
}
