/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** A status as JSON. Thread-safe. */
public final class StatusJson {
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private StatusJson() {}

  /** For people and programs alike. */
  public static String write(Object status) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(status);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the status cannot be written as JSON", e);
    }
  }

  /**
   * Reads what {@link #write} wrote; a later version may have added to it.
   *
   * @throws IOException if it is not a status
   */
  public static StatusReport read(String json) throws IOException {
    try {
      return JSON.readValue(json, StatusReport.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "answers with something else than the status of this version: is Mission Control there,"
              + " and of the same version?",
          e);
    }
  }
}
