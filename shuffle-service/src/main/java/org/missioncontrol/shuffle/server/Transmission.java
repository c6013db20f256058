/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import static org.missioncontrol.shuffle.server.ServerCounter.ENCRYPTED_BYTES;
import static org.missioncontrol.shuffle.server.ServerCounter.OUTPUTS_FAILED;
import static org.missioncontrol.shuffle.server.ServerCounter.OUTPUTS_SENT;
import static org.missioncontrol.shuffle.server.ServerCounter.OUTPUTS_STARTED;
import static org.missioncontrol.shuffle.server.ServerCounter.OUTPUT_BYTES;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.missioncontrol.shuffle.store.MapOutput;
import org.missioncontrol.shuffle.store.MapOutputException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reply on its way: one map output after the other, and either all of them or a closed
 * connection. Event-loop confined.
 */
final class Transmission {
  private static final Logger LOG = LoggerFactory.getLogger(Transmission.class);

  private final ChannelHandlerContext ctx;
  private final PreparedReply reply;
  private final ReplyWriter writer;
  private final long idleMs;
  private int next;
  private boolean waiting;
  private boolean advancing;
  private boolean failed;

  Transmission(ChannelHandlerContext ctx, PreparedReply reply, ReplyWriter writer, long idleMs) {
    this.ctx = ctx;
    this.reply = reply;
    this.writer = writer;
    this.idleMs = idleMs;
  }

  /**
   * Writes what may be written now. Outputs in memory go out together, in one buffer of at most
   * {@link Preparation#MOST_SMALL_BYTES_PER_REPLY} and heads; a file goes out alone.
   */
  void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    while (!failed && !waiting && next < reply.outputs().size()) {
      PreparedOutput output = reply.outputs().get(next++);
      if (output.fileBytes() == 0) {
        int first = next - 1;
        while (next < reply.outputs().size() && reply.outputs().get(next).fileBytes() == 0) {
          next++;
        }
        writeInMemory(reply.outputs().subList(first, next));
      } else if (output.file() != null) {
        waiting = true;
        writeFile(output, output.file());
      } else {
        waiting = true;
        reopen(output);
      }
    }
    advancing = false;
    if (!failed && !waiting && next == reply.outputs().size()) {
      next++;
      end();
    }
  }

  private void writeInMemory(List<PreparedOutput> outputs) {
    int size = 0;
    long body = 0;
    int good = 0;
    for (PreparedOutput output : outputs) {
      size += output.head().readableBytes();
      body += output.bodyBytes();
      good += output.failed() ? 0 : 1;
    }
    writer.events().count(OUTPUTS_STARTED, good);
    ByteBuf all = ctx.alloc().ioBuffer(size);
    outputs.forEach(output -> all.writeBytes(output.head()));
    long bytes = body;
    int sent = good;
    ctx.write(all)
        .addListener(
            written -> {
              if (written.isSuccess()) {
                progress(bytes);
                writer.events().count(OUTPUTS_SENT, sent);
              } else {
                outputs.forEach(output -> fail(output, written.cause()));
              }
            });
  }

  private void writeFile(PreparedOutput output, MapOutput file) {
    started(output);
    FireAndForget.write(ctx, output.head());
    writer
        .sender()
        .send(ctx, file, this::progress)
        .addListener(
            sent -> {
              closeFile(output, file, sent.isSuccess());
              if (!sent.isSuccess()) {
                fail(output, sent.cause());
                return;
              }
              writer.events().count(OUTPUTS_SENT, 1);
              waiting = false;
              advance();
            });
  }

  /** Never on the event loop: closing the last handle of a deleted file frees its blocks. */
  private void closeFile(PreparedOutput output, MapOutput file, boolean sent) {
    Runnable close =
        () -> {
          if (sent) {
            writer.pageCache().drop(file);
          }
          output.close();
        };
    try {
      writer.disk().execute(close);
    } catch (RejectedExecutionException e) {
      LOG.trace("closed at once, the server stops", e);
      close.run();
    }
  }

  private void reopen(PreparedOutput output) {
    try {
      writer.disk().execute(() -> openAgain(output));
    } catch (RejectedExecutionException e) {
      fail(output, e);
    }
  }

  /** On a disk thread. When the event loop is gone, nobody waits and nothing may stay open. */
  private void openAgain(PreparedOutput output) {
    PreparedOutput opened;
    MapOutput file;
    try {
      file = writer.preparer().reopen(reply.request(), output);
      opened = output.with(file);
    } catch (MapOutputException | RuntimeException | Error e) {
      onLoop(() -> fail(output, e));
      return;
    }
    if (!onLoop(() -> reopened(opened, file))) {
      opened.close();
    }
  }

  private boolean onLoop(Runnable task) {
    try {
      ctx.executor().execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.trace("the event loop is gone, and the connection with it", e);
      return false;
    }
  }

  private void reopened(PreparedOutput output, MapOutput file) {
    if (ctx.channel().isActive()) {
      writeFile(output, file);
    } else {
      closeFile(output, file, false);
      fail(output, new ClosedChannelException());
    }
  }

  private void started(PreparedOutput output) {
    if (!output.failed()) {
      writer.events().count(OUTPUTS_STARTED, 1);
    }
  }

  private void progress(long bytes) {
    if (bytes > 0) {
      writer.state().sent(bytes);
      writer.events().count(OUTPUT_BYTES, bytes);
      if (writer.state().encrypted()) {
        writer.events().count(ENCRYPTED_BYTES, bytes);
      }
      writer.events().sent(reply.request().shuffle().job(), bytes);
    }
  }

  private void end() {
    ChannelFuture last = ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    last.addListener(done -> reply.small().close());
    if (idleMs == 0) {
      last.addListener(ChannelFutureListener.CLOSE);
      return;
    }
    last.addListener(
        sent -> {
          if (sent.isSuccess()) {
            writer.state().replying(false);
            ctx.pipeline().fireUserEventTriggered(new ReplyDone(idleMs));
          }
        });
  }

  /** A body that cannot be completed ends with the connection. */
  private void fail(PreparedOutput output, Throwable cause) {
    if (!output.failed()) {
      writer.events().count(OUTPUTS_FAILED, 1);
    }
    if (failed) {
      return;
    }
    failed = true;
    reply.small().close();
    LOG.warn(
        "{} of {} is not sent to its end to {}: {}",
        output.attempt(),
        reply.request().shuffle().job(),
        ctx.channel().remoteAddress(),
        cause.toString());
    FireAndForget.close(ctx);
    int size = reply.outputs().size();
    reply.outputs().subList(Math.min(next, size), size).forEach(PreparedOutput::close);
  }
}
