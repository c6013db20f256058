/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

/** Our counters in a job, group "Mission Control". Immutable. */
enum JobCounter {
  /** Reducers that fetched their part of each map output. */
  SHUFFLE_REDUCERS,
  /** Reducers that fetched all of each map output. */
  BROADCAST_REDUCERS,
  /** Bytes that came over flows which the NodeManager granted. */
  LEASED_BYTES,
  /** Bytes that came over sockets of our own. */
  PLAIN_BYTES,
  /** Bytes of a broadcast that another reducer on the host had fetched. */
  COPIED_BYTES,
  /**
   * Bytes read from files of the reducer's own host; with the former three they make
   * REDUCE_SHUFFLE_BYTES.
   */
  LOCAL_BYTES,
  /** Outputs read from files of the reducer's own host. */
  LOCAL_OUTPUTS,
  /** Reducers that went back to fetching their own host's outputs over the network. */
  LOCAL_FALLBACKS,
  LEASED_FLOWS,
  PLAIN_FLOWS,
  /** Flows whose end at the reducer has not the transport that the job asked for. */
  TRANSPORT_REFUSED_CLIENT,
  /** Flows whose end at the server has not. */
  TRANSPORT_REFUSED_SERVER,
  /** Bytes that came through TLS, HTTPS included. */
  ENCRYPTED_BYTES,
  /** Connections to hosts that do not encrypt, or have not proved that they know the secret. */
  ENCRYPTION_REFUSED,
  /** Batches that were asked for before the one ahead of them had come whole. */
  BATCHES_AHEAD,
  /** Outputs that a server said it cannot send. */
  MAPS_REFUSED,
  /** Times that a host had to wait after a failure. */
  HOST_PENALTIES
}
