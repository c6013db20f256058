/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock's mapreduce.shuffle.ssl.enabled, with ssl-server.xml on the NodeManager's class path. */
class EncryptedShuffleTest {
  private static final String MAP = "attempt_1111111111111_0001_m_000000_0";
  private static final String PASSWORD = "changeit";

  @TempDir Path root;
  private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
  private final SSLSocketFactory sockets = HttpsURLConnection.getDefaultSSLSocketFactory();
  private Configuration conf;

  @BeforeEach
  void writeKeysAndMapOutput() throws Exception {
    ServiceRun.outputs(root).write(MAP, "a", "b");
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {root.toUri().toURL()}, loader));
    conf = ServiceRun.conf(root);
    conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    Configuration ssl = new Configuration(false);
    ssl.set("ssl.server.keystore.location", root.resolve("keys").toString());
    ssl.set("ssl.server.keystore.password", PASSWORD);
    ssl.set("ssl.server.keystore.keypassword", PASSWORD);
    try (var out = Files.newOutputStream(root.resolve("ssl-server.xml"))) {
      ssl.writeXml(out);
    }
  }

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(loader);
    HttpsURLConnection.setDefaultSSLSocketFactory(sockets);
  }

  @Test
  void mapOutputsAreServedOverHttps() throws Exception {
    makeKeys();
    try (ServiceRun run = ServiceRun.ours(root, conf)) {
      run.addAlice();
      HttpsURLConnection.setDefaultSSLSocketFactory(trustingOurKey());

      assertThat(new StockClient("https", run.port(), Jobs.SECRET).fetch(1, false, MAP))
          .containsEntry(MAP, "b");
      assertThatThrownBy(() -> run.client().status(MAP)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void withoutKeysTheStartFailsAndClosesTheStore() throws Exception {
    assertThatThrownBy(() -> ServiceRun.ours(root, conf)).hasMessageContaining("keys");

    ServiceRun.ours(root).close();
  }

  private void makeKeys() throws Exception {
    String command =
        System.getProperty("java.home")
            + "/bin/keytool -genkeypair -alias node -keyalg EC -dname CN=localhost"
            + " -ext san=dns:localhost -storetype JKS -storepass changeit -keypass changeit"
            + " -keystore "
            + root.resolve("keys");
    Process keytool =
        new ProcessBuilder(command.split(" "))
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).as(Files.readString(root.resolve("keytool.log"))).isZero();
  }

  private SSLSocketFactory trustingOurKey() throws Exception {
    KeyStore keys = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(root.resolve("keys"))) {
      keys.load(in, PASSWORD.toCharArray());
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context.getSocketFactory();
  }
}
