/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.jspecify.annotations.Nullable;

/** One message as it came from the network, nothing checked yet. Immutable. */
public record ControlRequest(
    String method,
    String path,
    @Nullable String receiver,
    @Nullable String job,
    @Nullable String sequence,
    @Nullable String signature,
    String body) {}
