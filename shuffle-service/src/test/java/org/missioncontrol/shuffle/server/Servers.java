/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.missioncontrol.conf.ServerConfig;
import org.missioncontrol.scheduler.control.ControlReply;
import org.missioncontrol.shuffle.store.LocalMapOutputStore;
import org.missioncontrol.transport.Channels;

/** Starts our server for tests. */
final class Servers {
  private Servers() {}

  static Channels channels() {
    return Channels.detect();
  }

  static ShuffleServer start(ServerConfig config, MapOutputs outputs, ServerEvents events)
      throws IOException {
    return start(config, channels(), outputs, events, null);
  }

  static ShuffleServer start(
      ServerConfig config,
      Channels channels,
      MapOutputs outputs,
      ServerEvents events,
      TlsEngines tls)
      throws IOException {
    return ShuffleServer.start(
        config,
        channels,
        new Secrets(),
        new LocalMapOutputStore(config, outputs::find, job -> true),
        request ->
            CompletableFuture.completedFuture(
                new ControlReply(200, "{\"path\":\"" + request.path() + "\"}", "signed")),
        events,
        tls);
  }

  /** Any free port, and {@code settings} as key, value, key, value. */
  static ServerConfig config(Object... settings) {
    Configuration conf = new Configuration(false);
    conf.setInt("mapreduce.shuffle.port", 0);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i].toString(), settings[i + 1].toString());
    }
    return ServerConfig.from(conf);
  }
}
