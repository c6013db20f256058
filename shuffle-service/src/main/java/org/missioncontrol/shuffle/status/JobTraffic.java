/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import org.jspecify.annotations.Nullable;

/**
 * What a job has moved through this NodeManager since the service started. Immutable.
 *
 * @param user that the job runs as
 * @param sentBytes bytes of its map outputs that this host's server has given to the network,
 *     without heads
 * @param receivedBytes bytes that the kernel has received on the flows leased to its reducers here,
 *     heads of replies included; what reducers fetch over sockets of their own is not seen
 */
public record JobTraffic(String job, @Nullable String user, long sentBytes, long receivedBytes) {}
