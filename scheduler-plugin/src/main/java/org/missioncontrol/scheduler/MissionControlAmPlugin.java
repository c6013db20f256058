/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler;

import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.checkpoint.TaskCheckpointID;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.AmConfig;
import org.missioncontrol.scheduler.am.Controllers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AM plug-in: takes the place of a preemption policy to get at the job, starts the Mission
 * Controller, and leaves preemption itself to the policy named by {@code
 * mapreduce.mission-control.am.delegate-policy}. Thread-safe as far as that policy is.
 */
public final class MissionControlAmPlugin implements AMPreemptionPolicy, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(MissionControlAmPlugin.class);

  private AMPreemptionPolicy policy = new NoopAMPreemptionPolicy();
  private @Nullable Configuration conf;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    if (conf != null) {
      policy = delegate(conf);
    }
  }

  @Override
  public @Nullable Configuration getConf() {
    return conf;
  }

  private static AMPreemptionPolicy delegate(Configuration conf) {
    String name = AmConfig.delegatePolicy(conf);
    try {
      Class<?> type = conf.getClassByName(name);
      if (type != MissionControlAmPlugin.class) {
        return ReflectionUtils.newInstance(type.asSubclass(AMPreemptionPolicy.class), conf);
      }
      LOG.warn("The policy to delegate to is this one; nothing is preempted");
    } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
      LOG.warn("The preemption policy {} cannot be used; nothing is preempted", name, e);
    }
    return new NoopAMPreemptionPolicy();
  }

  @Override
  public void init(AppContext context) {
    policy.init(context);
    Controllers.start(conf, context);
  }

  @Override
  public void preempt(Context context, PreemptionMessage requests) {
    policy.preempt(context, requests);
  }

  @Override
  public boolean isPreempted(TaskAttemptId attempt) {
    return policy.isPreempted(attempt);
  }

  @Override
  public void reportSuccessfulPreemption(TaskAttemptId attempt) {
    policy.reportSuccessfulPreemption(attempt);
  }

  @Override
  public void handleFailedContainer(TaskAttemptId attempt) {
    policy.handleFailedContainer(attempt);
  }

  @Override
  public void handleCompletedContainer(TaskAttemptId attempt) {
    policy.handleCompletedContainer(attempt);
  }

  @Override
  public TaskCheckpointID getCheckpointID(TaskId task) {
    return policy.getCheckpointID(task);
  }

  @Override
  public void setCheckpointID(TaskId task, TaskCheckpointID checkpoint) {
    policy.setCheckpointID(task, checkpoint);
  }
}
