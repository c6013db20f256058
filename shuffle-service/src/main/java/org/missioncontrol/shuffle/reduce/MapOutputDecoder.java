/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.shuffle.wire.MapOutputHeader;

/**
 * Cuts the body of a reply into map outputs and refuses what was not asked for. Owned by the event
 * loop, then by the copier if it reads the rest itself; memory is bounded by one header.
 */
final class MapOutputDecoder {
  private static final Pattern MAP_ATTEMPT = Pattern.compile("attempt_\\d+_\\d+_m_\\d+_\\d+");

  private final MapServer server;
  private final int reduce;
  private final boolean extended;
  private final Map<String, MapAttempt> waiting = new LinkedHashMap<>();
  private final ByteBuf partialHeader = Unpooled.buffer(64, MapOutputHeader.MAX_BYTES);

  /** Bytes of the body that have not been decoded yet. */
  private long bodyLeft;

  private long outputLeft;
  private @Nullable MapAttempt current;

  /**
   * @param extended whether outputs may be refused by name
   * @param bodyLength bytes of the body, or -1 if it ends with the connection
   */
  MapOutputDecoder(MapOutputRequest asked, boolean extended, long bodyLength) {
    this.server = asked.server();
    this.reduce = asked.reduce();
    this.extended = extended;
    this.bodyLeft = bodyLength < 0 ? Long.MAX_VALUE : bodyLength;
    asked.maps().forEach(map -> waiting.put(map.id(), map));
  }

  /** Bytes of the body that have not been fed yet; a very large number when nobody knows. */
  long bodyLeft() {
    return bodyLeft - partialHeader.readableBytes();
  }

  /** Takes all bytes of {@code in}; outputs keep slices of it. */
  void feed(ByteBuf in, Consumer<Reply> out) throws FetchFault {
    while (in.isReadable()) {
      if (outputLeft > 0) {
        int length = (int) Math.min(outputLeft, in.readableBytes());
        out.accept(new Reply.Bytes(in.readRetainedSlice(length)));
        outputLeft -= length;
        bodyLeft -= length;
      } else if (waiting.isEmpty()) {
        throw new FetchFault(
            FetchFault.Kind.WRONG_MAP, server + " sent more than the outputs it was asked for");
      } else {
        header(in, out);
      }
    }
  }

  private void header(ByteBuf in, Consumer<Reply> out) throws FetchFault {
    MapOutputHeader header;
    int before = partialHeader.readableBytes();
    int copied = Math.min(in.readableBytes(), partialHeader.maxWritableBytes());
    partialHeader.writeBytes(in, copied);
    try {
      header = MapOutputHeader.decode(partialHeader);
    } catch (IOException | RuntimeException e) {
      throw new FetchFault(
          FetchFault.Kind.BAD_ID, null, server + " sent bytes that are no map output header", e);
    }
    if (header == null) {
      if (copied == 0) {
        throw new FetchFault(
            FetchFault.Kind.BAD_ID, server + " sent a map output header without end");
      }
      return;
    }
    in.readerIndex(in.readerIndex() - partialHeader.readableBytes());
    bodyLeft -= (long) before + copied - partialHeader.readableBytes();
    partialHeader.clear();
    begin(header, out);
  }

  private void begin(MapOutputHeader header, Consumer<Reply> out) throws FetchFault {
    MapAttempt attempt = waiting.remove(header.mapId());
    if (attempt == null) {
      boolean valid = MAP_ATTEMPT.matcher(header.mapId()).matches();
      throw new FetchFault(
          valid ? FetchFault.Kind.WRONG_MAP : FetchFault.Kind.BAD_ID,
          server + " sent an output that was not asked for, or twice: \"" + header.mapId() + "\"");
    }
    current = attempt;
    if (header.reduce() != reduce) {
      throw new FetchFault(
          FetchFault.Kind.WRONG_REDUCE,
          attempt,
          server + " sent " + attempt + " for reduce " + header.reduce() + ", not " + reduce,
          null);
    }
    boolean refused = extended && header.failure() != null;
    if (!refused
        && (header.partLength() < 0 || header.rawLength() < 0 || header.partLength() > bodyLeft)) {
      throw new FetchFault(
          FetchFault.Kind.WRONG_LENGTH,
          attempt,
          server + " sent impossible lengths: " + header,
          null);
    }
    outputLeft = refused ? 0 : header.partLength();
    out.accept(new Reply.Output(attempt, header));
  }

  /** The body has ended. */
  void end(Consumer<Reply> out) throws FetchFault {
    if (outputLeft > 0 || !waiting.isEmpty()) {
      throw cut(null);
    }
    out.accept(new Reply.End());
  }

  /** The fault of a body that ends here. */
  FetchFault cut(@Nullable Throwable cause) {
    MapAttempt culprit =
        outputLeft > 0 || waiting.isEmpty() ? current : waiting.values().iterator().next();
    return new FetchFault(
        FetchFault.Kind.CUT,
        culprit,
        server
            + " ended its reply early: "
            + outputLeft
            + " bytes of "
            + current
            + " and "
            + waiting.size()
            + " further outputs are missing"
            + (cause == null ? "" : " (" + cause + ")"),
        cause);
  }
}
