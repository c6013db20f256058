/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.throttle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.Channels;
import org.missioncontrol.transport.HostTraits;
import org.missioncontrol.transport.MptcpLimits;
import org.missioncontrol.transport.SocketFacts;

/** This host's sockets, of which the kernel tells what a test wants it to tell. */
final class ImaginedKernel {
  volatile HostTraits traits = HostTraits.UNKNOWN;
  volatile @Nullable SocketFacts facts;

  void interfaces(String... names) {
    interfaces(null, names);
  }

  void interfaces(@Nullable MptcpLimits limits, String... names) {
    traits = new HostTraits(List.of(), 2, List.of(names), limits != null, limits, null);
  }

  Channels channels() {
    return (Channels)
        Proxy.newProxyInstance(
            Channels.class.getClassLoader(),
            new Class<?>[] {Channels.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("traits")) {
                return traits;
              }
              if (method.getName().equals("facts") && facts != null) {
                return facts;
              }
              try {
                return method.invoke(Node.CHANNELS, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
