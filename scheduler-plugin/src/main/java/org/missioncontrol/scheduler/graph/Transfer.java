/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

/**
 * What one stage reads of another. Immutable.
 *
 * @param type how it reads
 * @param reads references read, each once for each task that reads it
 */
public record Transfer(Stage from, Stage to, StageClass type, long reads) {}
