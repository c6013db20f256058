/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import org.apache.hadoop.conf.Configuration;

/**
 * Orders of operators to a NodeManager. Immutable.
 *
 * @param secretFile path of the file with the operators' secret; empty: no orders are taken
 */
public record OperatorConfig(String secretFile) {
  /** Parses the NodeManager's configuration. */
  public static OperatorConfig from(Configuration conf) {
    return new OperatorConfig(
        conf.getTrimmed(Keys.Operator.SECRET_FILE_KEY, Keys.Operator.SECRET_FILE_DEFAULT));
  }
}
