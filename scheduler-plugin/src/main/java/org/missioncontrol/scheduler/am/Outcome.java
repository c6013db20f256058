/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import org.missioncontrol.scheduler.control.HostAnswer;

/** How one call to a NodeManager ended. Immutable. */
public sealed interface Outcome {
  /** The NodeManager took the message; its answer was signed with the job's secret. */
  record Accepted(HostAnswer answer) implements Outcome {}

  /** The NodeManager took the message, but has no place for one that waits. */
  record Busy() implements Outcome {}

  /** What answers there does not speak our messages: a stock shuffle handler. */
  record Stock(int status) implements Outcome {}

  /** Anything else; {@code kind} is the same for failures that need not be told apart. */
  record Failed(String kind, String reason) implements Outcome {}
}
