/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;

/**
 * A YARN cluster of separate JVMs on this machine: ResourceManager, job history server,
 * NodeManagers and, if wanted, HDFS. Free ports on loopback, everything under one work directory,
 * nothing left when closed or when the JVM that made it ends. Owned by one thread, but {@link
 * #close} may come from any.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

  private final Layout layout;
  private final Ports ports;
  private final Addresses addresses;
  private final HadoopConf conf;
  private final Daemons daemons;
  private final Containers containers;
  private final List<NodeSpec> specs;
  private final List<Daemon> nodes = new CopyOnWriteArrayList<>();
  private final List<Daemon> others = new CopyOnWriteArrayList<>();
  private final boolean temporary;
  private final Thread onExit = new Thread(this::stopProcesses, "stop-cluster");
  private boolean closed;

  LocalCluster(
      Path work,
      ClusterHosts hosts,
      List<NodeSpec> specs,
      int dataNodes,
      Map<String, String> settings,
      boolean temporary)
      throws IOException {
    this.temporary = temporary;
    this.specs = new ArrayList<>(specs);
    layout = Layout.of(work, ClassPaths.find());
    ports = new Ports();
    addresses = Addresses.choose(ports, hosts, specs.size(), dataNodes);
    conf = new HadoopConf(layout, addresses, settings);
    daemons = new Daemons(layout, conf, hosts);
    containers = new Containers(work);
  }

  /** Begins to describe a cluster that lives in an empty or absent directory. */
  public static LocalClusterBuilder in(Path work) {
    return new LocalClusterBuilder(work);
  }

  /** Starts all and waits until every NodeManager is registered; stops all when that fails. */
  public LocalCluster start() throws IOException, InterruptedException {
    layout.create();
    Runtime.getRuntime().addShutdownHook(onExit);
    try {
      conf.shared().write(layout.clientConf());
      startHdfs();
      others.add(daemons.resourceManager());
      others.add(daemons.history());
      for (int i = 0; i < specs.size(); i++) {
        nodes.add(daemons.nodeManager(i, specs.get(i)));
      }
      if (addresses.hasHdfs()) {
        awaitHdfs();
      }
      putRemoteJar();
      for (Daemon daemon : all()) {
        if (!daemon.isAlive()) {
          launch(daemon);
        }
      }
      awaitNodes(specs.size());
      return this;
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void startHdfs() throws IOException, InterruptedException {
    if (!addresses.hasHdfs()) {
      return;
    }
    Daemon formatter = daemons.formatter();
    launch(formatter);
    formatter.awaitSuccess(START_LIMIT);
    others.add(daemons.nameNodeDaemon());
    for (int i = 0; i < addresses.dataNodes().size(); i++) {
      others.add(daemons.dataNode(i));
    }
    for (Daemon daemon : others) {
      launch(daemon);
    }
  }

  private synchronized void launch(Daemon daemon) throws IOException {
    if (closed) {
      throw new IOException("not starting " + daemon.name() + ": the cluster is closed");
    }
    daemon.start();
  }

  private void awaitHdfs() throws IOException, InterruptedException {
    String query = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState";
    String live = "\"NumLiveDataNodes\" : " + addresses.dataNodes().size();
    await(
        "the DataNodes",
        () -> Http.get("http://" + addresses.nameNodeWeb() + query).orElse("").contains(live));
  }

  private void putRemoteJar() throws IOException {
    if (specs.stream().noneMatch(s -> s.handler() == Handler.OURS_BY_REMOTE_CLASSPATH_KEY)) {
      return;
    }
    org.apache.hadoop.fs.Path jar = new org.apache.hadoop.fs.Path(conf.remoteJar());
    FileSystem files = FileSystem.get(configuration());
    files.copyFromLocalFile(
        false, true, new org.apache.hadoop.fs.Path(layout.paths().missionControl().toUri()), jar);
  }

  /** Waits until the ResourceManager counts so many NodeManagers as running. */
  public void awaitNodes(int count) throws IOException, InterruptedException {
    String metrics = "http://" + addresses.resourceManagerWeb() + "/ws/v1/cluster/metrics";
    String wanted = "\"activeNodes\":" + count + ",";
    await(
        count + " NodeManagers",
        () -> {
          for (Daemon daemon : others) {
            if (!daemon.isAlive()) {
              throw new IOException(daemon.name() + " has ended\n" + daemon.tail());
            }
          }
          return Http.get(metrics).orElse("").contains(wanted);
        });
  }

  private void await(String what, Await.Condition condition)
      throws IOException, InterruptedException {
    Await.until(what, START_LIMIT, condition, this::tails);
  }

  /** The ends of all daemons' logs, for messages. */
  public String tails() {
    return all().stream().map(Daemon::tail).collect(Collectors.joining("\n"));
  }

  private List<Daemon> all() {
    return Stream.concat(others.stream(), nodes.stream()).toList();
  }

  /** A new copy of the client's configuration, as {@code mapred-site.xml} of an edge node. */
  public Configuration configuration() {
    Configuration client = new Configuration();
    for (String file : List.of("core-site.xml", "mapred-site.xml")) {
      client.addResource(new org.apache.hadoop.fs.Path(configurationDirectory() + "/" + file));
    }
    return client;
  }

  /** HADOOP_CONF_DIR for clients. */
  public Path configurationDirectory() {
    return layout.clientConf();
  }

  /** Where everything of this cluster is. */
  public Path workDirectory() {
    return layout.work();
  }

  /** The jars that this cluster runs. */
  public ClassPaths classPaths() {
    return layout.paths();
  }

  /** Submits a job made with {@link #configuration}. */
  public ClusterJob submit(Job job) throws IOException, InterruptedException {
    try {
      job.submit();
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing here", e);
    }
    return new ClusterJob(this, containers, job);
  }

  /** Number of NodeManagers, running or not. */
  public int nodeCount() {
    return specs.size();
  }

  /** NodeManager's host name, which is an address. */
  public String host(int node) {
    return addresses.nodes().get(node).host();
  }

  /** Port of a NodeManager's shuffle service. */
  public int shufflePort(int node) {
    return addresses.nodes().get(node).shufflePort();
  }

  /** host:port of a NodeManager's web pages, /jmx among them. */
  public String web(int node) {
    return host(node) + ":" + addresses.nodes().get(node).webPort();
  }

  /** host:port of the ResourceManager's web pages. */
  public String resourceManagerWeb() {
    return addresses.resourceManagerWeb();
  }

  /** host:port of the job history server's web pages. */
  public String historyWeb() {
    return addresses.historyWeb();
  }

  /** Base URL of a NodeManager's shuffle service. */
  public String shuffleUrl(int node) {
    return "http://" + host(node) + ":" + shufflePort(node);
  }

  /** Log file of a NodeManager; a restart appends to it. */
  public Path nodeLog(int node) {
    return nodes.get(node).log();
  }

  /** Directory with the logs of a NodeManager's containers, by application and container. */
  public Path containerLogs(int node) {
    return layout.nodeLogs(node);
  }

  /** The NodeManager's local directory; map outputs are below it. */
  public Path nodeLocalDirectory(int node) {
    return layout.nodeLocal(node);
  }

  /** Process id of a NodeManager. */
  public long nodePid(int node) {
    return nodes.get(node).pid();
  }

  /** Ends a NodeManager with SIGKILL; its containers live on. */
  public void kill9(int node) throws InterruptedException {
    nodes.get(node).kill();
  }

  /**
   * Stops a NodeManager where it is: it gets no containers, and what is connected to it waits. Keep
   * it well below the ten minutes after which the ResourceManager gives it up.
   */
  public void pause(int node) throws IOException, InterruptedException {
    nodes.get(node).signal("STOP");
  }

  /** Lets a paused NodeManager go on. */
  public void resume(int node) throws IOException, InterruptedException {
    nodes.get(node).signal("CONT");
  }

  /** Ends a NodeManager in order; without recovery it ends its containers, too. */
  public void stop(int node) throws InterruptedException {
    nodes.get(node).terminate();
    nodes.get(node).join(STOP_PATIENCE);
  }

  /** Starts a NodeManager again, which must have ended, and waits until it serves. */
  public void restart(int node) throws IOException, InterruptedException {
    restart(node, specs.get(node));
  }

  /** Starts a NodeManager again with other settings, on the same ports and directories. */
  public void restart(int node, NodeSpec spec) throws IOException, InterruptedException {
    if (nodes.get(node).isAlive()) {
      throw new IllegalStateException("nm" + node + " still runs");
    }
    specs.set(node, spec);
    Daemon again = daemons.nodeManager(node, spec);
    long logged = again.logLength();
    nodes.set(node, again);
    launch(again);
    await(
        "nm" + node + " to register",
        () -> {
          if (!again.isAlive()) {
            throw new IOException("nm" + node + " has ended\n" + again.tail());
          }
          return again.loggedAfter(logged, "Registered with ResourceManager as");
        });
  }

  /** Ends every process of this cluster, containers too, and waits until they are gone. */
  @Override
  public void close() {
    stopProcesses();
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException exiting) {
      // INVARIANT: the JVM is exiting, and the hook finds everything closed
      return;
    }
  }

  /** Removes the work directory of a closed cluster. */
  public void deleteWorkDirectory() throws IOException {
    layout.delete();
  }

  private synchronized void stopProcesses() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      // INVARIANT: NodeManagers go first; without a ResourceManager they would not end in time
      nodes.forEach(Daemon::terminate);
      for (Daemon node : nodes) {
        node.join(STOP_PATIENCE);
      }
      for (Daemon daemon : others) {
        daemon.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      containers.killAll();
      ports.close();
      if (temporary) {
        layout.deleteQuietly();
      }
    }
  }
}
