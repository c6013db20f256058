/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

/** Why a command cannot be carried out; its text is for the operator and says what to do. */
final class CliException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CliException(int exitCode, String sentence) {
    super(sentence);
    this.exitCode = exitCode;
  }

  /** The command line is wrong. */
  static CliException usage(String sentence) {
    return new CliException(MissionControlCli.USAGE_ERROR, sentence);
  }

  /** The cluster or a file is not as it would have to be. */
  static CliException failed(String sentence) {
    return new CliException(MissionControlCli.FAILED, sentence);
  }

  int exitCode() {
    return exitCode;
  }
}
