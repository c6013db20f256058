/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.security;

import io.netty.util.NetUtil;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Whom a certificate names. Immutable. */
public final class PeerNames {
  /** Type of a subjectAltName (RFC 5280, 4.2.1.6). */
  private static final int IP_ADDRESS = 7;

  private PeerNames() {}

  /** Whether the peer of a session is {@code host}, a name or an address. */
  public static boolean match(String host, SSLSession session, HostnameVerifier verifier) {
    return namesAddress(host, session) || verifier.verify(host, session);
  }

  /**
   * Whether {@code host} is an IP address that the certificate names (RFC 2818, 3.1). Hadoop's
   * verifiers know host names only; stock's reducer accepts an address since its URL connection
   * checks before them.
   */
  public static boolean namesAddress(String host, SSLSession session) {
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
}
