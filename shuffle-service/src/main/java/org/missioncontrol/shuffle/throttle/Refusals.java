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
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.missioncontrol.shuffle.door.DoorMessage.Refused;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Throws out who does not belong at the door: told, counted, and logged, of a flood only the first
 * few in a minute. Thread-safe.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // the socket is closed whether or not the line arrives
final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
  private static final int MAX_REASON = 300;

  private static final int LOGGED_PER_PERIOD = 10;
  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ThrottleCounters counters;
  private final WarningBudget warnings;

  /**
   * @param nanoClock as {@link System#nanoTime}
   */
  Refusals(ThrottleCounters counters, LongSupplier nanoClock) {
    this.counters = counters;
    this.warnings = new WarningBudget(LOGGED_PER_PERIOD, PERIOD_NANOS, nanoClock);
  }

  /** Says why and closes; what still comes from there is not read. */
  void refuse(Channel channel, String reason) {
    if (!channel.config().isAutoRead()) {
      return;
    }
    channel.config().setAutoRead(false);
    counters.count(ThrottleCounter.SESSIONS_REFUSED);
    String printable = printable(reason);
    warn("refused at the door: ", printable);
    channel.writeAndFlush(new Refused(printable)).addListener(ChannelFutureListener.CLOSE);
  }

  /** Closes without a word, which would wait with all the others. */
  void drop(Channel channel, String reason) {
    counters.count(ThrottleCounter.SESSIONS_REFUSED);
    warn("dropped at the door: ", printable(reason));
    channel.close();
  }

  private void warn(String what, String reason) {
    long unsaid = warnings.spend();
    if (unsaid > 0) {
      LOG.warn("{}{} (and {} more before, not logged)", what, reason, unsaid);
    } else if (unsaid == 0) {
      LOG.warn("{}{}", what, reason);
    }
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
