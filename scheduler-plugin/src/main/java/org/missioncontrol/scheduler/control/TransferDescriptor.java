/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

/**
 * What an ApplicationMaster tells a NodeManager about its transfer. Immutable.
 *
 * @param version of the message, {@link ControlProtocol#VERSION}
 * @param job {@code job_<cluster timestamp>_<number>}
 * @param transferClass {@link #SHUFFLE} or {@link #BROADCAST}
 * @param submitTimeMs since the epoch
 * @param machines hosts that the job's reducers run on
 * @param bytesKnown map output bytes finished so far
 * @param weight wanted share, positive
 * @param transport name of the wanted transport
 * @param local what concerns the receiving host alone
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
    float weight,
    String transport,
    LocalPart local) {
  /** Each reducer fetches its part of every map output. */
  public static final String SHUFFLE = "shuffle";

  /** Each reducer fetches all of every map output. */
  public static final String BROADCAST = "broadcast";

  /** A message without a part for the host, or of an older sender, has an empty one. */
  public TransferDescriptor {
    local = local == null ? LocalPart.NONE : local;
  }

  /** A transfer as all hosts hear of it. */
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
        weight,
        transport,
        LocalPart.NONE);
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
        weight,
        transport,
        part);
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
        weight,
        transport,
        local);
  }
}
