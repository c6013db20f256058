/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sockets at the door that have not shown who they are, counted by local user. Event-loop confined.
 */
final class Strangers {
  /** Of all users together. */
  static final int MAX = 256;

  /** Of one user, so that none keeps the others out. */
  static final int MAX_OF_USER = MAX / 2;

  private final Map<Integer, Integer> byUser = new HashMap<>();
  private int all;

  /** Counts one, in any case; why it may not stay, or null if it may. */
  @Nullable String arrived(int user) {
    int ofUser = byUser.merge(user, 1, Integer::sum);
    if (ofUser > MAX_OF_USER) {
      return "more than " + MAX_OF_USER + " strangers of user " + user + " at once";
    }
    return ++all > MAX ? "more than " + MAX + " strangers at once" : null;
  }

  /** One has left or shown who it is. */
  void gone(int user) {
    Integer ofUser = byUser.get(user);
    if (ofUser == null) {
      return;
    }
    // Whoever came beyond the user's limit was never counted among all.
    if (ofUser <= MAX_OF_USER) {
      all--;
    }
    if (ofUser == 1) {
      byUser.remove(user);
    } else {
      byUser.put(user, ofUser - 1);
    }
  }
}
