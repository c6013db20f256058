/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
/** What a job uses to have its map outputs sent whole to every reducer. */
@NullMarked
package org.missioncontrol.broadcast;

import org.jspecify.annotations.NullMarked;
