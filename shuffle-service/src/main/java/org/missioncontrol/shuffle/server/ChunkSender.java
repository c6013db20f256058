/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import org.missioncontrol.shuffle.store.MapOutput;

/**
 * Sends by reading, for TLS and where sendfile is not allowed: a chunk is read on a disk thread and
 * written, then the next one is. So no more than one chunk is in memory. Event-loop confined.
 */
final class ChunkSender implements OutputSender {
  private final Executor disk;
  private final int chunkBytes;

  ChunkSender(Executor disk, int chunkBytes) {
    this.disk = disk;
    this.chunkBytes = chunkBytes;
  }

  @Override
  public ChannelFuture send(ChannelHandlerContext ctx, MapOutput output, LongConsumer progress) {
    ChannelPromise promise = ctx.newPromise();
    read(new Job(ctx, output, progress, promise), 0);
    return promise;
  }

  private void read(Job job, long sent) {
    try {
      disk.execute(
          () -> {
            try {
              ByteBuffer chunk = chunk(job.output(), sent);
              job.ctx().executor().execute(() -> write(job, sent, chunk));
            } catch (IOException | RuntimeException | Error e) {
              job.promise().tryFailure(e);
            }
          });
    } catch (RejectedExecutionException e) {
      job.promise().tryFailure(e);
    }
  }

  private ByteBuffer chunk(MapOutput output, long sent) throws IOException {
    int size = (int) Math.min(chunkBytes, output.length() - sent);
    ByteBuffer chunk = ByteBuffer.allocate(size);
    while (chunk.hasRemaining()) {
      long position = output.offset() + sent + chunk.position();
      if (output.file().getChannel().read(chunk, position) < 0) {
        throw new EOFException("the map output ends at " + position + " bytes, too early");
      }
    }
    return chunk.flip();
  }

  private void write(Job job, long sent, ByteBuffer chunk) {
    int size = chunk.remaining();
    job.ctx()
        .writeAndFlush(Unpooled.wrappedBuffer(chunk))
        .addListener(
            written -> {
              if (!written.isSuccess()) {
                job.promise().tryFailure(written.cause());
                return;
              }
              job.progress().accept(size);
              if (sent + size == job.output().length()) {
                job.promise().trySuccess();
              } else {
                read(job, sent + size);
              }
            });
  }

  private record Job(
      ChannelHandlerContext ctx, MapOutput output, LongConsumer progress, ChannelPromise promise) {}
}
