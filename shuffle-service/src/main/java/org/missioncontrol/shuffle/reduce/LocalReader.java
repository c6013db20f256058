/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.door.DoorMessage.AskFiles;
import org.missioncontrol.shuffle.flow.FlowException;
import org.missioncontrol.shuffle.flow.LocalFile;
import org.missioncontrol.shuffle.flow.LocalFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the outputs that lie on the reducer's own host from files which the NodeManager passes. An
 * output that it refuses or that cannot be read ends this: the rest comes over the network, and so
 * does everything while no NodeManager passes files. Owned by the reduce thread.
 */
final class LocalReader<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(LocalReader.class);

  /** Batches asked for or read at once: one's files are passed while the other's are read. */
  private static final int BATCHES = 2;

  /** Above the numbers of all that is fetched, so that no file is named like one of theirs. */
  private static final int FIRST_COPIER = 1 << 30;

  private final LocalFiles files;
  private final String host;
  private final int reduce;
  private final long patienceMs;
  private final FetchParts<K, V> parts;
  private int batches;
  private int asked;
  private boolean off;

  /**
   * @param host name of this host as YARN knows it
   * @param reduce partition to read
   * @param patienceMs milliseconds that opening a batch may take, whatever the NodeManager's files
   *     are given; 0: as long as those take
   */
  LocalReader(LocalFiles files, String host, int reduce, long patienceMs, FetchParts<K, V> parts) {
    this.files = files;
    this.host = host;
    this.reduce = reduce;
    this.patienceMs = patienceMs;
    this.parts = parts;
    files.onChange(() -> parts.inbox().post(() -> {}));
  }

  /** Whether the outputs of a server are read here, or will be, and so are not to be fetched. */
  boolean reads(MapServer server) {
    int port = files.port();
    return !off
        && server.host().equals(host)
        && server.path().isEmpty()
        && (port == LocalFiles.UNKNOWN || port == server.port());
  }

  /** Begins to read what can be read now. */
  void look(long now) {
    int port = files.port();
    if (off || port <= 0) {
      return;
    }
    MapServer own = new MapServer(host, port, "");
    while (batches < BATCHES) {
      List<MapAttempt> batch = parts.plan().take(own, BATCHES, AskFiles.MOST, now);
      if (batch.isEmpty()) {
        return;
      }
      batches++;
      parts.progress().begins(now);
      new Batch(own, batch).ask();
    }
  }

  private void fallBack(String why) {
    if (!off) {
      off = true;
      parts.counters().add(JobCounter.LOCAL_FALLBACKS, 1);
      LOG.warn("Map outputs of this host are fetched over the network from now on: {}", why);
    }
  }

  /** What becomes of one batch; the copier's words come over the inbox. */
  private final class Batch implements LocalRead.Listener<K, V> {
    private final MapServer own;
    private final List<MapAttempt> maps;
    // Owned by the reduce thread.
    private final Set<MapAttempt> left;

    Batch(MapServer own, List<MapAttempt> maps) {
      this.own = own;
      this.maps = maps;
      this.left = new HashSet<>(maps);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of the continuation, which cannot fail
    void ask() {
      var answer = files.open(reduce, maps.stream().map(MapAttempt::id).toList());
      if (patienceMs > 0) {
        answer.orTimeout(patienceMs, TimeUnit.MILLISECONDS);
      }
      answer.whenComplete((opened, failure) -> parts.inbox().post(new Answered(opened, failure)));
    }

    private void end() {
      batches--;
      long now = parts.now();
      parts.progress().ends(now);
      parts.plan().giveBack(own, List.copyOf(left), now);
    }

    @Override
    public void read(MapAttempt map, MapOutput<K, V> output, long bytes, long tookMs) {
      parts.settle(
          output,
          () -> {
            left.remove(map);
            boolean first = parts.plan().succeeded(own, map, parts.now());
            parts.keep(map, output, first, bytes, tookMs, parts.counters()::readLocally);
          });
    }

    @Override
    public void failed(MapAttempt map, IOException why) {
      parts.inbox().post(() -> fallBack("the file of " + map + " cannot be read: " + why));
    }

    @Override
    public void ended() {
      parts.inbox().post(this::end);
    }

    @Override
    public void fatal(Throwable why) {
      parts.inbox().reportException(why);
    }

    /** The NodeManager's answer. */
    private final class Answered implements Inbox.Step {
      private final @Nullable List<LocalFile> opened;
      private final @Nullable Throwable failure;

      Answered(@Nullable List<LocalFile> opened, @Nullable Throwable failure) {
        this.opened = opened;
        this.failure = failure;
      }

      @Override
      public void take() {
        if (opened == null) {
          Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
          if (cause instanceof FlowException) {
            LOG.info("No map outputs of this host as files for now: {}", cause.getMessage());
          } else {
            fallBack(String.valueOf(cause));
          }
          end();
          return;
        }
        LocalRead<K, V> read = read(opened);
        boolean begun = false;
        try {
          parts.copiers().execute(read);
          begun = true;
        } finally {
          if (!begun) {
            read.discard();
          }
        }
      }

      @Override
      public void discard() {
        if (opened != null) {
          opened.forEach(LocalFile::discard);
        }
      }
    }

    private LocalRead<K, V> read(List<LocalFile> opened) {
      Map<String, MapAttempt> byId = new HashMap<>();
      maps.forEach(map -> byId.put(map.id(), map));
      List<LocalRead.Work> work = new ArrayList<>();
      for (LocalFile one : opened) {
        MapAttempt map = byId.get(one.attempt());
        if (one instanceof LocalFile.Opened file && map != null) {
          work.add(new LocalRead.Work(map, file));
        } else if (one instanceof LocalFile.Refused refused) {
          fallBack("the NodeManager does not pass " + one.attempt() + ": " + refused.reason());
        }
      }
      return new LocalRead<>(own, reduce, work, parts.feed(), FIRST_COPIER + ++asked, this);
    }
  }
}
