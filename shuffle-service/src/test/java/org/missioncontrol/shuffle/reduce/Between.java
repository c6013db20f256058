/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Somebody on the way between reducer and map host, who sees all bytes and can do as he likes. */
final class Between implements AutoCloseable {
  /** What he does with a connection of the reducer. */
  interface Doing {
    void with(Socket reducer) throws IOException;
  }

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private volatile int hostPort;
  private volatile Doing firstTime = this::forward;

  Between() throws IOException {
    start(
        () -> {
          while (true) {
            Socket reducer = listener.accept();
            sockets.add(reducer);
            Doing doing = connections.getAndIncrement() == 0 ? firstTime : this::forward;
            start(() -> doing.with(reducer));
          }
        });
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Behind it is this host. */
  void before(int port) {
    hostPort = port;
  }

  /** Does this with the first connection, and passes on the others. */
  void firstTime(Doing doing) {
    firstTime = doing;
  }

  int connections() {
    return connections.get();
  }

  /** All bytes that were there to be read, both ways, as Latin-1. */
  String seen() {
    synchronized (seen) {
      return seen.toString(StandardCharsets.ISO_8859_1);
    }
  }

  /** Passes bytes on, and looks at them. */
  void forward(Socket reducer) throws IOException {
    pump(reducer, track(new Socket(InetAddress.getByName("localhost"), hostPort)));
  }

  /** Ends the reducer's TLS with a key of its own and speaks TLS with the host. */
  void decrypt(SSLContext ownKey, Socket reducer) throws IOException {
    Socket inside = ownTls(ownKey, reducer);
    Socket host = track(new Socket(InetAddress.getByName("localhost"), hostPort));
    pump(inside, tlsTo(host));
  }

  Socket ownTls(SSLContext ownKey, Socket reducer) throws IOException {
    SSLSocket inside =
        (SSLSocket) ownKey.getSocketFactory().createSocket(reducer, null, reducer.getPort(), true);
    inside.setUseClientMode(false);
    inside.startHandshake();
    return track(inside);
  }

  /** Reads up to the end of a request's head. */
  String head(Socket inside) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = inside.getInputStream().read();
      if (next < 0) {
        throw new IOException("closed");
      }
      head.write(next);
    }
    remember(head.toByteArray(), head.size());
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** A TLS connection to the host that takes any key. */
  static Socket tlsTo(Socket host) throws IOException {
    try {
      SSLContext any = SSLContext.getInstance("TLSv1.3");
      any.init(null, new TrustManager[] {new Anybody()}, null);
      return any.getSocketFactory().createSocket(host, "localhost", host.getPort(), true);
    } catch (java.security.GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private void pump(Socket one, Socket other) {
    start(() -> copy(one, other));
    start(() -> copy(other, one));
  }

  private void copy(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[16 << 10];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        remember(buffer, read);
        out.write(buffer, 0, read);
        out.flush();
      }
    }
  }

  private void remember(byte[] bytes, int length) {
    synchronized (seen) {
      seen.write(bytes, 0, length);
    }
  }

  private Socket track(Socket socket) {
    sockets.add(socket);
    return socket;
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                Thread.currentThread().interrupt(); // The end of a connection, or of the test.
              }
            },
            "test-between");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
