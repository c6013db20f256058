/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A key of somebody who does not know the job's secret. */
final class OwnKey {
  private OwnKey() {}

  /** TLS 1.3 with it; {@code directory} keeps the files. */
  static SSLContext context(Path directory) throws Exception {
    Path store = directory.resolve("own.p12");
    Process keytool =
        new ProcessBuilder(
                (System.getProperty("java.home")
                        + "/bin/keytool -genkeypair -alias own -keyalg EC -dname CN=own"
                        + " -storetype PKCS12 -storepass changeit -keystore "
                        + store)
                    .split(" "))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "changeit".toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, "changeit".toCharArray());
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
