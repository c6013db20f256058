/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was announced and withdrawn. */
public final class RecordingRegistry implements TransferRegistry {
  private final List<TransferDescriptor> announced = new CopyOnWriteArrayList<>();
  private final List<String> withdrawn = new CopyOnWriteArrayList<>();

  public List<TransferDescriptor> announced() {
    return announced;
  }

  public List<String> withdrawn() {
    return withdrawn;
  }

  @Override
  public HostView announce(TransferDescriptor transfer) {
    announced.add(transfer);
    return view(transfer.job(), transfer.weight());
  }

  @Override
  public HostView view() {
    TransferDescriptor last = announced.isEmpty() ? null : announced.get(announced.size() - 1);
    return last == null ? empty() : view(last.job(), last.weight());
  }

  @Override
  public void waits(String job, long forMs) {
    // Nothing expires here.
  }

  private static HostView empty() {
    return new HostView(ControlProtocol.VERSION, "fair", 20, 0, List.of(), List.of("cubic"));
  }

  @Override
  public HostView withdraw(String job) {
    withdrawn.add(job);
    return empty();
  }

  private static HostView view(String job, float weight) {
    return new HostView(
        ControlProtocol.VERSION,
        "fair",
        20,
        0,
        List.of(new HostView.TransferView(job, weight, weight, 9, 5, 4)),
        List.of("cubic"));
  }
}
