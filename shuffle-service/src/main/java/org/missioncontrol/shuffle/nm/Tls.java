/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLEngine;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.missioncontrol.shuffle.server.TlsEngines;

/** Stock's encrypted shuffle: Hadoop's SSLFactory after ssl-server.xml. Thread-safe. */
final class Tls implements TlsEngines, AutoCloseable {
  private final SSLFactory factory;

  private Tls(SSLFactory factory) {
    this.factory = factory;
  }

  /** Loads the key stores; leaves nothing behind when it throws. */
  static Tls open(Configuration conf) throws IOException, GeneralSecurityException {
    SSLFactory factory = new SSLFactory(SSLFactory.Mode.SERVER, conf);
    try {
      factory.init();
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      factory.destroy();
      throw e;
    }
    return new Tls(factory);
  }

  @Override
  public SSLEngine newEngine() throws IOException, GeneralSecurityException {
    return factory.createSSLEngine();
  }

  @Override
  public void close() {
    factory.destroy();
  }
}
