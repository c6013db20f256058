/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Collects the buffers that were not released from its creation on. */
final class Leaks implements ResourceLeakDetector.LeakListener {
  private final List<String> found = new CopyOnWriteArrayList<>();

  Leaks() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBufUtil.setLeakListener(this);
  }

  @Override
  public void onLeak(String resourceType, String records) {
    found.add(resourceType + records);
  }

  /** Buffers that the garbage collector found; the detector looks when a buffer is allocated. */
  List<String> find() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
      UnpooledByteBufAllocator.DEFAULT.directBuffer(1).release();
    }
    ByteBufUtil.setLeakListener(null);
    return found;
  }
}
