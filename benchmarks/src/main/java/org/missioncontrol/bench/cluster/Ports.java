/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out TCP ports that nobody uses. Owned by one cluster. A port is claimed by holding the UDP
 * port of the same number, so that clusters started at the same time, also in other processes, get
 * different ones; all lie below the kernel's ephemeral range, so no outgoing connection takes one
 * while its daemon is being restarted.
 */
final class Ports implements Closeable {
  private static final int LOWEST = 12_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 2_000;

  private final List<DatagramSocket> claims = new ArrayList<>();

  int next() throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (claim(port)) {
        return port;
      }
    }
    throw new IOException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  private boolean claim(int port) throws IOException {
    DatagramSocket claim;
    try {
      claim = new DatagramSocket(port, InetAddress.getLoopbackAddress());
    } catch (SocketException taken) {
      return false;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(false);
      probe.bind(new java.net.InetSocketAddress(port));
    } catch (IOException taken) {
      claim.close();
      return false;
    }
    claims.add(claim);
    return true;
  }

  @Override
  public void close() {
    claims.forEach(DatagramSocket::close);
    claims.clear();
  }
}
