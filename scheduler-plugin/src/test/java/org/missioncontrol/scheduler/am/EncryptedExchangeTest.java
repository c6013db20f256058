/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.conf.Keys;
import org.missioncontrol.scheduler.control.ControlServer;
import org.missioncontrol.scheduler.control.ControlServers;
import org.missioncontrol.scheduler.control.RecordingRegistry;
import org.missioncontrol.scheduler.control.Secrets;

/** The controller where the shuffle ports speak HTTPS, set up as Hadoop's own fetchers are. */
class EncryptedExchangeTest {
  private static final String PASSWORD = "password";

  @TempDir private Path directory;

  @Test
  void aJobWithEncryptedShuffleIsAnnouncedOverHttps() throws Exception {
    Path store = keyStore();
    JobConf conf = new JobConf(false);
    conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    conf.setLong(Keys.Am.POLL_INTERVAL_MS_KEY, 10);
    TokenCache.setShuffleSecretKey(
        "secret".getBytes(StandardCharsets.UTF_8), conf.getCredentials());
    Files.writeString(directory.resolve("ssl-client.xml"), sslClient(store));
    RecordingRegistry registry = new RecordingRegistry();
    ControlServer server =
        ControlServers.of(
            new Secrets().with(FakeApp.JOB, ShuffleSecret.of(conf.getCredentials())), registry);
    FakeApp app = new FakeApp();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (FakeNodeManager nodeManager =
            FakeNodeManager.encrypted(serverContext(store), server::handle);
        URLClassLoader withSettings =
            new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
      thread.setContextClassLoader(withSettings);
      app.reduce("localhost:8042", nodeManager.node().port(), TaskAttemptState.RUNNING);
      Controllers.start(conf, app.context());
      await().atMost(Duration.ofSeconds(30)).until(() -> !registry.announced().isEmpty());
      app.state(JobState.SUCCEEDED);
      await().atMost(Duration.ofSeconds(30)).until(() -> !registry.withdrawn().isEmpty());
    } finally {
      app.state(JobState.SUCCEEDED);
      thread.setContextClassLoader(before);
    }
  }

  private Path keyStore() throws Exception {
    Path store = directory.resolve("store.jks");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "JKS",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-keypass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
    return store;
  }

  private static String sslClient(Path store) {
    return "<configuration>"
        + property("ssl.client.truststore.location", store.toString())
        + property("ssl.client.truststore.password", PASSWORD)
        + "</configuration>";
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private static SSLContext serverContext(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
