/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an ApplicationMaster tells a NodeManager about its transfer. Immutable.
 *
 * @param version of the message, {@link ControlProtocol#VERSION}
 * @param job {@code job_<cluster timestamp>_<number>}
 * @param transferClass {@link #SHUFFLE} or {@link #BROADCAST}
 * @param submitTimeMs since the epoch
 * @param machines hosts that the job's reducers run on
 * @param bytesKnown map output bytes finished so far
 * @param segmentBytes mean bytes that a reducer fetches of one of the map outputs that are
 *     finished; null while none is
 * @param weight wanted share, positive
 * @param transport name of the wanted transport
 * @param local what concerns the receiving host alone
 * @param parameters what a NodeManager needs of it beyond the name, {@value #MAX_PARAMETERS} at
 *     most
 */
public record TransferDescriptor(
    int version,
    String job,
    String user,
    String queue,
    String priority,
    String transferClass,
    long submitTimeMs,
    int machines,
    long bytesKnown,
    @Nullable Long segmentBytes,
    float weight,
    String transport,
    LocalPart local,
    Map<String, String> parameters) {
  /** Each reducer fetches its part of every map output. */
  public static final String SHUFFLE = "shuffle";

  /** Each reducer fetches all of every map output. */
  public static final String BROADCAST = "broadcast";

  /** Most parameters of a transport. */
  static final int MAX_PARAMETERS = 16;

  /** A part for the host or parameters that are missing are empty. */
  public TransferDescriptor {
    local = local == null ? LocalPart.NONE : local;
    parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
  }

  /** A transfer as all hosts hear of it, of a transport without parameters. */
  public TransferDescriptor(
      int version,
      String job,
      String user,
      String queue,
      String priority,
      String transferClass,
      long submitTimeMs,
      int machines,
      long bytesKnown,
      float weight,
      String transport) {
    this(
        version,
        job,
        user,
        queue,
        priority,
        transferClass,
        submitTimeMs,
        machines,
        bytesKnown,
        null,
        weight,
        transport,
        LocalPart.NONE,
        Map.of());
  }

  /** The same transfer, as far as nodes must hear of it at once. */
  public TransferDescriptor withoutProgress() {
    return new TransferDescriptor(
        version,
        job,
        user,
        queue,
        priority,
        transferClass,
        0,
        0,
        0,
        null,
        weight,
        transport,
        LocalPart.NONE,
        parameters);
  }

  /** The same transfer with another weight and transport. */
  public TransferDescriptor withFlight(
      float newWeight, String newTransport, Map<String, String> newParameters) {
    return new TransferDescriptor(
        version,
        job,
        user,
        queue,
        priority,
        transferClass,
        submitTimeMs,
        machines,
        bytesKnown,
        segmentBytes,
        newWeight,
        newTransport,
        local,
        newParameters);
  }

  /** The same transfer, of map outputs of which this is known. */
  public TransferDescriptor withSegments(@Nullable Long meanBytes) {
    return new TransferDescriptor(
        version,
        job,
        user,
        queue,
        priority,
        transferClass,
        submitTimeMs,
        machines,
        bytesKnown,
        meanBytes,
        weight,
        transport,
        local,
        parameters);
  }

  /** The same for one host. */
  public TransferDescriptor with(LocalPart part) {
    return new TransferDescriptor(
        version,
        job,
        user,
        queue,
        priority,
        transferClass,
        submitTimeMs,
        machines,
        bytesKnown,
        segmentBytes,
        weight,
        transport,
        part,
        parameters);
  }

  /** The same transfer, of the user that the receiver knows it to be of. */
  public TransferDescriptor withUser(String known) {
    return new TransferDescriptor(
        version,
        job,
        known,
        queue,
        priority,
        transferClass,
        submitTimeMs,
        machines,
        bytesKnown,
        segmentBytes,
        weight,
        transport,
        local,
        parameters);
  }
}
