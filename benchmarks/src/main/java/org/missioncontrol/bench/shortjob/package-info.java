/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
/** {@code bench short-job}: how long a short job waits between its last map and its reducers. */
@NullMarked
package org.missioncontrol.bench.shortjob;

import org.jspecify.annotations.NullMarked;
