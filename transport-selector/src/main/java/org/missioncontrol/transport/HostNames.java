/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.transport;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's name resolution on threads of its own, so that a slow name server stops no event loop.
 * Thread-safe.
 */
public final class HostNames extends AddressResolverGroup<InetSocketAddress> {
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  /**
   * @param threads most names resolved at once; more wait
   * @param name of the threads
   */
  public HostNames(int threads, String name) {
    this.threads =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    this.threads.allowCoreThreadTimeOut(true);
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
    return new OnThreads(executor).asAddressResolver();
  }

  /** Ends the threads; whoever waits for a name fails. Idempotent. */
  @Override
  public void close() {
    super.close();
    threads.shutdownNow();
  }

  private final class OnThreads extends InetNameResolver {
    OnThreads(EventExecutor executor) {
      super(executor);
    }

    @Override
    protected void doResolve(String name, Promise<InetAddress> promise) {
      run(
          promise,
          () -> {
            InetAddress address = InetAddress.getByName(name);
            promise.trySuccess(address);
          });
    }

    @Override
    protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
      run(promise, () -> promise.trySuccess(List.of(InetAddress.getAllByName(name))));
    }

    private void run(Promise<?> promise, Lookup lookup) {
      try {
        threads.execute(
            () -> {
              try {
                lookup.run();
              } catch (UnknownHostException | RuntimeException e) {
                promise.tryFailure(e);
              }
            });
      } catch (RejectedExecutionException e) {
        promise.tryFailure(e);
      }
    }
  }

  @FunctionalInterface
  private interface Lookup {
    void run() throws UnknownHostException;
  }
}
