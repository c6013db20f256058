/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.DecoderException;
import org.missioncontrol.shuffle.door.DoorMessage.Refused;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Throws out who does not belong at the door: told, counted, logged once. Thread-safe. */
@SuppressWarnings(
    "FutureReturnValueIgnored") // the socket is closed whether or not the line arrives
final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
  private static final int MAX_REASON = 300;

  private final ThrottleCounters counters;

  Refusals(ThrottleCounters counters) {
    this.counters = counters;
  }

  /** Says why and closes; what still comes from there is not read. */
  void refuse(Channel channel, String reason) {
    if (!channel.config().isAutoRead()) {
      return;
    }
    channel.config().setAutoRead(false);
    counters.count(ThrottleCounter.SESSIONS_REFUSED);
    String printable = printable(reason);
    LOG.warn("refused at the door: {}", printable);
    channel.writeAndFlush(new Refused(printable)).addListener(ChannelFutureListener.CLOSE);
  }

  /** Closes without a word, which would wait with all the others. */
  void drop(Channel channel, String reason) {
    counters.count(ThrottleCounter.SESSIONS_REFUSED);
    LOG.warn("dropped at the door: {}", printable(reason));
    channel.close();
  }

  /** A line that is none is a refusal; a broken socket just closes. */
  void failed(Channel channel, String who, Throwable cause) {
    if (cause instanceof DecoderException) {
      refuse(channel, who + ": " + cause.getMessage());
    } else {
      LOG.debug("lost at the door: {}", who, cause);
      channel.close();
    }
  }

  /** What came from the network may be anything. */
  private static String printable(String text) {
    String cut = text.length() > MAX_REASON ? text.substring(0, MAX_REASON) + "..." : text;
    return cut.replaceAll("[^ -~]", "?");
  }
}
