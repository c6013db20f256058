/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A map host does not encrypt, or has not proved that it knows the job's secret. Immutable. */
final class EncryptionRefused extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean clearInstead;

  /**
   * @param clearInstead whether the job goes on with that host in clear
   */
  EncryptionRefused(String message, boolean clearInstead, @Nullable Throwable cause) {
    super(message, cause);
    this.clearInstead = clearInstead;
  }

  boolean clearInstead() {
    return clearInstead;
  }
}
