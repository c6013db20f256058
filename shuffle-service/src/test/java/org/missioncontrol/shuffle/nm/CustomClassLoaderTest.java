/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.nm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DeletionService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.AuxServices;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.AuxServicesEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.AuxServicesEventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.missioncontrol.shuffle.MissionControlShuffleHandler;

/** The service with a class path of its own, run by the NodeManager's own AuxServices. */
class CustomClassLoaderTest {
  private static final String NAME = "mapreduce_shuffle";
  private static final String MAP = "attempt_1111111111111_0001_m_000000_0";

  @TempDir Path root;

  @Test
  void servesAndRecoversWithOurClassesOfTheChildAndAllElseOfTheNodeManager() throws Exception {
    MapOutputs outputs = ServiceRun.outputs(root);
    outputs.write(MAP, "a", "b");
    for (boolean restarted : new boolean[] {false, true}) {
      try (AuxServices services = auxServices(outputs)) {
        services.init(conf());
        services.start();
        assertThat(loader(services)).isInstanceOf(ApplicationClassLoader.class);
        if (!restarted) {
          services.handle(
              new AuxServicesEvent(
                  AuxServicesEventType.APPLICATION_INIT,
                  Jobs.USER,
                  Jobs.APP,
                  NAME,
                  ShuffleHandler.serializeServiceData(Jobs.token(Jobs.SECRET))));
        }
        StockClient client =
            new StockClient(ShuffleHandler.deserializeMetaData(services.getMetaData().get(NAME)));
        assertThat(client.fetch(1, false, MAP)).containsEntry(MAP, "b");
        assertThat(client.get("/missionControl/v1/status")).contains("\"knownJobs\" : 1");
      }
    }
  }

  private Configuration conf() {
    Configuration conf = ServiceRun.conf(root);
    conf.setBoolean("yarn.nodemanager.recovery.enabled", true);
    conf.set("yarn.nodemanager.recovery.dir", root.resolve("recovery").toString());
    conf.set("yarn.nodemanager.aux-services", NAME);
    conf.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        MissionControlShuffleHandler.class.getName());
    conf.set("yarn.nodemanager.aux-services.mapreduce_shuffle.classpath", ourClassPath());
    return conf;
  }

  /** Of a NodeManager's parts it asks for one, and uses it for remote class paths only. */
  private static AuxServices auxServices(AuxiliaryLocalPathHandler paths) throws Exception {
    Object context =
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, args) -> null);
    Constructor<AuxServices> constructor =
        AuxServices.class.getDeclaredConstructor(
            AuxiliaryLocalPathHandler.class, Context.class, DeletionService.class);
    constructor.setAccessible(true);
    return constructor.newInstance(paths, context, null);
  }

  private static ClassLoader loader(AuxServices services) throws Exception {
    Object outer = ((Map<?, ?>) field(services, "serviceMap")).get(NAME);
    return field(outer, "wrapped").getClass().getClassLoader();
  }

  private static Object field(Object owner, String name) throws Exception {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  /** Our modules' classes and nothing else, the content of the deployable jar. */
  private static String ourClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.matches(".*/[a-z-]+/target/(classes|[a-z-]+-0.*jar)"))
        .map(entry -> entry.endsWith(".jar") ? entry : entry + "/")
        .collect(Collectors.joining(File.pathSeparator));
  }
}
