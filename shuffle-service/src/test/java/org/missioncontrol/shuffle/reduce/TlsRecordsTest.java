/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsRecordsTest {
  private static final int HEADER = 5;

  @TempDir static Path directory;
  private static SSLContext keys;
  private final Random random = new Random(7);
  private SSLEngine server;
  private TlsRecords sent;
  private TlsRecords records;

  @BeforeEach
  void handshake() throws Exception {
    if (keys == null) {
      keys = OwnKey.context(directory);
    }
    SSLContext any = SSLContext.getInstance("TLSv1.3");
    any.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
    SSLEngine client = any.createSSLEngine();
    client.setUseClientMode(true);
    server = keys.createSSLEngine();
    server.setUseClientMode(false);
    ByteBuffer toServer = ByteBuffer.allocate(64 << 10);
    ByteBuffer toClient = ByteBuffer.allocate(64 << 10);
    client.beginHandshake();
    server.beginHandshake();
    while (handshaking(client) || handshaking(server) || toClient.position() > 0) {
      step(client, toClient, toServer);
      step(server, toServer, toClient);
    }
    sent = new TlsRecords(server);
    records = new TlsRecords(client);
  }

  private static boolean handshaking(SSLEngine engine) {
    return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> engine.getDelegatedTask().run();
      case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
      default -> {
        in.flip();
        engine.unwrap(in, ByteBuffer.allocate(64 << 10));
        in.compact();
      }
    }
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private ByteBuf cipher(byte[] plain) throws SSLException {
    ByteBuf cipher = Unpooled.buffer();
    sent.encrypt(Unpooled.wrappedBuffer(plain), cipher);
    return cipher;
  }

  /** Feeds {@code cipher} in pieces; what comes out. */
  private byte[] plain(ByteBuf cipher, int piece) throws SSLException {
    ByteBuf all = Unpooled.buffer();
    while (cipher.isReadable()) {
      ByteBuf part = cipher.readSlice(Math.min(piece, cipher.readableBytes()));
      while (part.isReadable()) {
        records.take(part);
        ByteBuf plain = Unpooled.buffer(records.plainBytes(), records.plainBytes());
        records.plain(plain);
        all.writeBytes(plain);
      }
    }
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    return bytes;
  }

  @Test
  void bytesComeOutAsTheyWentInHoweverTheRecordsAreCut() throws Exception {
    for (int piece : new int[] {1, HEADER, 333, 16 << 10, 100_000, 1 << 20}) {
      byte[] bytes = bytes(500_000);
      assertThat(plain(cipher(bytes), piece)).as("pieces of %s", piece).isEqualTo(bytes);
    }
  }

  @Test
  void bothWays() throws Exception {
    byte[] bytes = bytes(40_000);
    ByteBuf cipher = Unpooled.buffer();
    records.encrypt(Unpooled.wrappedBuffer(bytes), cipher);
    records = sent;
    assertThat(plain(cipher, 1000)).isEqualTo(bytes);
  }

  @Test
  void theKeyMayChangeInTheMiddleAndIsAnswered() throws Exception {
    byte[] before = bytes(20_000);
    ByteBuf cipher = cipher(before);
    // In TLS 1.3 an update of the keys (RFC 8446, 4.6.3).
    server.beginHandshake();
    byte[] after = bytes(20_000);
    cipher.writeBytes(cipher(after));
    assertThat(plain(cipher, 777)).startsWith(before).endsWith(after).hasSize(40_000);
    byte[] request = bytes(3000);
    ByteBuf answer = Unpooled.buffer();
    records.encrypt(Unpooled.wrappedBuffer(request), answer);
    records = sent;
    assertThat(plain(answer, 50)).isEqualTo(request);
  }

  @Test
  void aChangedByteIsRefused() throws Exception {
    ByteBuf cipher = cipher(bytes(30_000));
    int at = 20_000;
    cipher.setByte(at, cipher.getByte(at) ^ 1);
    assertThatThrownBy(() -> plain(cipher, 1 << 20)).isInstanceOf(SSLException.class);
  }

  @Test
  void aRecordLeftOutIsRefused() throws Exception {
    ByteBuf cipher = cipher(bytes(1000));
    cipher.clear();
    ByteBuf next = cipher(bytes(1000));
    assertThatThrownBy(() -> plain(next, 1 << 20)).isInstanceOf(SSLException.class);
  }

  @Test
  void aRecordThatIsTooLongIsRefusedAndNotWaitedFor() {
    ByteBuf cipher = Unpooled.buffer();
    cipher.writeByte(23).writeShort(0x0303).writeShort(0xffff).writeZero(1000);
    assertThatThrownBy(() -> plain(cipher, 1 << 20)).isInstanceOf(SSLException.class);
  }

  @Test
  void aGoodbyeEndsIt() throws Exception {
    byte[] bytes = bytes(100);
    ByteBuf cipher = cipher(bytes);
    sent.goodbye(cipher);
    assertThat(plain(cipher, 1 << 20)).isEqualTo(bytes);
    assertThat(records.closed()).isTrue();
  }

  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
