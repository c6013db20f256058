/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminRulesTest {
  private static final String XML =
      """
      <?xml version="1.0"?>
      <mission-control>
        <policy>fifo</policy>
        <user name="alice">
          <weight>2</weight>
          <weight-cap>8</weight-cap>
        </user>
        <queue name="root.eng.prod"><transport>bbr</transport></queue>
      </mission-control>
      """;

  private static final String PROPERTIES =
      """
      # comment
      policy = fifo
      user.alice.weight: 2
      user.alice.weight-cap 8
      queue.eng.prod.transport = \\
         bbr
      """;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"rules.properties", "rules.xml", "rules.conf", "RULES.XML"})
  void bothFormatsSayTheSame(String name) throws Exception {
    boolean xml = name.endsWith("xml") || name.endsWith("XML");
    AdminRules rules = AdminRules.parse(file(name, xml ? XML : PROPERTIES));
    assertThat(rules.policy()).isEqualTo("fifo");
    assertThat(rules.wantedWeight("alice", "default", 3)).isEqualTo(6);
    assertThat(rules.weightCap("alice", "default")).isEqualTo(8);
    assertThat(rules.transportFor("alice", "root.eng.prod", "job_1_0001")).isEqualTo("bbr");
    assertThat(rules.transportFor("alice", "eng.prod", "job_1_0001")).isEqualTo("bbr");
    assertThat(rules.transportFor("alice", "default", "job_1_0001")).isNull();
  }

  @Test
  void theExampleIsValidAndSaysWhatItsCommentsSay() throws Exception {
    AdminRules rules = AdminRules.parse(Path.of("examples", "mission-control.properties"));
    assertThat(rules.policy()).isEqualTo("fair");
    assertThat(rules.wantedWeight("alice", "production", 1)).isEqualTo(6);
    assertThat(rules.weightCap("alice", "production")).isEqualTo(8);
    assertThat(rules.weightCap("carol", "production")).isEqualTo(4);
    assertThat(rules.transportFor("bob", "batch", "job_1700000000000_0042")).isEqualTo("bbr");
    assertThat(rules.transportFor("bob", "batch", "job_1700000000000_0043")).isEqualTo("reno");
    assertThat(rules.transportFor("carol", "root.batch", "job_1700000000000_0043"))
        .isEqualTo("cubic");
  }

  @Test
  void whatIsNotSaidOfANameIsAsForAllOthers() throws Exception {
    AdminRules rules =
        AdminRules.parse(
            file("rules.properties", "user.*.weight-cap=4\nuser.alice.weight=2\nqueue.*.weight=3"));
    assertThat(rules.wantedWeight("alice", "any", 1)).isEqualTo(6);
    assertThat(rules.weightCap("alice", "any")).isEqualTo(4);
    assertThat(rules.wantedWeight("bob", "any", 1)).isEqualTo(3);
  }

  @Test
  void withoutRulesAJobWeighsWhatItAsks() throws Exception {
    AdminRules rules = AdminRules.parse(file("rules.properties", ""));
    assertThat(rules).isEqualTo(AdminRules.NONE);
    assertThat(rules.wantedWeight("alice", "default", 2.5f)).isEqualTo(2.5f);
    assertThat(rules.weightCap("alice", "default")).isInfinite();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user.alice.wieght = 2           | 2 | user.alice.wieght      | is not a key; known are policy,",
        "include = other.properties      | 2 | include                | is not a key",
        "policy = lottery                | 2 | policy                 | is none of fair, fifo, priority",
        "policy = ${env:HOME}            | 2 | policy                 | is none of",
        "user.alice.weight = lots        | 2 | user.alice.weight      | is not a positive number",
        "user.alice.weight = 0           | 2 | user.alice.weight      | is not a positive number",
        "queue.q.weight-cap = -1         | 2 | queue.q.weight-cap     | is not a positive number",
        "queue.q.weight-cap = 2000000    | 2 | queue.q.weight-cap     | up to 1000000",
        "queue.q.transport = what ever   | 2 | queue.q.transport      | is not the name of a transport",
        "job.17.transport = bbr          | 2 | job.17.transport       | is not a key",
        "user.bob.weight = 5             | 2 | user.bob.weight        | was given in line 1 already",
        "user..weight = 5                | 2 | user..weight           | is not a key",
        "policy = \\uZZZZ                  | 2 | ''                     | is not well formed",
      })
  void aMistakeIsNamedByLineAndKey(String second, int line, String key, String sentence)
      throws Exception {
    AdminRulesException mistakes = mistakes("rules.properties", "user.bob.weight=1\n" + second);
    assertThat(mistakes.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(line);
              assertThat(problem.key()).isEqualTo(key);
              assertThat(problem.sentence()).contains(sentence);
            });
    assertThat(mistakes).hasMessageStartingWith("line 2: ");
  }

  @Test
  void everyMistakeIsNamedAtOnce() throws Exception {
    AdminRulesException mistakes = mistakes("rules.properties", "a=1\npolicy=fair\n\nb=2\n");
    assertThat(mistakes.problems())
        .extracting(AdminRulesException.Problem::line)
        .containsExactly(1, 4);
    assertThat(mistakes).hasMessageContainingAll("line 1: a ", "line 4: b ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<user name='al'><wait>1</wait></user>     | 3 | user.al.wait     | is not a key",
        "<user><weight>1</weight></user>           | 3 | user.weight      | is not a key",
        "<policy>fair                              | 4 | ''               | no well-formed XML",
      })
  void aMistakeInXmlIsNamedByLineAndKey(String third, int line, String key, String sentence)
      throws Exception {
    AdminRulesException mistakes = mistakes("rules.xml", "<rules>\n\n" + third + "\n</rules>");
    AdminRulesException.Problem problem = mistakes.problems().get(0);
    assertThat(problem.line()).isEqualTo(line);
    assertThat(problem.key()).isEqualTo(key);
    assertThat(problem.sentence()).contains(sentence);
  }

  @Test
  void noFileIsReadThroughXml() throws Exception {
    Path secret = file("secret", "fair");
    assertThat(
            mistakes(
                "rules.xml",
                "<!DOCTYPE r [<!ENTITY e SYSTEM '"
                    + secret.toUri()
                    + "'>]><r><policy>&e;</policy></r>"))
        .hasMessageContaining("DOCTYPE");
  }

  @Test
  void aFileWithoutEndIsRefused() throws Exception {
    assertThat(mistakes("rules.properties", "#".repeat((1 << 20) + 1)))
        .hasMessageContaining("longer than");
  }

  private AdminRulesException mistakes(String name, String text) throws IOException {
    Path file = file(name, text);
    return catchThrowableOfType(AdminRulesException.class, () -> AdminRules.parse(file));
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
