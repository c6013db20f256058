/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * What a transport is, what this host can do, which to choose, how a socket gets it. Other modules
 * enter by Channels.
 */
@NullMarked
package org.missioncontrol.transport;

import org.jspecify.annotations.NullMarked;
