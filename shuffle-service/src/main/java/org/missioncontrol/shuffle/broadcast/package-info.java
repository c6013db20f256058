/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * How reducers of one broadcast on one host share what they fetch. Plain files and locks; knows
 * neither Hadoop nor the network.
 */
@NullMarked
package org.missioncontrol.shuffle.broadcast;

import org.jspecify.annotations.NullMarked;
