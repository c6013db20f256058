/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Runs another main class and ends this JVM when its standard input closes, that is, when the
 * process that started it is gone, however it went. Owned by the JVM.
 */
public final class DaemonMain {
  private static final long PATIENCE_MS = 15_000;

  private DaemonMain() {}

  /**
   * Entry point.
   *
   * @param args the main class, then its arguments
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    Thread watch = new Thread(DaemonMain::watchParent, "parent-watch");
    watch.setDaemon(true);
    watch.start();
    Method main = Class.forName(args[0]).getMethod("main", String[].class);
    main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
  }

  private static void watchParent() {
    try {
      int read = System.in.read();
      while (read >= 0) {
        read = System.in.read();
      }
    } catch (IOException e) {
      System.err.println("standard input failed, as if closed: " + e);
    }
    Thread halt = new Thread(DaemonMain::haltLater, "halt");
    halt.setDaemon(true);
    halt.start();
    System.exit(0);
  }

  private static void haltLater() {
    try {
      Thread.sleep(PATIENCE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(1);
  }
}
