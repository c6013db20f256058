/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
/** The reducer: what to fetch next, fetching it, feeding the merge. */
@NullMarked
package org.missioncontrol.shuffle.reduce;

import org.jspecify.annotations.NullMarked;
