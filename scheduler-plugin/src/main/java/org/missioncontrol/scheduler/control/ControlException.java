/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

/** A message that cannot be taken; its text is one sentence that may be shown to the sender. */
public final class ControlException extends Exception {
  private final String sentence;

  public ControlException(String sentence) {
    super(sentence);
    this.sentence = sentence;
  }

  /** What is wrong with the message. */
  public String sentence() {
    return sentence;
  }
}
