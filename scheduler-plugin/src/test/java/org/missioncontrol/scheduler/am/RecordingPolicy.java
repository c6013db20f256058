/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.am;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.mapreduce.checkpoint.TaskCheckpointID;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;

/** A preemption policy that writes down what it is told. */
public final class RecordingPolicy extends Configured implements AMPreemptionPolicy {
  private static final List<String> TOLD = new ArrayList<>();

  /** What any instance was told since the last call of this. */
  static List<String> told() {
    List<String> told = List.copyOf(TOLD);
    TOLD.clear();
    return told;
  }

  @Override
  public void init(AppContext context) {
    TOLD.add("init " + (getConf() != null));
  }

  @Override
  public void preempt(Context context, PreemptionMessage requests) {
    TOLD.add("preempt");
  }

  @Override
  public boolean isPreempted(TaskAttemptId attempt) {
    TOLD.add("isPreempted");
    return true;
  }

  @Override
  public void reportSuccessfulPreemption(TaskAttemptId attempt) {
    TOLD.add("reportSuccessfulPreemption");
  }

  @Override
  public void handleFailedContainer(TaskAttemptId attempt) {
    TOLD.add("handleFailedContainer");
  }

  @Override
  public void handleCompletedContainer(TaskAttemptId attempt) {
    TOLD.add("handleCompletedContainer");
  }

  @Override
  public TaskCheckpointID getCheckpointID(TaskId task) {
    TOLD.add("getCheckpointID");
    return null;
  }

  @Override
  public void setCheckpointID(TaskId task, TaskCheckpointID checkpoint) {
    TOLD.add("setCheckpointID");
  }
}
