/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.door;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.Transport;

/**
 * One line of JSON on a domain socket of the door. A task's session is two sockets: on the control
 * socket it says {@link Hello}, is answered by {@link Challenge}, says {@link Proof}, gets {@link
 * Welcome}; then it says {@link Attach} on the second, on which only descriptors come back, and
 * gets {@link Ready} on the first. From then on requests, in any order. The n-th descriptor belongs
 * to the n-th {@link Granted} or {@link GotFile}. The session ends with its control socket.
 * Immutable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = DoorMessage.Hello.class, name = "hello"),
  @JsonSubTypes.Type(value = DoorMessage.Challenge.class, name = "challenge"),
  @JsonSubTypes.Type(value = DoorMessage.Proof.class, name = "proof"),
  @JsonSubTypes.Type(value = DoorMessage.Welcome.class, name = "welcome"),
  @JsonSubTypes.Type(value = DoorMessage.Attach.class, name = "attach"),
  @JsonSubTypes.Type(value = DoorMessage.Ready.class, name = "ready"),
  @JsonSubTypes.Type(value = DoorMessage.Ask.class, name = "ask"),
  @JsonSubTypes.Type(value = DoorMessage.Withdraw.class, name = "withdraw"),
  @JsonSubTypes.Type(value = DoorMessage.Granted.class, name = "granted"),
  @JsonSubTypes.Type(value = DoorMessage.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = DoorMessage.Renew.class, name = "renew"),
  @JsonSubTypes.Type(value = DoorMessage.Renewed.class, name = "renewed"),
  @JsonSubTypes.Type(value = DoorMessage.Release.class, name = "release"),
  @JsonSubTypes.Type(value = DoorMessage.AskFiles.class, name = "ask-files"),
  @JsonSubTypes.Type(value = DoorMessage.GotFile.class, name = "file"),
  @JsonSubTypes.Type(value = DoorMessage.NoFile.class, name = "no-file"),
  @JsonSubTypes.Type(value = DoorMessage.Ping.class, name = "ping"),
  @JsonSubTypes.Type(value = DoorMessage.Pong.class, name = "pong"),
  @JsonSubTypes.Type(value = DoorMessage.Refused.class, name = "refused"),
})
public sealed interface DoorMessage {
  /** Of the language; said in the first line of each socket. */
  int VERSION = 1;

  /** Longest line, bytes. */
  int MAX_LINE_BYTES = 4096;

  /**
   * Task to NodeManager: who is there.
   *
   * @param nonce of the task
   */
  record Hello(int version, String job, String attempt, String nonce) implements DoorMessage {
    /** Refuses what could be read as something else in the hashed text. */
    public Hello {
      Names.check("job", job);
      Names.check("attempt", attempt);
      Names.check("nonce", nonce);
    }
  }

  /**
   * NodeManager to task: it knows the secret, does the task?
   *
   * @param nonce of the NodeManager
   */
  record Challenge(String nonce, String hash) implements DoorMessage {
    /** Refuses what could be read as something else in the hashed text. */
    public Challenge {
      Names.check("nonce", nonce);
      Objects.requireNonNull(hash, "hash");
    }
  }

  /** Task to NodeManager: yes. */
  record Proof(String hash) implements DoorMessage {
    /** Refuses null. */
    public Proof {
      Objects.requireNonNull(hash, "hash");
    }
  }

  /**
   * NodeManager to task: come in.
   *
   * @param token joins the descriptor socket to this session, once
   */
  record Welcome(String token) implements DoorMessage {
    /** Refuses null. */
    public Welcome {
      Objects.requireNonNull(token, "token");
    }
  }

  /** First and only line of the descriptor socket. */
  record Attach(int version, String token) implements DoorMessage {
    /** Refuses null. */
    public Attach {
      Objects.requireNonNull(token, "token");
    }
  }

  /**
   * NodeManager to task: the descriptor socket is joined.
   *
   * @param files port at which this NodeManager serves map outputs, if it passes their files too;
   *     else 0
   */
  record Ready(int files) implements DoorMessage {}

  /**
   * Task to NodeManager: a connection, please.
   *
   * @param id of the request, chosen by the task
   * @param timeoutMs milliseconds that connecting may take; the NodeManager has a limit of its own
   * @param received bytes of map outputs that the task has got until now
   */
  record Ask(long id, String host, int port, String transport, int timeoutMs, long received)
      implements DoorMessage {
    private static final int MAX_HOST = 255;

    /** Refuses what nobody can connect to. */
    public Ask {
      if (host == null || host.isEmpty() || host.length() > MAX_HOST) {
        throw new IllegalArgumentException("not a host: " + host);
      }
      if (port < 1 || port > 0xffff) {
        throw new IllegalArgumentException("not a port: " + port);
      }
      Transport.check(Objects.requireNonNull(transport, "transport"));
    }
  }

  /** Task to NodeManager: no longer wanted. One that has been answered meanwhile is fine. */
  record Withdraw(long id) implements DoorMessage {}

  /**
   * NodeManager to task: connected, the descriptor is on the other socket.
   *
   * @param congestionControl read back from the kernel
   * @param refusal why the transport is not the wanted one, or null
   * @param transport that is wanted now, if not the one asked for: also of the map host; null: as
   *     asked
   */
  record Granted(
      long id,
      long lease,
      String congestionControl,
      @Nullable String refusal,
      @Nullable String transport)
      implements DoorMessage {
    /** Refuses null where there must be something. */
    public Granted {
      Objects.requireNonNull(congestionControl, "congestionControl");
      if (transport != null) {
        Transport.check(transport);
      }
    }
  }

  /** NodeManager to task: no connection could be made; nothing is held. */
  record Failed(long id, String reason) implements DoorMessage {
    /** Refuses null. */
    public Failed {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * Task to NodeManager: one more batch.
   *
   * @param received bytes of map outputs that the task has got until now
   */
  record Renew(long lease, long received) implements DoorMessage {}

  /**
   * NodeManager to task: it may, or it may not.
   *
   * @param transport that is wanted from now on, also of the map host; null: as before
   * @param refusal why this end has another one, or null
   */
  record Renewed(long lease, boolean granted, @Nullable String transport, @Nullable String refusal)
      implements DoorMessage {
    /** Refuses what no kernel module can be called. */
    public Renewed {
      if (transport != null) {
        Transport.check(transport);
      }
    }
  }

  /** Task to NodeManager: the connection is closed. */
  record Release(long lease) implements DoorMessage {}

  /**
   * Task to NodeManager: one partition of these outputs as open files, please.
   *
   * @param id of the request, chosen by the task
   * @param maps attempts, {@value #MOST} at most
   */
  record AskFiles(long id, int reduce, List<String> maps) implements DoorMessage {
    /** Most outputs of one request. */
    public static final int MOST = 32;

    /** Refuses what no line can hold. */
    public AskFiles {
      maps = List.copyOf(maps);
      if (maps.isEmpty() || maps.size() > MOST || reduce < 0) {
        throw new IllegalArgumentException(
            "not 1 to " + MOST + " outputs of a reduce: " + maps.size() + " of " + reduce);
      }
      maps.forEach(map -> Names.check("map attempt", map));
    }
  }

  /**
   * NodeManager to task: the file is on the other socket, at the place where the partition begins.
   *
   * @param id of the request
   * @param partLength bytes of the partition
   * @param rawLength bytes of it after decompression
   */
  record GotFile(long id, String map, long partLength, long rawLength) implements DoorMessage {
    /** Refuses null. */
    public GotFile {
      Objects.requireNonNull(map, "map");
    }
  }

  /** NodeManager to task: this output cannot be passed. */
  record NoFile(long id, String map, String reason) implements DoorMessage {
    /** Refuses null. */
    public NoFile {
      Objects.requireNonNull(map, "map");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** Task to NodeManager: still there? */
  record Ping() implements DoorMessage {}

  /** NodeManager to task: yes. */
  record Pong() implements DoorMessage {}

  /** NodeManager to task, the last line before it closes. */
  record Refused(String reason) implements DoorMessage {
    /** Refuses null. */
    public Refused {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** What may be part of a hashed text. Immutable. */
  final class Names {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private Names() {}

    static void check(String what, @Nullable String value) {
      if (value == null || !NAME.matcher(value).matches()) {
        throw new IllegalArgumentException("not a " + what + ": " + value);
      }
    }
  }
}
