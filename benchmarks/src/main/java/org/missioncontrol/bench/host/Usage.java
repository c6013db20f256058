/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a JVM has used. Immutable.
 *
 * @param nanos when, by its clock
 * @param cpuNanos processor time of all threads, since it began
 * @param heap bytes in use
 * @param direct bytes of direct buffers
 * @param files open descriptors
 */
public record Usage(long nanos, long cpuNanos, long heap, long direct, long files) {
  private static final int FIELDS = 5;

  /** Of this JVM. */
  public static Usage now() {
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Usage(
        System.nanoTime(),
        system.getProcessCpuTime(),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum(),
        system.getOpenFileDescriptorCount());
  }

  /** The difference. */
  public Usage since(Usage before) {
    return new Usage(
        nanos - before.nanos,
        cpuNanos - before.cpuNanos,
        heap - before.heap,
        direct - before.direct,
        files - before.files);
  }

  /** For {@link #parse}. */
  public String line() {
    return nanos + " " + cpuNanos + " " + heap + " " + direct + " " + files;
  }

  /** What a child answered to {@code usage}. */
  public static Usage parse(String line) {
    String[] words = line.split(" ", FIELDS);
    return new Usage(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }
}
