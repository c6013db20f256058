/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.net.InetSocketAddress;
import java.net.URI;

/**
 * Where map outputs are served. Immutable.
 *
 * @param path what precedes {@code /mapOutput}, usually empty
 */
record MapServer(String host, int port, String path) {
  /** Parses the address that a completion event carries, {@code http(s)://host:port[/path]}. */
  static MapServer parse(String url) {
    URI uri = URI.create(url);
    if (uri.getHost() == null || uri.getPort() < 0) {
      throw new IllegalArgumentException("no host and port of a map output server: " + url);
    }
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return new MapServer(
        uri.getHost(),
        uri.getPort(),
        path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
  }

  InetSocketAddress address() {
    return InetSocketAddress.createUnresolved(host, port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
