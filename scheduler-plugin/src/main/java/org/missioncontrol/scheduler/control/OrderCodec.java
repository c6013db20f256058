/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.missioncontrol.transport.Transport;

/** Orders as JSON, by the rules of {@link ControlCodec}. Thread-safe. */
public final class OrderCodec {
  /** Longest body of an order, characters. */
  static final int MAX_BODY = 1024;

  private OrderCodec() {}

  /** The text to be signed; refuses what no NodeManager would take. */
  public static String encode(TransferOrder order) throws ControlException {
    return ControlCodec.write(checked(order));
  }

  /** Reads an order. */
  public static TransferOrder decode(String body) throws ControlException {
    ControlCodec.require(body.length() <= MAX_BODY, "the order is longer than " + MAX_BODY);
    return checked(ControlCodec.read(body, TransferOrder.class));
  }

  private static TransferOrder checked(TransferOrder order) throws ControlException {
    ControlCodec.require(
        order.version() == TransferOrder.VERSION,
        "the order's version is " + order.version() + ", not " + TransferOrder.VERSION);
    Float weight = order.weight();
    ControlCodec.require(
        weight == null || (weight > 0 && weight <= ControlCodec.MAX_WEIGHT),
        "weight is not a positive number up to " + ControlCodec.MAX_WEIGHT);
    String transport = order.transport();
    if (transport != null) {
      try {
        Transport.check(transport);
      } catch (IllegalArgumentException e) {
        throw new ControlException(String.valueOf(e.getMessage()));
      }
    }
    return order;
  }
}
