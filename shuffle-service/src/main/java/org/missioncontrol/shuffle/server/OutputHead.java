/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.missioncontrol.shuffle.store.MapOutput.Segment;
import org.missioncontrol.shuffle.wire.MapOutputHeader;
import org.missioncontrol.shuffle.wire.MapOutputHeader.Failure;

/** The bytes before a map output's own. Immutable. */
final class OutputHead {
  /** What a header takes besides the attempt, mostly; the buffer grows if it is more. */
  private static final int HEADER_EXTRA_BYTES = 32;

  private OutputHead() {}

  /**
   * With a header for each segment.
   *
   * @param room for so many bytes that will follow in the same buffer
   */
  static ByteBuf of(String attempt, ReduceRange range, List<Segment> segments, int room) {
    ByteBuf head = begin(range, room + segments.size() * (attempt.length() + HEADER_EXTRA_BYTES));
    for (Segment segment : segments) {
      new MapOutputHeader(attempt, segment.partLength(), segment.rawLength(), segment.reduce())
          .encode(head);
    }
    return head;
  }

  /** Says of each partition that it is not sent. */
  static ByteBuf failed(String attempt, ReduceRange range, Failure failure) {
    ByteBuf head = begin(range, 0);
    for (int reduce = range.first(); reduce <= range.last(); reduce++) {
      MapOutputHeader.failed(attempt, reduce, failure).encode(head);
    }
    return head;
  }

  private static ByteBuf begin(ReduceRange range, int room) {
    ByteBuf head = Unpooled.buffer(HEADER_EXTRA_BYTES + room);
    if (range.ranged()) {
      MapOutputHeader.encodeCount(range.count(), head);
    }
    return head;
  }
}
