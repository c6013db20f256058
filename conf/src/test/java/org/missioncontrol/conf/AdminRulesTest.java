/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
    assertThat(rules.table())
        .extracting(TransportRule::name, TransportRule::transport)
        .containsExactly(tuple("rule.10", "bbr"), tuple("rule.20", "dctcp"));
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
        "rule.1.flows = 3                | 2 | rule.1.flows           | is not a key of a rule; known are transport, user, queue, class, ecn, min-bytes, max-bytes, min-flows",
        "rule.x.transport = bbr          | 2 | rule.x.transport       | is not a key",
        "rule.1.class = gossip           | 2 | rule.1.class           | is none of shuffle, broadcast",
        "rule.1.ecn = maybe              | 2 | rule.1.ecn             | is none of yes, no",
        "rule.1.min-bytes = 1.5g         | 2 | rule.1.min-bytes       | is not a whole number, maybe with k, m, g or t",
        "rule.1.min-bytes = 99999999999t | 2 | rule.1.min-bytes       | is not a whole number",
        "rule.1.user =                   | 2 | rule.1.user            | is empty; leave the line out",
        "rule.1.transport = What ever    | 2 | rule.1.transport       | is not the name of a transport",
        "rule.1.transport = auto         | 2 | rule.1.transport       | say default",
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
  void rulesForTransportsStandInTheOrderOfTheirNumbers() throws Exception {
    AdminRules rules =
        AdminRules.parse(
            file(
                "rules.properties",
                """
                rule.20.transport = cubic
                rule.3.transport = bbr
                rule.3.user = alice
                rule.3.queue = root.eng
                rule.3.class = Broadcast
                rule.3.ecn = no
                rule.3.min-bytes = 1g
                rule.3.max-bytes = 2g
                rule.3.min-flows = 5
                rule.3.max-segment = 64k
                rule.3.min-interfaces = 2
                """));
    assertThat(rules.table())
        .containsExactly(
            new TransportRule(
                "rule.3",
                Map.of("user", "alice", "queue", "eng", "class", "broadcast", "ecn", "no"),
                Map.of(
                    "bytes", new TransportRule.Range(1L << 30, 2L << 30),
                    "flows", TransportRule.Range.atLeast(5),
                    "segment", TransportRule.Range.atMost(64 << 10),
                    "interfaces", TransportRule.Range.atLeast(2)),
                "bbr"),
            new TransportRule("rule.20", Map.of(), Map.of(), "cubic"));
  }

  @Test
  void theTableMayStandInXmlToo() throws Exception {
    String xml = "<r><rule name='1'><min-flows>2</min-flows><transport>bbr</transport></rule></r>";
    assertThat(AdminRules.parse(file("rules.xml", xml)).table())
        .containsExactly(
            new TransportRule(
                "rule.1", Map.of(), Map.of("flows", TransportRule.Range.atLeast(2)), "bbr"));
  }

  @Test
  void aRuleThatIsIncompleteOrCannotHoldIsAMistake() throws Exception {
    assertThat(mistakes("rules.properties", "rule.7.user=al\nrule.7.min-flows=2"))
        .hasMessage(
            "line 1: rule.7.user is of a rule without transport: rule.7.transport is missing");
    assertThat(
            mistakes(
                "rules.properties", "rule.7.transport=bbr\nrule.7.min-flows=3\nrule.7.max-flows=2"))
        .hasMessageContaining("line 3: rule.7.max-flows no number is at least 3 and at most 2");
    assertThat(mistakes("rules.properties", "rule.7.transport=bbr\nrule.07.transport=bbr"))
        .hasMessageContaining("line 2: rule.07.transport was given in line 1 already");
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
