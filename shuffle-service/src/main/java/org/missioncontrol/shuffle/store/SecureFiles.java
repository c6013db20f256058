/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.apache.hadoop.io.SecureIOUtils;

/** Opens files for reading; where Hadoop is secure, only those of the right owner. Immutable. */
final class SecureFiles {
  private SecureFiles() {}

  static RandomAccessFile open(File file, String owner) throws IOException {
    return SecureIOUtils.openForRandomRead(file, "r", owner, null);
  }
}
