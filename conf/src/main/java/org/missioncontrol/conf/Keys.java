/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

/**
 * Names and defaults of every key that is ours. Immutable. Job keys ({@code
 * mapreduce.mission-control.*}) travel in job.xml; service keys ({@code mission-control.*}) are
 * read from the NodeManager's yarn-site.xml. {@code mission-control-default.xml} documents each; a
 * test holds the two together.
 */
public final class Keys {
  private Keys() {}

  /** What a job may say about its transfer. */
  public interface Transfer {
    String WEIGHT_KEY = "mapreduce.mission-control.weight";
    float WEIGHT_DEFAULT = 1.0f;
    String TRANSPORT_KEY = "mapreduce.mission-control.transport";
    String TRANSPORT_DEFAULT = "auto";

    String ENCRYPTION_KEY = "mapreduce.mission-control.encryption";
    String ENCRYPTION_DEFAULT = "off";
  }

  /** The controller in a job's ApplicationMaster. */
  public interface Am {
    String DELEGATE_POLICY_KEY = "mapreduce.mission-control.am.delegate-policy";
    String DELEGATE_POLICY_DEFAULT =
        "org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy";
    String POLL_INTERVAL_MS_KEY = "mapreduce.mission-control.am.poll-interval-ms";
    long POLL_INTERVAL_MS_DEFAULT = 500;
    String ANNOUNCE_INTERVAL_MS_KEY = "mapreduce.mission-control.am.announce-interval-ms";
    long ANNOUNCE_INTERVAL_MS_DEFAULT = 5000;
    String CALL_TIMEOUT_MS_KEY = "mapreduce.mission-control.am.call-timeout-ms";
    int CALL_TIMEOUT_MS_DEFAULT = 2000;
  }

  /** The reducer's fetching. */
  public interface Fetch {
    String LEASES_ENABLED_KEY = "mapreduce.mission-control.leases.enabled";
    boolean LEASES_ENABLED_DEFAULT = true;
    String LOCAL_FILES_ENABLED_KEY = "mapreduce.mission-control.local-files.enabled";
    boolean LOCAL_FILES_ENABLED_DEFAULT = true;
    String LOCAL_FILES_TIMEOUT_MS_KEY = "mapreduce.mission-control.local-files.timeout-ms";
    long LOCAL_FILES_TIMEOUT_MS_DEFAULT = 5000;
    String DOOR_TIMEOUT_MS_KEY = "mapreduce.mission-control.door.timeout-ms";
    long DOOR_TIMEOUT_MS_DEFAULT = 10_000;
    String MAPS_PER_BATCH_KEY = "mapreduce.mission-control.fetch.maps-per-batch";
    int MAPS_PER_BATCH_DEFAULT = 100;
    String LEASE_TARGET_MS_KEY = "mapreduce.mission-control.fetch.lease-target-ms";
    long LEASE_TARGET_MS_DEFAULT = 100;
    String FLOWS_PER_MAP_HOST_KEY = "mapreduce.mission-control.fetch.flows-per-map-host";
    int FLOWS_PER_MAP_HOST_DEFAULT = 1;
    String OWN_RACK_FIRST_KEY = "mapreduce.mission-control.fetch.own-rack-first";
    boolean OWN_RACK_FIRST_DEFAULT = false;
    String BROADCAST_CACHE_MB_KEY = "mapreduce.mission-control.broadcast.cache-mb";
    int BROADCAST_CACHE_MB_DEFAULT = 4096;
    String PENALTY_INITIAL_MS_KEY = "mapreduce.mission-control.fetch.penalty.initial-ms";
    long PENALTY_INITIAL_MS_DEFAULT = 500;
    String COPIER_READS_FROM_KEY = "mapreduce.mission-control.fetch.copier-reads-from-bytes";
    int COPIER_READS_FROM_DEFAULT = 128 << 10;
    String EVENTS_PER_SECOND_KEY = "mapreduce.mission-control.events.most-per-second";
    int EVENTS_PER_SECOND_DEFAULT = 200;
  }

  /** The NodeManager's throttle controller and its door. */
  public interface Throttle {
    String FLOWS_PER_HOST_KEY = "mission-control.flows.per-host";
    int FLOWS_PER_HOST_DEFAULT = 12;
    String LEASE_MAX_MS_KEY = "mission-control.lease.max-ms";
    long LEASE_MAX_MS_DEFAULT = 600_000;
    String TRANSFER_EXPIRY_MS_KEY = "mission-control.transfer.expiry-ms";
    long TRANSFER_EXPIRY_MS_DEFAULT = 15_000;
    String DOOR_ENABLED_KEY = "mission-control.door.enabled";
    boolean DOOR_ENABLED_DEFAULT = true;
    String DOOR_DIRECTORY_KEY = "mission-control.door.directory";
    String DOOR_DIRECTORY_DEFAULT = "";
  }

  /** How the throttle controller weighs jobs. */
  public interface Sharing {
    String POLICY_KEY = "mission-control.policy";
    String POLICY_DEFAULT = "fair";
    String RULES_FILE_KEY = "mission-control.rules-file";
    String RULES_FILE_DEFAULT = "";
    String SHARE_BY_KEY = "mission-control.share-by";
    String SHARE_BY_DEFAULT = "flows";
  }

  /** The NodeManager's shuffle server, beyond the stock keys. */
  public interface Server {
    String IDLE_TIMEOUT_MS_KEY = "mission-control.server.idle-timeout-ms";
    long IDLE_TIMEOUT_MS_DEFAULT = 60_000;
    String STALL_TIMEOUT_MS_KEY = "mission-control.server.stall-timeout-ms";
    long STALL_TIMEOUT_MS_DEFAULT = 180_000;
    String DISK_THREADS_KEY = "mission-control.server.disk-threads";
    int DISK_THREADS_DEFAULT = 0;
    String SMALL_OUTPUTS_MB_KEY = "mission-control.server.small-outputs-mb";
    int SMALL_OUTPUTS_MB_DEFAULT = 64;
    String STATUS_ENABLED_KEY = "mission-control.status.enabled";
    boolean STATUS_ENABLED_DEFAULT = true;
  }

  /** Orders of operators to a NodeManager. */
  public interface Operator {
    String SECRET_FILE_KEY = "mission-control.operator.secret-file";
    String SECRET_FILE_DEFAULT = "";
  }
}
