/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * HTTPS as the job's ssl-client.xml wants it: Hadoop's trust store, protocols and host name
 * verifier. Thread-safe.
 */
final class Tls implements AutoCloseable {
  /** Type of a subjectAltName (RFC 5280, 4.2.1.6). */
  private static final int IP_ADDRESS = 7;

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

  SslHandler newHandler() throws IOException {
    try {
      return new SslHandler(factory.createSSLEngine());
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot make a TLS engine", e);
    }
  }

  /** Waits for the handshake and checks whom the certificate names. */
  void verify(SslHandler handler, MapServer server, long timeoutMs)
      throws FetchFault, InterruptedException {
    boolean shaken =
        timeoutMs > 0
            ? handler.handshakeFuture().await(timeoutMs, TimeUnit.MILLISECONDS)
            : handler.handshakeFuture().await().isDone();
    if (!shaken || !handler.handshakeFuture().isSuccess()) {
      throw new FetchFault(
          FetchFault.Kind.HOST,
          null,
          "TLS handshake with " + server + (shaken ? " failed" : " took too long"),
          handler.handshakeFuture().cause());
    }
    SSLSession session = handler.engine().getSession();
    if (!namesAddress(server.host(), session)
        && !factory.getHostnameVerifier().verify(server.host(), session)) {
      throw new FetchFault(
          FetchFault.Kind.HOST, "the certificate of " + server + " is not for that host");
    }
  }

  /**
   * Whether {@code host} is an IP address that the certificate names (RFC 2818, 3.1). Hadoop's
   * verifiers know host names only; stock's reducer accepts an address since its URL connection
   * checks before them.
   */
  static boolean namesAddress(String host, SSLSession session) {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
    if (address == null) {
      return false;
    }
    try {
      X509Certificate certificate = (X509Certificate) session.getPeerCertificates()[0];
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names != null
          && names.stream()
              .filter(name -> Integer.valueOf(IP_ADDRESS).equals(name.get(0)))
              .map(name -> NetUtil.createByteArrayFromIpAddressString(name.get(1).toString()))
              .anyMatch(named -> Arrays.equals(named, address));
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      return false;
    }
  }

  @Override
  public void close() {
    factory.destroy();
  }
}
