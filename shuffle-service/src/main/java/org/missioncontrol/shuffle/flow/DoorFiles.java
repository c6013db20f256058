/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private final long timeoutMs;
  private final Map<Long, Request> requests = new HashMap<>();
  private volatile int port = UNKNOWN;
  private volatile Runnable listener = () -> {};
  private long asked;

  private record Request(
      Set<String> missing, List<LocalFile> answers, CompletableFuture<List<LocalFile>> result) {}

  /**
   * @param door takes what is asked for
   * @param timeoutMs milliseconds that one request may take
   */
  DoorFiles(EventLoop loop, Consumer<DoorMessage> door, long timeoutMs) {
    this.loop = loop;
    this.door = door;
    this.timeoutMs = timeoutMs;
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

  @SuppressWarnings("FutureReturnValueIgnored") // of the cancellation, which cannot fail
  private void ask(int reduce, List<String> attempts, CompletableFuture<List<LocalFile>> result) {
    if (port <= 0) {
      result.completeExceptionally(new FlowException("no NodeManager passes files now"));
      return;
    }
    long id = ++asked;
    requests.put(id, new Request(new HashSet<>(attempts), new ArrayList<>(), result));
    ScheduledFuture<?> patience =
        loop.schedule(() -> tooLate(id), timeoutMs, TimeUnit.MILLISECONDS);
    result.whenComplete((opened, failure) -> patience.cancel(false));
    door.accept(new AskFiles(id, reduce, attempts));
  }

  private void tooLate(long id) {
    Request request = requests.remove(id);
    if (request != null) {
      fail(
          request,
          new TimeoutException(
              "the NodeManager has not passed " + request.missing() + " in " + timeoutMs + " ms"));
    }
  }

  private static void fail(Request request, Exception why) {
    request.answers().forEach(LocalFile::discard);
    request.result().completeExceptionally(why);
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
    all.forEach(request -> fail(request, new FlowException(reason)));
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
