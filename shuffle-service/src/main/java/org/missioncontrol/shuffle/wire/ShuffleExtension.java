/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.wire;

/**
 * What our reducer and our handler say to each other inside the stock protocol
 * (ShuffleChannelHandler ignores unknown parameters, and the request hash covers them). A stock
 * peer never sees the rest. Immutable.
 */
public final class ShuffleExtension {
  /** Query parameter of the request and header of the reply; its value is {@link #VERSION}. */
  public static final String NAME = "mission-control";

  public static final String VERSION = "1";

  /**
   * Query parameter: transport wanted on the server's end, set before the first byte of the reply;
   * it stays until a request names another one. {@code default} is the host's own.
   */
  public static final String TRANSPORT = "mission-control-transport";

  /** Header of the reply: the server end's congestion control, read back from its kernel. */
  public static final String TRANSPORT_USED = "mission-control-transport-used";

  /** Header of the reply: why the wanted transport is not used. */
  public static final String TRANSPORT_REFUSED = "mission-control-transport-refused";

  /**
   * Query parameter, of any value: the outputs may leave through TLS only. The request hash covers
   * it, so that nobody on the way can take it out.
   */
  public static final String ENCRYPTED_ONLY = "mission-control-encrypted-only";

  private ShuffleExtension() {}
}
