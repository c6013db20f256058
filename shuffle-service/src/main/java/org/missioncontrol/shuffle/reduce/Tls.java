/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLSession;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.missioncontrol.scheduler.security.PeerNames;

/**
 * HTTPS as the job's ssl-client.xml wants it: Hadoop's trust store, protocols and host name
 * verifier. Thread-safe.
 */
final class Tls implements Guard {
  private final SSLFactory factory;

  Tls(JobConf job) throws IOException {
    factory = new SSLFactory(SSLFactory.Mode.CLIENT, job);
    try {
      factory.init();
    } catch (GeneralSecurityException | IOException e) {
      factory.destroy();
      throw new IOException("cannot read the shuffle's TLS settings (ssl-client.xml)", e);
    }
  }

  @Override
  public SslHandler newHandler(MapServer server) throws IOException {
    try {
      return new SslHandler(factory.createSSLEngine());
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot make a TLS engine", e);
    }
  }

  /** Nothing goes in clear to a host that is expected to speak HTTPS. */
  @Override
  public boolean required() {
    return true;
  }

  /** Waits for the handshake and checks whom the certificate names. */
  @Override
  public void verify(Channel channel, SslHandler handler, MapServer server, long timeoutMs)
      throws FetchFault, InterruptedException {
    boolean shaken = Guard.awaitHandshake(handler, timeoutMs);
    if (!shaken || !handler.handshakeFuture().isSuccess()) {
      throw new FetchFault(
          FetchFault.Kind.HOST,
          null,
          "TLS handshake with " + server + (shaken ? " failed" : " took too long"),
          handler.handshakeFuture().cause());
    }
    SSLSession session = handler.engine().getSession();
    if (!PeerNames.match(server.host(), session, factory.getHostnameVerifier())) {
      throw new FetchFault(
          FetchFault.Kind.HOST, "the certificate of " + server + " is not for that host");
    }
  }

  @Override
  public void close() {
    factory.destroy();
  }
}
