/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.store;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.shuffle.store.MapOutput.Segment;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;

/**
 * Map outputs where MapReduce's YarnOutputFiles put them, with their paths and indexes remembered
 * in bounded memory. Thread-safe.
 */
public final class LocalMapOutputStore implements MapOutputStore {
  /** Small outputs may take one part in so many of the heap. */
  private static final long SMALL_OUTPUTS_HEAP_PART = 8;

  private final LocalPaths paths;
  private final Predicate<String> running;
  private final WeightedLru<OutputId, Files> files;
  private final WeightedLru<OutputId, MapOutputIndex> indexes;
  private final SmallOutputs small;

  /**
   * Remembers as much as {@code config} says.
   *
   * @param running whether a job, by its name, has not ended; one that is to be forgotten has
   */
  public LocalMapOutputStore(ServerConfig config, LocalPaths paths, Predicate<String> running) {
    this(config, paths, running, System::nanoTime);
  }

  LocalMapOutputStore(
      ServerConfig config, LocalPaths paths, Predicate<String> running, LongSupplier nanos) {
    this.paths = paths;
    this.running = running;
    this.files =
        new WeightedLru<>(
            config.pathCacheWeight(),
            TimeUnit.MINUTES.toNanos(config.pathCacheMinutes()),
            (id, found) -> (long) id.weight() + found.weight(),
            nanos);
    this.indexes =
        new WeightedLru<>(
            (long) config.indexCacheMb() << 20,
            Long.MAX_VALUE,
            (id, index) -> id.bytes() + index.bytes(),
            nanos);
    this.small =
        new SmallOutputs(
            Math.min(
                (long) config.smallOutputsMb() << 20,
                Runtime.getRuntime().maxMemory() / SMALL_OUTPUTS_HEAP_PART),
            nanos);
  }

  @Override
  public MapOutput open(String job, String user, String attempt, int first, int last)
      throws MapOutputException {
    OutputId id = new OutputId(job, user, attempt);
    try {
      MapOutput output = open(id, first, last);
      small.asked(id, first, last);
      return output;
    } finally {
      dropIfEnded(job);
    }
  }

  private MapOutput open(OutputId id, int first, int last) throws MapOutputException {
    Files known = files.get(id);
    if (known != null) {
      try {
        return open(id, known, first, last);
      } catch (MapOutputException e) {
        // The disk may have failed since: look once more, and find out for certain.
        invalidate(id);
      }
    }
    Files found = find(id);
    try {
      MapOutput output = open(id, found, first, last);
      files.put(id, found);
      return output;
    } catch (MapOutputException e) {
      invalidate(id);
      throw e;
    }
  }

  @Override
  public @Nullable SmallOutput remembered(
      String job, String user, String attempt, int first, int last, int most) {
    OutputId id = new OutputId(job, user, attempt);
    SmallOutputs.Whole whole = small.get(id);
    if (whole == null) {
      return null;
    }
    List<Segment> segments;
    try {
      segments = segments(id, whole.index(), first, last);
    } catch (MapOutputException e) {
      // Whoever opens it hears why.
      small.remove(id);
      return null;
    }
    long length = length(segments);
    if (length > most) {
      return null;
    }
    small.asked(id, first, last);
    int offset = (int) offset(whole.index(), first, last);
    return part(whole.file(), segments, offset, (int) length);
  }

  @Override
  public @Nullable SmallOutput remember(String job, String user, String attempt, MapOutput open)
      throws IOException {
    OutputId id = new OutputId(job, user, attempt);
    MapOutputIndex index = indexes.get(id);
    List<Segment> segments = open.segments();
    if (index == null || index.partitions() <= segments.size() || !small.begin(id, index)) {
      return null;
    }
    ByteBuffer file = ByteBuffer.allocate((int) index.end());
    boolean whole = false;
    try {
      small.asked(id, segments.get(0).reduce(), segments.get(segments.size() - 1).reduce());
      while (file.hasRemaining()) {
        if (open.file().getChannel().read(file, file.position()) < 0) {
          return null;
        }
      }
      file.flip();
      small.finish(id, new SmallOutputs.Whole(index, file));
      whole = true;
      return part(file, segments, (int) open.offset(), (int) open.length());
    } finally {
      if (!whole) {
        small.remove(id);
      }
      dropIfEnded(job);
    }
  }

  private static SmallOutput part(ByteBuffer file, List<Segment> segments, int offset, int length) {
    return new SmallOutput(segments, file.slice(offset, length), file.limit());
  }

  @Override
  public void forget(String job) {
    small.forget(job);
    files.removeIf(id -> id.job().equals(job));
    indexes.removeIf(id -> id.job().equals(job));
  }

  /**
   * INVARIANT: a job is not running any more when it is forgotten. So what is put here while it
   * ends is dropped either by that, coming after it, or by this.
   */
  private void dropIfEnded(String job) {
    if (!running.test(job)) {
      forget(job);
    }
  }

  private void invalidate(OutputId id) {
    files.remove(id);
    indexes.remove(id);
  }

  private Files find(OutputId id) throws MapOutputException {
    try {
      String directory = id.directory();
      return new Files(
          paths.find(directory + "file.out.index").toFile(),
          paths.find(directory + "file.out").toFile());
    } catch (IOException e) {
      throw failure(Failure.MISSING, id, "is not on this host", e);
    }
  }

  private MapOutput open(OutputId id, Files at, int first, int last) throws MapOutputException {
    MapOutputIndex index = indexes.get(id);
    if (index == null) {
      index = readIndex(id, at.index());
      indexes.put(id, index);
    }
    List<Segment> segments = segments(id, index, first, last);
    long length = length(segments);
    long offset = offset(index, first, last);
    RandomAccessFile data = openFile(id, at.data());
    try {
      if (data.length() - offset < length) {
        throw failure(Failure.TRUNCATED, id, "is shorter than its index says", null);
      }
      return new MapOutput(segments, offset, length, data, at.data().toPath());
    } catch (IOException e) {
      closeAfter(e, data);
      throw e instanceof MapOutputException known
          ? known
          : failure(Failure.UNREADABLE, id, "cannot be read", e);
    }
  }

  private static MapOutputIndex readIndex(OutputId id, File file) throws MapOutputException {
    try (RandomAccessFile index = openFile(id, file)) {
      return MapOutputIndex.read(index);
    } catch (MapOutputException e) {
      throw e;
    } catch (IOException e) {
      throw failure(Failure.BAD_INDEX, id, "has a bad index", e);
    }
  }

  private static RandomAccessFile openFile(OutputId id, File file) throws MapOutputException {
    try {
      return SecureFiles.open(file, id.user());
    } catch (IOException e) {
      throw file.exists()
          ? failure(Failure.UNREADABLE, id, "may not be read", e)
          : failure(Failure.MISSING, id, "is not on this host", e);
    }
  }

  /** Checks each record, and that neighbours lie one after the other. */
  private static List<Segment> segments(OutputId id, MapOutputIndex index, int first, int last)
      throws MapOutputException {
    if (first < 0 || last >= index.partitions()) {
      throw failure(
          Failure.BAD_INDEX,
          id,
          "has partitions 0 to %d, not %d".formatted(index.partitions() - 1, last),
          null);
    }
    List<Segment> segments = new ArrayList<>(last - first + 1);
    long end = offset(index, first, last);
    for (int reduce = first; reduce <= last; reduce++) {
      long offset = index.offset(reduce);
      long part = index.partLength(reduce);
      long raw = index.rawLength(reduce);
      if (offset < 0 || part < 0 || raw < 0 || part > Long.MAX_VALUE - offset) {
        throw failure(Failure.BAD_INDEX, id, "has an index out of range at " + reduce, null);
      }
      if (part > 0) {
        if (offset != end) {
          throw failure(Failure.BAD_INDEX, id, "has a gap in its index at " + reduce, null);
        }
        end = offset + part;
      }
      segments.add(new Segment(reduce, part, raw));
    }
    return segments;
  }

  private static long length(List<Segment> segments) {
    long length = 0;
    for (Segment segment : segments) {
      length += segment.partLength();
    }
    return length;
  }

  /** Where the first partition that has bytes begins. */
  private static long offset(MapOutputIndex index, int first, int last) {
    for (int reduce = first; reduce <= last; reduce++) {
      if (index.partLength(reduce) > 0) {
        return index.offset(reduce);
      }
    }
    return 0;
  }

  private static void closeAfter(IOException cause, RandomAccessFile file) {
    try {
      file.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private static MapOutputException failure(
      Failure failure, OutputId id, String what, @Nullable Throwable cause) {
    return new MapOutputException(failure, "Map output " + id.attempt() + " " + what, cause);
  }

  /** Where the two files of an output lie; they may be on different disks. Immutable. */
  private record Files(File index, File data) {
    private int weight() {
      return index.getPath().length() + data.getPath().length();
    }
  }
}
