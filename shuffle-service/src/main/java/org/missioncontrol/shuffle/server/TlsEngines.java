/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLEngine;

/** Makes the TLS end of each accepted connection (Hadoop's SSLFactory). Thread-safe. */
@FunctionalInterface
public interface TlsEngines {
  /** A server-mode engine for one connection. */
  SSLEngine newEngine() throws IOException, GeneralSecurityException;
}
