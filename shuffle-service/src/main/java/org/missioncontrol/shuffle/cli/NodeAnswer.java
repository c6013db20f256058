/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.status.StatusReport;

/**
 * What one NodeManager said. Immutable.
 *
 * @param node its address as it was asked
 * @param report its status, or null
 * @param problem why there is none, one sentence, or null
 */
record NodeAnswer(String node, @Nullable StatusReport report, @Nullable String problem) {}
