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
import org.apache.hadoop.security.UserGroupInformation;
import org.missioncontrol.transport.linux.PassedFile;

/** Opens files for reading; where Hadoop is secure, only those of the right owner. Immutable. */
final class SecureFiles {
  private SecureFiles() {}

  static RandomAccessFile open(File file, String owner) throws IOException {
    return SecureIOUtils.openForRandomRead(file, "r", owner, null);
  }

  /** Refuses an open file of another owner where Hadoop is secure. */
  static void check(PassedFile file, String owner) throws IOException {
    if (UserGroupInformation.isSecurityEnabled()) {
      // The link leads to what is open here, and not to what a path means meanwhile.
      open(file.link().toFile(), owner).close();
    }
  }
}
