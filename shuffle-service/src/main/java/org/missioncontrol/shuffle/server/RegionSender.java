/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.server;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
import io.netty.channel.ChannelProgressivePromise;
import io.netty.channel.DefaultFileRegion;
import java.util.function.LongConsumer;
import org.missioncontrol.shuffle.store.MapOutput;
import org.missioncontrol.shuffle.store.PageCache;

/**
 * Sends by sendfile. Event-loop confined.
 *
 * <p>Under epoll the kernel is called without {@code FileRegion.transferTo}, so readahead and
 * counting hang on the write's progress and not on the region.
 */
final class RegionSender implements OutputSender {
  private final PageCache pageCache;

  RegionSender(PageCache pageCache) {
    this.pageCache = pageCache;
  }

  @Override
  public ChannelFuture send(ChannelHandlerContext ctx, MapOutput output, LongConsumer progress) {
    ChannelProgressivePromise promise = ctx.newProgressivePromise();
    promise.addListener(new Progress(output, progress, pageCache));
    pageCache.readAhead(output, 0);
    return ctx.writeAndFlush(new BorrowedRegion(output), promise);
  }

  /** A region whose file is closed by its owner. */
  private static final class BorrowedRegion extends DefaultFileRegion {
    private BorrowedRegion(MapOutput output) {
      super(output.file().getChannel(), output.offset(), output.length());
    }

    @Override
    protected void deallocate() {}
  }

  private static final class Progress implements ChannelProgressiveFutureListener {
    private final MapOutput output;
    private final LongConsumer progress;
    private final PageCache pageCache;
    private long seen;
    private long askedAhead;

    private Progress(MapOutput output, LongConsumer progress, PageCache pageCache) {
      this.output = output;
      this.progress = progress;
      this.pageCache = pageCache;
      this.askedAhead = pageCache.readaheadBytes();
    }

    @Override
    public void operationProgressed(ChannelProgressiveFuture future, long sent, long total) {
      advance(sent);
      if (pageCache.readaheadBytes() > 0 && sent > askedAhead - pageCache.readaheadBytes() / 2) {
        pageCache.readAhead(output, askedAhead);
        askedAhead += pageCache.readaheadBytes();
      }
    }

    @Override
    public void operationComplete(ChannelProgressiveFuture future) {
      if (future.isSuccess()) {
        advance(output.length());
      }
    }

    private void advance(long sent) {
      if (sent > seen) {
        progress.accept(sent - seen);
        seen = sent;
      }
    }
  }
}
