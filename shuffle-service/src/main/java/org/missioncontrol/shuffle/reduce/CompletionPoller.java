/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the ApplicationMaster again and again which maps have ended. Runs on its own thread. */
final class CompletionPoller implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionPoller.class);
  private static final int MIN_EVENTS = 100;
  private static final int MAX_EVENTS = 10_000;

  /** Events that all reducers together may make the ApplicationMaster serialize (stock's). */
  private static final int EVENTS_OF_ALL_REDUCERS = 3_000_000;

  /** What the poller tells. Thread-safe. */
  interface Listener {
    void events(TaskCompletionEvent[] events);

    /** All events will be told again. */
    void reset();

    void fatal(Throwable why);
  }

  /** How patient the poller is when nobody answers, milliseconds and times. Immutable. */
  record Patience(long retryInterval, int retries) {
    /** Stock's. */
    static final Patience STOCK = new Patience(5000, 10);
  }

  private final TaskUmbilicalProtocol umbilical;
  private final TaskAttemptID reduce;
  private final int most;
  private final EventPace pace;
  private final KnownMaps known;
  private final Patience patience;
  private final LongSupplier clock;
  private final Listener listener;
  private int seen;

  /**
   * @param maps of the job
   * @param clock milliseconds, the pace's
   */
  CompletionPoller(
      TaskUmbilicalProtocol umbilical,
      TaskAttemptID reduce,
      int maps,
      int reducers,
      EventPace pace,
      Patience patience,
      LongSupplier clock,
      Listener listener) {
    this.umbilical = umbilical;
    this.reduce = reduce;
    this.known = new KnownMaps(maps);
    this.most =
        Math.min(MAX_EVENTS, Math.max(MIN_EVENTS, EVENTS_OF_ALL_REDUCERS / Math.max(1, reducers)));
    this.pace = pace;
    this.patience = patience;
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public void run() {
    try {
      int failures = 0;
      while (!Thread.currentThread().isInterrupted()) {
        try {
          poll();
          failures = 0;
          Thread.sleep(pace.pause(known.all(), clock.getAsLong()));
        } catch (IOException e) {
          if (++failures >= patience.retries()) {
            throw new IOException("too many failures downloading events", e);
          }
          LOG.warn("Cannot ask the ApplicationMaster for map completion events, trying again", e);
          Thread.sleep(patience.retryInterval());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      listener.fatal(e);
    }
  }

  private void poll() throws IOException {
    int got;
    do {
      MapTaskCompletionEventsUpdate update =
          umbilical.getMapCompletionEvents(reduce.getJobID(), seen, most, reduce);
      TaskCompletionEvent[] events = update.getMapTaskCompletionEvents();
      got = events.length;
      if (update.shouldReset()) {
        seen = 0;
        known.forget();
        listener.reset();
      }
      seen += got;
      if (got > 0) {
        pace.news(clock.getAsLong());
        Arrays.stream(events).forEach(known::heard);
        listener.events(events);
      }
    } while (got == most);
  }
}
