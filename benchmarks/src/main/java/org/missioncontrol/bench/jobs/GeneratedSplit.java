/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** One map's input, by its number. Owned by Hadoop's serialization. */
public final class GeneratedSplit extends InputSplit implements Writable {
  private int map;

  /** For deserialization. */
  public GeneratedSplit() {}

  GeneratedSplit(int map) {
    this.map = map;
  }

  int map() {
    return map;
  }

  @Override
  public long getLength() {
    // INVARIANT: the framework sorts splits by length; equal ones keep their order
    return 1;
  }

  @Override
  public String[] getLocations() {
    return new String[0];
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(map);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    map = in.readInt();
  }
}
