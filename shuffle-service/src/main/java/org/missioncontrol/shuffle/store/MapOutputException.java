/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;

/**
 * A map output that cannot be sent. Its message is fit for a peer: it names the attempt, never a
 * local path; the cause may name both. Immutable.
 */
public final class MapOutputException extends IOException {
  private static final long serialVersionUID = 1;

  private final Failure failure;

  /** Names the attempt and what is wrong with it. */
  public MapOutputException(Failure failure, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.failure = failure;
  }

  /** Which kind it is. */
  public Failure failure() {
    return failure;
  }
}
