/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

/**
 * An attempt whose output a reducer needs. Immutable.
 *
 * @param id as Hadoop writes it ({@code attempt_..._m_...})
 * @param map number of the map task in its job
 */
record MapAttempt(String id, int map) {
  @Override
  public String toString() {
    return id;
  }
}
