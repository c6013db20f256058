/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.proto.ShuffleHandlerRecoveryProtos.JobShuffleInfoProto;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.yarn.proto.YarnServerCommonProtos.VersionProto;
import org.apache.hadoop.yarn.server.records.Version;
import org.apache.hadoop.yarn.server.records.impl.pb.VersionPBImpl;
import org.apache.hadoop.yarn.server.utils.LeveldbIterator;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBException;
import org.iq80.leveldb.Options;

/**
 * The jobs that outlive a restart of the NodeManager, in the stock handler's own leveldb: same
 * directory, keys, values and version rules, so that either handler continues the other's.
 * Thread-safe.
 */
final class RecoveryStore implements Closeable {
  static final String DIRECTORY = "mapreduce_shuffle_state";
  static final String VERSION_KEY = "shuffle-schema-version";

  /** Minor differences are compatible, major ones are not. */
  static final Version VERSION = Version.newInstance(1, 0);

  private static final Pattern JOB_KEY = Pattern.compile(JobID.JOBID_REGEX);

  private final File directory;
  private final DB db;
  private boolean closed;

  private RecoveryStore(File directory, DB db) {
    this.directory = directory;
    this.db = db;
  }

  /**
   * Opens or creates the store below {@code recoveryRoot}.
   *
   * @throws IOException if it is corrupt, held by another process, or of an incompatible version
   */
  static RecoveryStore open(File recoveryRoot) throws IOException {
    File directory = new File(recoveryRoot, DIRECTORY);
    DB db;
    try {
      db = JniDBFactory.factory.open(directory, new Options().createIfMissing(true));
    } catch (IOException | DBException e) {
      throw new IOException(
          "cannot open the shuffle's recovery store "
              + directory
              + ": "
              + e.getMessage()
              + "; repair it, or move it away to start without the jobs that run now",
          e);
    }
    RecoveryStore store = new RecoveryStore(directory, db);
    try {
      store.checkVersion();
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
    return store;
  }

  /**
   * Every job in the store.
   *
   * @throws IOException if an entry cannot be read, naming it
   */
  synchronized List<StoredJob> jobs() throws IOException {
    requireOpen();
    List<StoredJob> jobs = new ArrayList<>();
    try (LeveldbIterator entries = new LeveldbIterator(db)) {
      entries.seek(JobID.JOB.getBytes(UTF_8));
      while (entries.hasNext()) {
        Map.Entry<byte[], byte[]> entry = entries.next();
        String key = new String(entry.getKey(), UTF_8);
        if (!JOB_KEY.matcher(key).matches()) {
          break;
        }
        jobs.add(decode(key, entry.getValue()));
      }
    } catch (DBException e) {
      throw new IOException("cannot read the shuffle's recovery store " + directory, e);
    }
    return jobs;
  }

  /** Adds or replaces a job; not synced to the disk, as stock. */
  synchronized void put(StoredJob job) throws IOException {
    requireOpen();
    Token<JobTokenIdentifier> token = job.token();
    JobShuffleInfoProto value =
        JobShuffleInfoProto.newBuilder()
            .setUser(job.user())
            .setJobToken(
                TokenProto.newBuilder()
                    .setIdentifier(ByteString.copyFrom(token.getIdentifier()))
                    .setPassword(ByteString.copyFrom(token.getPassword()))
                    .setKind(token.getKind().toString())
                    .setService(token.getService().toString()))
            .build();
    try {
      db.put(job.id().getBytes(UTF_8), value.toByteArray());
    } catch (DBException e) {
      throw new IOException("cannot store " + job + " in " + directory, e);
    }
  }

  /** Removes a job if it is there. */
  synchronized void remove(String job) throws IOException {
    requireOpen();
    try {
      db.delete(job.getBytes(UTF_8));
    } catch (DBException e) {
      throw new IOException("cannot remove " + job + " from " + directory, e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      db.close();
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }

  private void requireOpen() throws IOException {
    // Trap: leveldb's native code is not safe to call after close.
    if (closed) {
      throw new IOException("the shuffle's recovery store " + directory + " is closed");
    }
  }

  private void checkVersion() throws IOException {
    byte[] stored = db.get(VERSION_KEY.getBytes(UTF_8));
    Version found =
        stored == null || stored.length == 0
            ? VERSION
            : new VersionPBImpl(VersionProto.parseFrom(stored));
    if (!found.isCompatibleTo(VERSION)) {
      throw new IOException(
          "Incompatible version for state DB schema: expecting DB schema version "
              + VERSION
              + ", but loading version "
              + found
              + " from "
              + directory
              + "; run the release that wrote it, or move it away to start without its jobs");
    }
    if (stored == null || !found.equals(VERSION)) {
      db.put(VERSION_KEY.getBytes(UTF_8), ((VersionPBImpl) VERSION).getProto().toByteArray());
    }
  }

  private StoredJob decode(String key, byte[] value) throws IOException {
    try {
      JobShuffleInfoProto info = JobShuffleInfoProto.parseFrom(value);
      TokenProto token = info.getJobToken();
      return new StoredJob(
          JobID.forName(key).toString(),
          info.getUser(),
          new Token<>(
              token.getIdentifier().toByteArray(),
              token.getPassword().toByteArray(),
              new Text(token.getKind()),
              new Text(token.getService())));
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(
          "bad entry " + key + " in the shuffle's recovery store " + directory, e);
    }
  }
}
