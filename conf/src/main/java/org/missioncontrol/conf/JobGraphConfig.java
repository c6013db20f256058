/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * What a job's configuration says of its task graph. Immutable.
 *
 * @param cacheFiles files of the distributed cache
 * @param cacheArchives archives of the distributed cache
 * @param broadcast whether every reducer reads all of every map output
 */
public record JobGraphConfig(int cacheFiles, int cacheArchives, boolean broadcast) {
  /** Parses a job's configuration. */
  public static JobGraphConfig from(Configuration conf) {
    return new JobGraphConfig(
        conf.getTrimmedStringCollection(MRJobConfig.CACHE_FILES).size(),
        conf.getTrimmedStringCollection(MRJobConfig.CACHE_ARCHIVES).size(),
        BroadcastConfig.from(conf).broadcast());
  }
}
