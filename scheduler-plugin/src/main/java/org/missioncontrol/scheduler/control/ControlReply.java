/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import org.jspecify.annotations.Nullable;

/**
 * What goes back. Immutable.
 *
 * @param status of HTTP
 * @param body JSON, or one sentence for a refusal
 * @param signature value of {@link ControlProtocol#REPLY_SIGNATURE_HEADER}; null for a refusal
 */
public record ControlReply(int status, String body, @Nullable String signature) {}
