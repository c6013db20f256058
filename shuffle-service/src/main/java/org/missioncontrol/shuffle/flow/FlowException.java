/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import java.io.IOException;

/** No connection to a map host could be made. */
public final class FlowException extends IOException {
  private static final long serialVersionUID = 1L;

  public FlowException(String message) {
    super(message);
  }

  public FlowException(String message, Throwable cause) {
    super(message, cause);
  }
}
