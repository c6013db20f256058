/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import javax.crypto.SecretKey;

/**
 * Who asks for flows. Immutable.
 *
 * @param job {@code job_<cluster timestamp>_<number>}
 * @param attempt {@code attempt_...} of the reducer
 * @param secret shuffle secret of the job
 */
public record TaskIdentity(String job, String attempt, SecretKey secret) {}
