/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.channel.Channel;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.SecretKey;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.Keys.Transfer;
import org.missioncontrol.scheduler.security.JobHash;
import org.missioncontrol.shuffle.wire.TlsProof;

/**
 * TLS 1.3 without certificates. The handshake takes any key; the connection is not used until the
 * peer has proved with the job's secret that this key is its own ({@link TlsProof}). A key that is
 * proven stays so for this reducer: TLS shows each time that the peer holds it. One context, so
 * that later connections to a host resume the first one's session (RFC 8446, 2.2). Thread-safe.
 */
final class SecretTls implements Guard {
  private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};
  private static final long HANDSHAKE_MS = 30_000;

  private final String job;
  private final SecretKey secret;
  private final boolean required;
  private final SecureRandom random = new SecureRandom();
  private final AnyKey keys = new AnyKey();
  private final SSLContext context;
  private final Set<String> proven = ConcurrentHashMap.newKeySet();
  private final Set<MapServer> clear = ConcurrentHashMap.newKeySet();

  /**
   * @param required whether a host that speaks no TLS has failed; else it is asked in clear from
   *     then on
   * @throws IOException if this Java has no TLS 1.3
   */
  SecretTls(String job, SecretKey secret, boolean required) throws IOException {
    this.job = job;
    this.secret = secret;
    this.required = required;
    try {
      context = SSLContext.getInstance("TLSv1.3");
      context.init(null, new TrustManager[] {keys}, random);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot encrypt, this Java has no TLS 1.3", e);
    }
  }

  @Override
  public boolean required() {
    return required;
  }

  /** Handshakes that began with a key and not with a session. */
  int fullHandshakes() {
    return keys.seen.get();
  }

  @Override
  public @Nullable SslHandler newHandler(MapServer server) {
    if (clear.contains(server)) {
      return null;
    }
    SSLEngine engine = context.createSSLEngine(server.host(), server.port());
    engine.setUseClientMode(true);
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    engine.setEnabledCipherSuites(CIPHERS);
    SslHandler tls = new SslHandler(engine);
    tls.setHandshakeTimeoutMillis(HANDSHAKE_MS);
    return tls;
  }

  @Override
  public void verify(Channel channel, SslHandler tls, MapServer server, long timeoutMs)
      throws IOException, InterruptedException {
    boolean ended = Guard.awaitHandshake(tls, timeoutMs);
    Throwable why = tls.handshakeFuture().cause();
    if (!ended || why != null) {
      throw noTls(server, ended, why);
    }
    SSLSession session = tls.engine().getSession();
    String fingerprint = TlsProof.fingerprint(session.getPeerCertificates()[0].getPublicKey());
    if (proven.contains(fingerprint)) {
      return;
    }
    byte[] drawn = new byte[TlsProof.NONCE_BYTES];
    random.nextBytes(drawn);
    String nonce = HexFormat.of().formatHex(drawn);
    String proof = ProofExchange.ask(channel, server, TlsProof.uri(job, nonce), timeoutMs);
    if (!JobHash.matches(proof, TlsProof.message(job, nonce, fingerprint), secret)) {
      session.invalidate();
      throw new EncryptionRefused(
          server
              + " has not proved that it knows the job's secret: there may be somebody in between",
          false,
          null);
    }
    proven.add(fingerprint);
  }

  private IOException noTls(MapServer server, boolean ended, @Nullable Throwable why) {
    if (!(why instanceof NotSslRecordException)) {
      return new FetchFault(
          FetchFault.Kind.HOST,
          null,
          "TLS handshake with " + server + (ended ? " failed: " + why : " took too long"),
          why);
    }
    if (!required) {
      clear.add(server);
    }
    return new EncryptionRefused(
        server
            + " does not encrypt, and "
            + Transfer.ENCRYPTION_KEY
            + (required
                ? " is required: run Mission Control's handler there"
                : " is only preferred: its outputs come in clear"),
        !required,
        why);
  }

  /** Takes every key at the handshake: what it is worth, the proof says. */
  private static final class AnyKey extends X509ExtendedTrustManager {
    private final AtomicInteger seen = new AtomicInteger();

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      seen.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      seen.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      seen.incrementAndGet();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
