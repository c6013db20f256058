/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;

/** Where the parts of a reply come from, one after the other. Owned by the copier. */
@FunctionalInterface
interface ReplySource {
  /**
   * Waits for the next part.
   *
   * @param timeoutMs 0 waits for ever
   * @throws IOException the fault that ended the reply, or that nothing came in time
   */
  Reply take(long timeoutMs) throws IOException, InterruptedException;
}
