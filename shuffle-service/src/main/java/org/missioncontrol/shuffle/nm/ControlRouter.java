/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.scheduler.control.ControlRequest;
import org.missioncontrol.shuffle.server.ControlEndpoint;

/** Leads a message to whoever answers its path. Thread-safe. */
final class ControlRouter implements ControlEndpoint {
  private static final ObjectWriter JSON = new ObjectMapper().writerWithDefaultPrettyPrinter();

  private final @Nullable Supplier<@Nullable StatusReport> status;
  private final Function<ControlRequest, ControlReply> transfers;

  /**
   * @param status null when the status is not served; gives null while the service starts
   * @param transfers answers messages about transfers, and checks who sent them
   */
  ControlRouter(
      @Nullable Supplier<@Nullable StatusReport> status,
      Function<ControlRequest, ControlReply> transfers) {
    this.status = status;
    this.transfers = transfers;
  }

  @Override
  public ControlReply handle(ControlRequest request) {
    return switch (request.path()) {
      case ControlProtocol.TRANSFER_PATH -> transfers.apply(request);
      case ControlProtocol.STATUS_PATH -> status(request);
      default ->
          refusal(
              404,
              "nothing here; there are "
                  + ControlProtocol.STATUS_PATH
                  + " and "
                  + ControlProtocol.TRANSFER_PATH);
    };
  }

  private ControlReply status(ControlRequest request) {
    if (status == null) {
      return refusal(404, "the status is switched off (mission-control.status.enabled)");
    }
    if (!request.method().equals("GET")) {
      return refusal(405, "the status can only be read: GET " + ControlProtocol.STATUS_PATH);
    }
    StatusReport report = status.get();
    if (report == null) {
      return refusal(503, "the service is starting; ask again in a moment");
    }
    try {
      return new ControlReply(200, JSON.writeValueAsString(report), null);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the status cannot be written as JSON", e);
    }
  }

  private static ControlReply refusal(int status, String sentence) {
    return new ControlReply(status, sentence, null);
  }
}
