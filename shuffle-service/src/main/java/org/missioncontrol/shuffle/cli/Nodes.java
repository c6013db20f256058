/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.ClusterConfig;

/** Which NodeManagers a command is about. Thread-safe. */
final class Nodes {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterConfig cluster;
  private final Web web;
  private final @Nullable String resourceManager;
  private final @Nullable Integer port;

  /**
   * @param resourceManager URL that was given in the place of the configured ones, or null
   * @param port of the shuffle that was given in the place of the configured one, or null
   */
  Nodes(ClusterConfig cluster, Web web, @Nullable String resourceManager, @Nullable Integer port) {
    this.cluster = cluster;
    this.web = web;
    this.resourceManager = resourceManager;
    this.port = port;
  }

  /** URLs of the named ones' shuffle ports; of all that run if none is named. */
  List<String> urls(List<String> named) throws CliException {
    List<String> urls = new ArrayList<>();
    for (String node : named.isEmpty() ? running() : named) {
      urls.add(url(node));
    }
    return urls;
  }

  /** {@code host}, {@code host:port} or a URL; as a URL without a path. */
  String url(String node) throws CliException {
    if (node.startsWith("http://") || node.startsWith("https://")) {
      return node.replaceAll("/+$", "");
    }
    String scheme = cluster.shuffleSsl() ? "https://" : "http://";
    boolean bareAddress = node.indexOf(':') != node.lastIndexOf(':') && !node.startsWith("[");
    String host = bareAddress ? "[" + node + "]" : node;
    if (host.matches("\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+")) {
      return scheme + host + ":" + (port == null ? cluster.shufflePort() : port);
    }
    if (host.matches("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+):[0-9]{1,5}")) {
      return scheme + host;
    }
    throw CliException.usage("not a HOST or HOST:PORT: " + Words.plain(node));
  }

  private List<String> running() throws CliException {
    List<String> asked =
        resourceManager == null ? cluster.resourceManagers() : List.of(withScheme(resourceManager));
    List<String> problems = new ArrayList<>();
    for (String address : asked) {
      try {
        return hosts(web.get(address + "/ws/v1/cluster/nodes?states=RUNNING"));
      } catch (IOException e) {
        problems.add(address + " " + Words.plain(reason(e)));
      }
    }
    throw CliException.failed(
        "no list of nodes from the ResourceManager ("
            + String.join("; ", problems)
            + "). Name it with --rm URL, or name the nodes: HOST[:PORT] ...");
  }

  private static List<String> hosts(String reply) throws IOException {
    try {
      JsonNode nodes = JSON.readTree(reply).path("nodes").path("node");
      return StreamSupport.stream(nodes.spliterator(), false)
          .map(node -> node.path("nodeHostName").asText())
          .filter(host -> !host.isEmpty())
          .sorted()
          .distinct()
          .toList();
    } catch (JsonProcessingException e) {
      throw new IOException("does not answer as a ResourceManager", e);
    }
  }

  private static String withScheme(String url) {
    return (url.contains("://") ? url : "http://" + url).replaceAll("/+$", "");
  }

  /** Why a call failed, in a few words. */
  static String reason(IOException e) {
    String message = e.getMessage();
    if (e instanceof UnknownHostException) {
      return "has no address: its name is unknown";
    }
    if (e instanceof ConnectException) {
      return "does not listen: " + message;
    }
    if (e instanceof SocketTimeoutException) {
      return "does not answer in time";
    }
    return e.getClass() == IOException.class && message != null ? message : e.toString();
  }
}
