/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a message that is addressed to {@code host:port} is for this NodeManager: the port is
 * ours, and the host is a name that we know ourselves by, or one of an address of this host. Blocks
 * for the look-up of a name that is new. Thread-safe.
 */
final class OwnAddress implements Predicate<String> {
  private static final Logger LOG = LoggerFactory.getLogger(OwnAddress.class);

  /** Only who knows a job's secret can add one. */
  private static final int MAX_REMEMBERED = 256;

  private final Set<String> names;
  private final IntSupplier port;
  private final Set<String> remembered = ConcurrentHashMap.newKeySet();

  /**
   * @param names of this host, from its own configuration
   * @param port that is bound; 0 before
   */
  OwnAddress(Set<String> names, IntSupplier port) {
    this.names = Set.copyOf(names);
    this.port = port;
  }

  @Override
  public boolean test(String receiver) {
    int colon = receiver.lastIndexOf(':');
    if (colon <= 0 || !receiver.substring(colon + 1).equals(Integer.toString(port.getAsInt()))) {
      return false;
    }
    String host = receiver.substring(0, colon);
    if (names.contains(host)) {
      return true;
    }
    if (remembered.contains(host)) {
      return true;
    }
    boolean own = isOwn(host);
    if (own && remembered.size() < MAX_REMEMBERED) {
      remembered.add(host);
    }
    return own;
  }

  private static boolean isOwn(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
          return true;
        }
      }
      return false;
    } catch (UnknownHostException | SocketException e) {
      LOG.debug("{} is no name of this host", host, e);
      return false;
    }
  }
}
