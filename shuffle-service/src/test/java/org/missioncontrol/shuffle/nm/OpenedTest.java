/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenedTest {
  private final List<String> closed = new ArrayList<>();
  private final Opened opened = new Opened();

  @Test
  void closesTheLastOpenedFirstAndOnce() throws Exception {
    opened.add(() -> closed.add("store"));
    opened.add(() -> closed.add("server"));

    opened.close();
    opened.close();

    assertThat(closed).containsExactly("server", "store");
  }

  @Test
  void closesTheRestWhenOneFailsAndTellsEveryFailure() {
    IOException first = new IOException("server");
    IOException second = new IOException("tls");
    opened.add(() -> closed.add("store"));
    opened.add(failing(second));
    opened.add(failing(first));

    assertThatThrownBy(opened::close).hasCause(first).hasSuppressedException(second);
    assertThat(closed).containsExactly("store");
  }

  private static AutoCloseable failing(Exception e) {
    return () -> {
      throw e;
    };
  }
}
