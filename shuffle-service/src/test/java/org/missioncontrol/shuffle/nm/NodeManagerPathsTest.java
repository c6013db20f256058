/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.store.LocalPaths;

class NodeManagerPathsTest {
  @TempDir Path root;
  private Path file;

  @BeforeEach
  void writeAFileOnTheSecondDisk() throws Exception {
    file = Files.writeString(Files.createDirectories(root.resolve("disk 2/a")).resolve("f"), "x");
  }

  @Test
  void withoutAHandlerEveryLocalDirectoryIsLookedInto() throws Exception {
    LocalPaths paths =
        NodeManagerPaths.of(null, List.of(root + "/gone", root + "/disk1", root + "/disk 2"));

    assertThat(paths.find("a/f")).isEqualTo(file);
    assertThatThrownBy(() -> paths.find("a")).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> paths.find("a/g"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("a/g")
        .hasMessageContaining("disk1");
  }

  @Test
  void aLocalDirectoryMayBeAFileUri() throws Exception {
    assertThat(NodeManagerPaths.of(null, List.of(root + "/disk 2")).find("a/f")).isEqualTo(file);
  }

  @Test
  void theNodeManagerIsAskedWhereItGaveAHandler() throws Exception {
    LocalPaths paths = NodeManagerPaths.of(new MapOutputs(root.resolve("disk 2")), List.of("/no"));

    assertThat(paths.find("a/f")).isEqualTo(file);
    assertThatThrownBy(() -> paths.find("a/g")).hasMessageContaining("a/g");
  }
}
