/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle;

import java.io.IOException;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.BroadcastConfig;
import org.missioncontrol.shuffle.reduce.ReduceShuffle;

/**
 * The reducer's plug-in ({@code mapreduce.job.reduce.shuffle.consumer.plugin.class}). A reducer
 * that runs in one process with its maps (local jobs) needs no network and gets stock's shuffle.
 * Owned by the reduce thread.
 */
public final class MissionControlShuffle<K, V> implements ShuffleConsumerPlugin<K, V> {
  private @Nullable ReduceShuffle<K, V> ours;
  private @Nullable Shuffle<K, V> stock;

  /** Hadoop makes it by reflection. */
  public MissionControlShuffle() {}

  @Override
  public void init(Context<K, V> context) {
    if (context.getLocalMapFiles() != null) {
      refuseBroadcast(context);
      stock = new Shuffle<>();
      stock.init(context);
    } else {
      ours = new ReduceShuffle<>(context, System.getenv("LOCAL_DIRS"));
    }
  }

  private static void refuseBroadcast(Context<?, ?> context) {
    BroadcastConfig broadcast = BroadcastConfig.from(context.getJobConf());
    if (broadcast.broadcast() && broadcast.reduces() > 1) {
      throw new IllegalStateException(
          "a local job cannot broadcast to "
              + broadcast.reduces()
              + " reducers, for stock's local shuffle reads each its own partition;"
              + " use one reducer, or YARN (mapreduce.framework.name)");
    }
  }

  @Override
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    if (stock != null) {
      return stock.run();
    }
    if (ours == null) {
      throw new IllegalStateException("run before init");
    }
    return ours.run();
  }

  @Override
  public void close() {
    if (stock != null) {
      stock.close();
    }
  }
}
