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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage.AskFiles;
import org.missioncontrol.shuffle.throttle.MapFiles.MapFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens map outputs on threads of its own and has the session that asked pass them. Its queue is as
 * long as sessions may ask for at once. Thread-safe.
 */
final class FileDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FileDesk.class);
  private static final int THREADS = 2;
  private static final long IDLE_SECONDS = 30;
  private static final long STOP_SECONDS = 5;

  private final EventLoop loop;
  private final ThrottleCounters counters;
  private final ThreadPoolExecutor disk;
  private volatile @Nullable Source source;

  private record Source(MapFiles files, int port) {}

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
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "mission-control-files-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    disk.allowCoreThreadTimeOut(true);
  }

  /** From now on files can be asked for, by new sessions. */
  void serve(MapFiles files, int port) {
    source = new Source(files, port);
  }

  /** Where the same outputs are served over the network; 0 if no file can be asked for. */
  int port() {
    Source known = source;
    return known == null ? 0 : known.port();
  }

  /** Opens what is asked for; the session is told on its event loop. */
  void open(DoorSession session, AskFiles ask) {
    Source known = source;
    try {
      disk.execute(
          () -> {
            List<Answer> answers = new ArrayList<>();
            for (String map : ask.maps()) {
              answers.add(open(known, session.job(), map, ask.reduce()));
            }
            try {
              loop.execute(() -> session.opened(ask.id(), answers));
            } catch (RejectedExecutionException e) {
              LOG.debug("{} is gone, the controller stops", session.attempt(), e);
              answers.forEach(FileDesk::close);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("no files for {}, the controller stops", session.attempt(), e);
    }
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

  /** The session has passed this many bytes to its task. */
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

  /** Waits a while for what is being opened; a disk may hang. */
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
