/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.missioncontrol.shuffle.door.DoorMessage;
import org.missioncontrol.shuffle.door.DoorMessage.AskFiles;
import org.missioncontrol.shuffle.door.DoorMessage.GotFile;
import org.missioncontrol.shuffle.door.DoorMessage.NoFile;
import org.missioncontrol.transport.linux.PassedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that the NodeManager passes through its door. Event-loop confined, but for what {@link
 * LocalFiles} declares.
 */
final class DoorFiles implements LocalFiles {
  private static final Logger LOG = LoggerFactory.getLogger(DoorFiles.class);

  private final EventLoop loop;
  private final Consumer<DoorMessage> door;
  private final Map<Long, Request> requests = new HashMap<>();
  private volatile int port = UNKNOWN;
  private volatile Runnable listener = () -> {};
  private long asked;

  private record Request(
      Set<String> missing, List<LocalFile> answers, CompletableFuture<List<LocalFile>> result) {}

  /**
   * @param door takes what is asked for
   */
  DoorFiles(EventLoop loop, Consumer<DoorMessage> door) {
    this.loop = loop;
    this.door = door;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void onChange(Runnable newListener) {
    listener = newListener;
  }

  @Override
  public CompletableFuture<List<LocalFile>> open(int reduce, List<String> attempts) {
    CompletableFuture<List<LocalFile>> result = new CompletableFuture<>();
    if (!LoopTasks.run(loop, () -> ask(reduce, attempts, result))) {
      result.completeExceptionally(new FlowException("the event loop is gone"));
    }
    return result;
  }

  private void ask(int reduce, List<String> attempts, CompletableFuture<List<LocalFile>> result) {
    if (port <= 0) {
      result.completeExceptionally(new FlowException("no NodeManager passes files now"));
      return;
    }
    long id = ++asked;
    requests.put(id, new Request(new HashSet<>(attempts), new ArrayList<>(), result));
    door.accept(new AskFiles(id, reduce, attempts));
  }

  /** A NodeManager is there; 0 if it passes no files. */
  void found(int newPort) {
    port = newPort;
    listener.run();
  }

  /** Nobody answers any more. */
  void lost(String reason) {
    port = 0;
    List<Request> all = List.copyOf(requests.values());
    requests.clear();
    for (Request request : all) {
      request.answers().forEach(LocalFile::discard);
      request.result().completeExceptionally(new FlowException(reason));
    }
    listener.run();
  }

  void came(GotFile file, Object descriptor) {
    PassedFile open = PassedFile.adopt(descriptor);
    LocalFile.Opened answer =
        new LocalFile.Opened(file.map(), open, file.partLength(), file.rawLength());
    if (file.partLength() < 0 || file.rawLength() < 0) {
      answer.discard();
      answered(file.id(), new LocalFile.Refused(file.map(), "impossible lengths: " + file));
    } else if (!answered(file.id(), answer)) {
      answer.discard();
    }
  }

  void refused(NoFile none) {
    answered(none.id(), new LocalFile.Refused(none.map(), none.reason()));
  }

  /** False if nobody waits for it. */
  private boolean answered(long id, LocalFile answer) {
    Request request = requests.get(id);
    if (request == null || !request.missing().remove(answer.attempt())) {
      LOG.debug("not asked for: {}", answer);
      return false;
    }
    request.answers().add(answer);
    if (request.missing().isEmpty()) {
      requests.remove(id);
      if (!request.result().complete(request.answers())) {
        request.answers().forEach(LocalFile::discard);
      }
    }
    return true;
  }
}
