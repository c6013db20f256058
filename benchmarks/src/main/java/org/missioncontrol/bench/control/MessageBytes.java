/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.control;

/**
 * Size of one control message and of its answer, in bytes of HTTP. Immutable.
 *
 * @param request to the NodeManager
 * @param reply from the NodeManager
 */
record MessageBytes(double request, double reply) {
  private static final int SEGMENT = 1448;

  /** Ethernet, IPv4 and TCP with timestamps, and the gap between frames. */
  private static final int HEADERS = 14 + 4 + 20 + 20 + 32;

  /** Opening and closing a connection, in each direction. */
  private static final int HANDSHAKE_SEGMENTS = 3;

  /** The sizes on a host with so many transfers, from those measured with one and with many. */
  static MessageBytes at(int transfers, MessageBytes withOne, int many, MessageBytes withMany) {
    double part = many == 1 ? 0 : (transfers - 1.0) / (many - 1);
    return new MessageBytes(
        withOne.request + part * (withMany.request - withOne.request),
        withOne.reply + part * (withMany.reply - withOne.reply));
  }

  /** On the wire to the NodeManager: the request, acknowledgements, a connection of its own. */
  double toNode() {
    return wire(request, reply);
  }

  /** On the wire from the NodeManager. */
  double fromNode() {
    return wire(reply, request);
  }

  private static double wire(double data, double acknowledged) {
    double segments =
        Math.ceil(data / SEGMENT) + Math.ceil(acknowledged / SEGMENT) + HANDSHAKE_SEGMENTS;
    return data + segments * HEADERS;
  }
}
