/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.status;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.missioncontrol.scheduler.control.ControlReply;

/** A file of the page, which lies beside this class. Immutable. */
record Asset(String text, String contentType) {
  static Asset of(String file, String contentType) {
    try (InputStream in = Asset.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not in the jar");
      }
      return new Asset(new String(in.readAllBytes(), StandardCharsets.UTF_8), contentType);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  ControlReply reply() {
    return new ControlReply(200, text, null, StatusSite.headers(contentType));
  }
}
