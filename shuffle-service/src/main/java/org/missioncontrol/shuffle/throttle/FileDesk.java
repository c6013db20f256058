/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage.AskFiles;
import org.missioncontrol.shuffle.throttle.MapFiles.MapFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens map outputs on threads of its own and has the session that asked pass them. A disk may hang
 * and hold what asks it, so one job's requests hold few of the threads, and there are many; the
 * queue is as long as sessions may ask for at once. Event-loop confined, but for what says
 * otherwise.
 */
final class FileDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FileDesk.class);

  /** Requests of one job that are worked on at once: one is opened while another's disk seeks. */
  static final int REQUESTS_OF_A_JOB = 2;

  /** The same of all jobs: more than run on one host, so that none waits for another's disk. */
  private static final int REQUESTS = 64;

  private static final long IDLE_SECONDS = 30;
  private static final long STOP_SECONDS = 5;

  private final EventLoop loop;
  private final ThrottleCounters counters;
  private final ThreadPoolExecutor disk;
  private final JobQueues<Request> queues = new JobQueues<>(REQUESTS_OF_A_JOB, REQUESTS);
  private volatile @Nullable Source source;

  private record Source(MapFiles files, int port) {}

  private record Request(DoorSession session, AskFiles ask) {}

  /** An output that was asked for: open, or the reason why not. */
  record Answer(String map, @Nullable MapFile file, String refusal) {}

  /**
   * @param loop of the sessions
   */
  FileDesk(EventLoop loop, ThrottleCounters counters) {
    this.loop = loop;
    this.counters = counters;
    AtomicInteger number = new AtomicInteger();
    this.disk =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work -> {
              Thread thread = new Thread(work, "mission-control-files-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** From now on files can be asked for, by new sessions. Thread-safe. */
  void serve(MapFiles files, int port) {
    source = new Source(files, port);
  }

  /** Port of the same outputs on the network; 0 if no file can be asked for. Thread-safe. */
  int port() {
    Source known = source;
    return known == null ? 0 : known.port();
  }

  /** Opens what is asked for; the session is told on its event loop. */
  void open(DoorSession session, AskFiles ask) {
    queues.add(session.job(), new Request(session, ask));
    begin();
  }

  private void begin() {
    for (Request next = queues.next(); next != null; next = queues.next()) {
      Request request = next;
      try {
        disk.execute(() -> work(request));
      } catch (RejectedExecutionException e) {
        LOG.debug("no files for {}, the controller stops", request.session().attempt(), e);
      }
    }
  }

  private void work(Request request) {
    DoorSession session = request.session();
    List<Answer> answers = new ArrayList<>();
    for (String map : request.ask().maps()) {
      answers.add(
          session.gone()
              ? new Answer(map, null, session.attempt() + " is gone")
              : open(source, session.job(), map, request.ask().reduce()));
    }
    try {
      loop.execute(() -> opened(request, answers));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is gone, the controller stops", session.attempt(), e);
      answers.forEach(FileDesk::close);
    }
  }

  private void opened(Request request, List<Answer> answers) {
    queues.ended(request.session().job());
    begin();
    request.session().opened(request.ask().id(), answers);
  }

  private Answer open(@Nullable Source known, String job, String map, int reduce) {
    try {
      if (known == null) {
        throw new IOException("no map outputs are served here");
      }
      MapFile file = known.files().open(job, map, reduce);
      counters.count(ThrottleCounter.FILES_OPENED);
      return new Answer(map, file, "");
    } catch (IOException | RuntimeException | Error e) {
      // Whatever it is, the task hears of it: it waits for an answer, and so does its account.
      counters.count(ThrottleCounter.FILES_REFUSED);
      // No more than this: the task says it too, and asks for the output over the network.
      LOG.debug("{} of {} is not passed", map, job, e);
      return new Answer(map, null, String.valueOf(e.getMessage()));
    }
  }

  /** The session has passed this many bytes to its task. Thread-safe. */
  void passed(long bytes) {
    counters.count(ThrottleCounter.FILES_PASSED);
    counters.add(ThrottleCounter.FILE_BYTES_PASSED, bytes);
  }

  static void close(Answer answer) {
    try {
      if (answer.file() != null) {
        answer.file().file().close();
      }
    } catch (IOException e) {
      LOG.warn("cannot close {}", answer.map(), e);
    }
  }

  /** Waits a while for what is being opened; a disk may hang. Thread-safe. */
  @Override
  public void close() {
    disk.shutdownNow();
    try {
      if (!disk.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("map outputs are still being opened; a disk may hang");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
