/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Map outputs of this host as open files, from the NodeManager. Thread-safe; nothing blocks. */
public interface LocalFiles {
  /** {@link #port} while it is not known yet; flows wait then too. */
  int UNKNOWN = -1;

  /** No file is to be had. */
  LocalFiles NONE =
      new LocalFiles() {
        @Override
        public int port() {
          return 0;
        }

        @Override
        public void onChange(Runnable listener) {}

        @Override
        public CompletableFuture<List<LocalFile>> open(int reduce, List<String> attempts) {
          return CompletableFuture.failedFuture(new FlowException("no door"));
        }
      };

  /** Port on this host whose map outputs are to be had now, 0 if none, or {@link #UNKNOWN}. */
  int port();

  /** From now on {@code listener} hears, on any thread, that {@link #port} has changed. */
  void onChange(Runnable listener);

  /**
   * Asks for one partition of each of these outputs. Completes with an answer for each, in any
   * order; exceptionally with a {@link FlowException} when nobody is there to answer, and with a
   * {@link java.util.concurrent.TimeoutException} when who is there does not. If the future is
   * completed by somebody else, files that still come are closed.
   */
  CompletableFuture<List<LocalFile>> open(int reduce, List<String> attempts);
}
