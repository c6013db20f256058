/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.reduce;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.missioncontrol.shuffle.reduce.MapOutputServer.Body;

/** Bodies whose second output is wrong: what is wrong, the error it counts as, maps reported. */
final class BadBodies {
  private BadBodies() {}

  /** Answers with the first output good and the second as {@code second} makes it. */
  interface Second {
    void write(Body body, String map, Segments.Segment segment);
  }

  static Stream<Arguments> all() {
    long huge = Long.MAX_VALUE / 2;
    return Stream.of(
        bad(
            "a map that nobody asked for",
            "WRONG_MAP",
            0,
            (body, map, good) -> body.output("attempt_1700000000000_0001_m_000099_0", good)),
        bad("no map attempt", "BAD_ID", 0, (body, map, good) -> body.output("nonsense", good)),
        bad(
            "an id of negative length",
            "BAD_ID",
            0,
            (body, map, good) -> body.raw(new byte[] {-1, 1, 2, 3})),
        bad(
            "an id without end",
            "BAD_ID",
            0,
            (body, map, good) -> body.raw(filled(3000, (byte) 127))),
        bad(
            "another reduce",
            "WRONG_REDUCE",
            1,
            (body, map, good) ->
                body.header(map, good.bytes().length, good.rawLength(), 7).raw(good.bytes())),
        bad(
            "a negative length",
            "WRONG_LENGTH",
            1,
            (body, map, good) -> body.header(map, -5, 10, 1).raw(good.bytes())),
        bad(
            "a negative raw length",
            "WRONG_LENGTH",
            1,
            (body, map, good) -> body.header(map, good.bytes().length, -1, 1).raw(good.bytes())),
        bad(
            "a length beyond the body",
            "WRONG_LENGTH",
            1,
            (body, map, good) -> body.header(map, huge, 10, 1).raw(good.bytes())),
        bad(
            "a raw length that no data makes",
            "WRONG_LENGTH",
            1,
            (body, map, good) -> body.header(map, good.bytes().length, huge, 1).raw(good.bytes())),
        bad(
            "a header cut short",
            "IO_ERROR",
            1,
            (body, map, good) -> body.raw(new byte[] {37, 'a', 't', 't'})),
        bad(
            "an output cut short",
            "WRONG_LENGTH",
            1,
            (body, map, good) ->
                body.header(map, good.bytes().length, good.rawLength(), 1)
                    .raw(Arrays.copyOf(good.bytes(), 20))));
  }

  private static Arguments bad(String name, String error, int reports, Second second) {
    return Arguments.of(name, error, reports, second);
  }

  private static byte[] filled(int length, byte value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, value);
    return bytes;
  }
}
