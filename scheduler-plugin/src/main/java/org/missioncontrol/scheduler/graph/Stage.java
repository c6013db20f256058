/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.graph;

/**
 * Tasks that do the same at the same distance from the inputs, or the inputs of one collection.
 * Immutable.
 *
 * @param depth references on the longest way from an input; 0 for inputs and for tasks that read
 *     nothing
 * @param operation what the tasks do, or what the collection is called
 * @param tasks how many, at least 1
 */
public record Stage(int depth, String operation, int tasks) {}
