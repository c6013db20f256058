/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.missioncontrol.conf.RulesFile.Found.NEW_PROBLEM;
import static org.missioncontrol.conf.RulesFile.Found.NEW_RULES;
import static org.missioncontrol.conf.RulesFile.Found.NOTHING_NEW;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesFileTest {
  @TempDir Path directory;
  private Path path;
  private RulesFile file;

  @BeforeEach
  void name() {
    path = directory.resolve("rules.properties");
    file = new RulesFile(path);
  }

  @Test
  void aChangeIsFoundOnceByTimeSizeOrInode() throws Exception {
    write("policy=fifo");
    assertThat(file.look()).isEqualTo(NEW_RULES);
    assertThat(file.rules().policy()).isEqualTo("fifo");
    assertThat(file.look()).isEqualTo(NOTHING_NEW);

    FileTime time = Files.getLastModifiedTime(path);
    write("policy=priority");
    Files.setLastModifiedTime(path, time);
    assertThat(file.look()).as("another size").isEqualTo(NEW_RULES);

    Files.setLastModifiedTime(path, FileTime.fromMillis(time.toMillis() + 5_000));
    assertThat(file.look()).as("another time").isEqualTo(NEW_RULES);
    assertThat(file.look()).isEqualTo(NOTHING_NEW);

    FileTime now = Files.getLastModifiedTime(path);
    Path beside = Files.writeString(directory.resolve("beside"), "policy=  fair  ");
    Files.setLastModifiedTime(beside, now);
    Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
    assertThat(Files.size(path)).isEqualTo("policy=priority".length());
    assertThat(file.look()).as("another file").isEqualTo(NEW_RULES);
    assertThat(file.rules().policy()).isEqualTo("fair");
  }

  @Test
  void aBrokenFileKeepsTheLastGoodRulesAndIsSaidOnce() throws Exception {
    write("policy=fifo");
    file.look();
    write("policy=fifo\nuser.alice.wieght=2");
    assertThat(file.look()).isEqualTo(NEW_PROBLEM);
    assertThat(file.problem()).contains(path.toString(), "line 2", "user.alice.wieght");
    assertThat(file.rules().policy()).isEqualTo("fifo");
    assertThat(file.look()).isEqualTo(NOTHING_NEW);
    Files.setLastModifiedTime(path, FileTime.fromMillis(1));
    assertThat(file.look()).as("the same mistake").isEqualTo(NOTHING_NEW);
    assertThat(file.problem()).contains("wieght");

    write("policy=priority");
    assertThat(file.look()).isEqualTo(NEW_RULES);
    assertThat(file.problem()).isNull();
    assertThat(file.rules().policy()).isEqualTo("priority");
  }

  @Test
  void aFileThatIsNotThereIsAwaited() throws Exception {
    assertThat(file.look()).isEqualTo(NEW_PROBLEM);
    assertThat(file.problem()).contains(path.toString(), "does not exist");
    assertThat(file.look()).isEqualTo(NOTHING_NEW);
    assertThat(file.rules()).isEqualTo(AdminRules.NONE);
    write("policy=fifo");
    assertThat(file.look()).isEqualTo(NEW_RULES);
    Files.delete(path);
    assertThat(file.look()).isEqualTo(NEW_PROBLEM);
    assertThat(file.rules().policy()).isEqualTo("fifo");
  }

  private void write(String text) throws IOException {
    Files.writeString(path, text);
  }
}
