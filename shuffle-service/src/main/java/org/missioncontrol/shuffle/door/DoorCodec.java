/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.door;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.MessageToByteEncoder;
import io.netty.handler.codec.MessageToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@link DoorMessage}s as lines of JSON. Fields that are not known are skipped, so that a later
 * version can say more. Immutable.
 */
public final class DoorCodec {
  private static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private DoorCodec() {}

  /** Lines in both directions. */
  public static void addTo(ChannelPipeline pipeline) {
    pipeline.addLast(new LineBasedFrameDecoder(DoorMessage.MAX_LINE_BYTES, true, true));
    pipeline.addLast(new Decoder());
    addEncoderTo(pipeline);
  }

  /** Lines out; what comes in is something else. */
  public static void addEncoderTo(ChannelPipeline pipeline) {
    pipeline.addLast(new Encoder());
  }

  private static final class Decoder extends MessageToMessageDecoder<ByteBuf> {
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf line, List<Object> out) {
      try {
        out.add(JSON.readValue(line.toString(StandardCharsets.UTF_8), DoorMessage.class));
      } catch (JsonProcessingException e) {
        throw new CorruptedFrameException("not a message: " + e.getOriginalMessage(), e);
      }
    }
  }

  private static final class Encoder extends MessageToByteEncoder<DoorMessage> {
    @Override
    protected void encode(ChannelHandlerContext context, DoorMessage message, ByteBuf out)
        throws JsonProcessingException {
      out.writeBytes(JSON.writeValueAsBytes(message)).writeByte('\n');
    }
  }
}
