/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.jspecify.annotations.Nullable;

/** What the host and its administrator allow an operator. Thread-safe, does not block. */
@FunctionalInterface
public interface OrderCheck {
  /** Why the order is not taken, one sentence for the operator, or null if it is. */
  @Nullable String refusal(String job, TransferOrder order);
}
