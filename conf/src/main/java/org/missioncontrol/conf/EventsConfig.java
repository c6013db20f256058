/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import org.apache.hadoop.conf.Configuration;
import org.missioncontrol.conf.Keys.Fetch;

/**
 * How a job's reducers learn which maps have ended. Immutable.
 *
 * @param mostPerSecond questions a second that all of them together may put to the
 *     ApplicationMaster where they ask more often than stock; 0: never more often
 */
public record EventsConfig(int mostPerSecond) {
  /** Refuses numbers out of range, naming the key. */
  public EventsConfig {
    Checks.atLeast(Fetch.EVENTS_PER_SECOND_KEY, 0, mostPerSecond);
  }

  /** Parses a job's configuration; throws {@link IllegalArgumentException} naming the bad key. */
  public static EventsConfig from(Configuration conf) {
    return new EventsConfig(
        Read.integer(conf, Fetch.EVENTS_PER_SECOND_KEY, Fetch.EVENTS_PER_SECOND_DEFAULT));
  }
}
