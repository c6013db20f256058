/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.util.List;

/**
 * All of a reply, its length settled. Owned by the connection, which closes it.
 *
 * @param outputs in the order asked
 * @param contentLength bytes of all heads and files
 * @param small memory that is given back when the reply is out or has failed
 */
record PreparedReply(
    AuthenticatedRequest request,
    List<PreparedOutput> outputs,
    long contentLength,
    SmallBytes.Share small)
    implements AutoCloseable {
  PreparedReply {
    outputs = List.copyOf(outputs);
  }

  @Override
  public void close() {
    outputs.forEach(PreparedOutput::close);
    small.close();
  }
}
