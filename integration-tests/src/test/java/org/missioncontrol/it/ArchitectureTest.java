/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "org.missioncontrol",
    importOptions = {ImportOption.DoNotIncludeTests.class, ProductionCode.class})
class ArchitectureTest {
  @ArchTest
  static final ArchRule modulesKnowOnlyTheOnesBelow =
      noClasses()
          .that()
          .resideInAPackage("org.missioncontrol.conf..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.missioncontrol.transport..",
              "org.missioncontrol.scheduler..",
              "org.missioncontrol.shuffle..");

  @ArchTest
  static final ArchRule transportsKnowNoScheduler =
      noClasses()
          .that()
          .resideInAPackage("org.missioncontrol.transport..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.missioncontrol.scheduler..", "org.missioncontrol.shuffle..");

  @ArchTest
  static final ArchRule theBrainKnowsNoBody =
      noClasses()
          .that()
          .resideInAPackage("org.missioncontrol.scheduler..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.missioncontrol.shuffle..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("org.missioncontrol.(*).(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule taskGraphsArePure =
      classes()
          .that()
          .resideInAPackage("org.missioncontrol.scheduler.graph")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("org.missioncontrol.scheduler.graph", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule sharesArePure =
      classes()
          .that()
          .resideInAPackage("org.missioncontrol.scheduler.share")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("org.missioncontrol.scheduler.share", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule policiesArePure =
      classes()
          .that()
          .resideInAPackage("org.missioncontrol.scheduler.policy")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("org.missioncontrol.scheduler.policy", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule flightControllersArePure =
      classes()
          .that()
          .resideInAPackage("org.missioncontrol.scheduler.flight")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("org.missioncontrol.scheduler.flight", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule controlMessagesKnowNeitherHadoopNorNetty =
      noClasses()
          .that()
          .resideInAPackage("org.missioncontrol.scheduler.control")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hadoop..", "io.netty..");

  @ArchTest
  static final ArchRule hadoopStaysAtTheRim =
      noClasses()
          .that()
          .resideInAnyPackage(
              "org.missioncontrol.transport..",
              "org.missioncontrol.shuffle.server..",
              "org.missioncontrol.shuffle.status..",
              "org.missioncontrol.shuffle.throttle..",
              "org.missioncontrol.shuffle.flow..")
          .should()
          .dependOnClassesThat(
              describe(
                  "Hadoop types that are not the shared hash or wire",
                  (JavaClass c) -> c.getPackageName().startsWith("org.apache.hadoop")));

  @ArchTest
  static final ArchRule onlyTransportLinuxKnowsEpoll =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.missioncontrol.transport.linux..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.netty.channel.epoll..", "io.netty.channel.unix..", "com.sun.jna..");

  @ArchTest
  static final ArchRule onlyConfReadsHadoopsConfiguration =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.missioncontrol.conf..")
          .should()
          .callMethodWhere(
              describe(
                  "Configuration.get*",
                  (JavaAccess<?> call) ->
                      call.getTargetOwner().isAssignableTo("org.apache.hadoop.conf.Configuration")
                          && call.getName()
                              .matches(
                                  "get(Trimmed|Raw|Int|Ints|Long|LongBytes|Boolean|Float|Double"
                                      + "|Strings|TrimmedStrings|TimeDuration|Pattern|Enum)?")));

  @ArchTest
  static final ArchRule timeComesInAsAnArgument =
      noClasses()
          .that()
          .resideInAnyPackage(
              "org.missioncontrol.scheduler.graph..",
              "org.missioncontrol.scheduler.share..",
              "org.missioncontrol.scheduler.policy..",
              "org.missioncontrol.scheduler.flight..",
              "org.missioncontrol.scheduler.control..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Thread.class, "sleep", long.class);

  @ArchTest
  static final ArchRule nothingOfOursSitsInHadoopsPackages =
      classes().should().resideInAPackage("org.missioncontrol..");
}
