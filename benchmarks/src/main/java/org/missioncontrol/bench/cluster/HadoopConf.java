/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.cluster;

import java.util.Map;

/** The entries that make a small, quick cluster on one machine. Immutable. */
record HadoopConf(Layout layout, Addresses addresses, Map<String, String> overrides) {
  private static final String SHUFFLE = "yarn.nodemanager.aux-services.mapreduce_shuffle.";

  /** What daemons, clients and tasks share. */
  Site shared() {
    Site site = new Site();
    files(site);
    resourceManager(site);
    tasks(site);
    history(site);
    return site.setAll(overrides);
  }

  /** One NodeManager's own. */
  Site node(int index, NodeSpec spec) {
    Addresses.Node node = addresses.nodes().get(index);
    Site site = shared();
    site.set("yarn.nodemanager.hostname", node.host())
        .set("yarn.nodemanager.address", node.host() + ":" + node.port())
        .set("yarn.nodemanager.localizer.address", node.host() + ":" + node.localizerPort())
        .set("yarn.nodemanager.webapp.address", node.host() + ":" + node.webPort())
        .set("mapreduce.shuffle.port", node.shufflePort())
        .set("hadoop.tmp.dir", layout.daemon("nm" + index).resolve("tmp"))
        .set("yarn.nodemanager.local-dirs", layout.nodeLocal(index))
        .set("yarn.nodemanager.log-dirs", layout.nodeLogs(index))
        .set("yarn.nodemanager.resource.memory-mb", spec.memoryMb())
        .set("yarn.nodemanager.resource.cpu-vcores", 64)
        .set("yarn.nodemanager.vmem-check-enabled", false)
        .set("yarn.nodemanager.pmem-check-enabled", false)
        .set("yarn.nodemanager.delete.debug-delay-sec", 0)
        .set("yarn.nodemanager.sleep-delay-before-sigkill.ms", 100)
        .set("yarn.nodemanager.process-kill-wait.ms", 500)
        .set("yarn.nodemanager.container-monitor.enabled", false)
        .set("yarn.nodemanager.aux-services", "mapreduce_shuffle")
        .set(
            "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    recovery(site, index, spec);
    service(site, spec.handler());
    return site.setAll(spec.settings());
  }

  private void recovery(Site site, int index, NodeSpec spec) {
    site.set("yarn.nodemanager.recovery.enabled", spec.recovery())
        .set("yarn.nodemanager.recovery.supervised", spec.recovery())
        .set("yarn.nodemanager.recovery.dir", layout.daemon("nm" + index).resolve("recovery"));
  }

  private void service(Site site, Handler handler) {
    if (!handler.isOurs()) {
      site.set(SHUFFLE + "class", "org.apache.hadoop.mapred.ShuffleHandler");
      return;
    }
    site.set(SHUFFLE + "class", "org.missioncontrol.shuffle.MissionControlShuffleHandler");
    if (handler == Handler.OURS_BY_CLASSPATH_KEY) {
      site.set(SHUFFLE + "classpath", layout.paths().missionControl());
    } else if (handler == Handler.OURS_BY_REMOTE_CLASSPATH_KEY) {
      site.set(SHUFFLE + "remote-classpath", addresses.defaultFs() + remoteJar());
    }
  }

  /** Path on the default file system of the jar for {@code .remote-classpath}. */
  String remoteJar() {
    String name = layout.paths().missionControl().getFileName().toString();
    return (addresses.hasHdfs() ? "" : layout.work()) + "/mission-control/" + name;
  }

  private void files(Site site) {
    site.set("fs.defaultFS", addresses.defaultFs() + "/")
        .set("hadoop.tmp.dir", layout.work().resolve("tmp"))
        .set("fs.permissions.umask-mode", "022")
        .set("dfs.replication", 1)
        .set("mapreduce.client.submit.file.replication", 1)
        .set("dfs.namenode.name.dir", layout.daemon("namenode").resolve("name").toUri())
        .set("dfs.namenode.rpc-address", addresses.nameNode())
        .set("dfs.namenode.http-address", addresses.nameNodeWeb())
        .set("dfs.namenode.safemode.extension", 0)
        .set("dfs.namenode.datanode.registration.ip-hostname-check", false)
        .set("dfs.permissions.enabled", false);
  }

  /** One DataNode's own. */
  Site dataNode(int index) {
    Addresses.Storage storage = addresses.dataNodes().get(index);
    return shared()
        .set("dfs.datanode.hostname", storage.host())
        .set("dfs.datanode.data.dir", layout.daemon("datanode" + index).resolve("data").toUri())
        .set("dfs.datanode.address", storage.host() + ":" + storage.port())
        .set("dfs.datanode.http.address", storage.host() + ":" + storage.webPort())
        .set("dfs.datanode.ipc.address", storage.host() + ":" + storage.ipcPort())
        .set("dfs.datanode.du.reserved", 0);
  }

  private void resourceManager(Site site) {
    site.set("yarn.resourcemanager.hostname", addresses.master())
        .set("yarn.resourcemanager.address", addresses.resourceManager())
        .set("yarn.resourcemanager.scheduler.address", addresses.scheduler())
        .set("yarn.resourcemanager.resource-tracker.address", addresses.tracker())
        .set("yarn.resourcemanager.admin.address", addresses.admin())
        .set("yarn.resourcemanager.webapp.address", addresses.resourceManagerWeb())
        .set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 100)
        .set("yarn.scheduler.minimum-allocation-mb", 64)
        .set("yarn.scheduler.capacity.root.queues", "default")
        .set("yarn.scheduler.capacity.root.default.capacity", 100)
        .set("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0")
        .set("yarn.scheduler.capacity.node-locality-delay", 0)
        .set("yarn.node-attribute.fs-store.root-dir", layout.daemon("rm").resolve("attributes"))
        .set("yarn.am.liveness-monitor.expiry-interval-ms", 20_000)
        .set("yarn.resourcemanager.am.max-attempts", 4);
  }

  private void tasks(Site site) {
    String lib = layout.clientConf() + "," + layout.lib() + "/*";
    site.set("mapreduce.framework.name", "yarn")
        .set("yarn.application.classpath", lib)
        .set(
            "mapreduce.application.classpath",
            layout.paths().bench() + "," + layout.paths().missionControl())
        .set("yarn.app.mapreduce.am.staging-dir", staging())
        .set("yarn.app.mapreduce.am.resource.mb", 512)
        .set("yarn.app.mapreduce.am.command-opts", Jvm.containerOptions(300))
        .set("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 200)
        .set("yarn.app.mapreduce.client.job.max-retries", 10)
        .set("mapreduce.map.memory.mb", 512)
        .set("mapreduce.reduce.memory.mb", 512)
        .set("mapreduce.map.java.opts", Jvm.containerOptions(250))
        .set("mapreduce.reduce.java.opts", Jvm.containerOptions(350))
        .set("mapreduce.task.io.sort.mb", 64)
        .set("mapreduce.jvm.add-opens-as-default", false)
        .set("mapreduce.client.progressmonitor.pollinterval", 200)
        .set("mapreduce.client.completion.pollinterval", 200)
        .set("mapreduce.am.max-attempts", 4)
        .set("mapreduce.map.speculative", false)
        .set("mapreduce.reduce.speculative", false);
  }

  private void history(Site site) {
    site.set("mapreduce.jobhistory.address", addresses.history())
        .set("mapreduce.jobhistory.webapp.address", addresses.historyWeb())
        .set("mapreduce.jobhistory.admin.address", addresses.historyAdmin())
        .set("mapreduce.jobhistory.move.interval-ms", 500);
  }

  private String staging() {
    return addresses.hasHdfs() ? "/staging" : layout.work() + "/staging";
  }
}
