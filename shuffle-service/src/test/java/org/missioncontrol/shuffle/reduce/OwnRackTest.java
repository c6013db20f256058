/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.TableMapping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnRackTest {
  private static final MapServer NEAR = new MapServer("127.0.0.2", 13562, "");
  private static final MapServer FAR = new MapServer("127.0.0.3", 13562, "");

  @Test
  void hostsOfTheSameRackAreNamedOnce(@TempDir Path directory) throws Exception {
    Path table =
        Files.writeString(
            directory.resolve("topology"), "127.0.0.1 /a\n127.0.0.2 /a\n127.0.0.3 /b\n");
    Configuration conf = new Configuration();
    conf.set("net.topology.node.switch.mapping.impl", TableMapping.class.getName());
    conf.set("net.topology.table.file.name", table.toString());
    OwnRack rack = new OwnRack(conf, "127.0.0.1");
    assertThat(rack.newIn(List.of(FAR, NEAR, NEAR))).containsExactly(NEAR);
    assertThat(rack.newIn(List.of(NEAR, FAR))).isEmpty();
  }
}
