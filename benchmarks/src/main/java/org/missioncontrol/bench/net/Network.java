/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.missioncontrol.bench.kit.CannotRunException;
import org.missioncontrol.bench.kit.Hooks;

/**
 * Hosts around one switch; each is a network namespace, as the switch is. This process has a cable
 * of its own to the switch, without a limit. All of it is gone after {@link #close}, which also a
 * shutdown of the JVM calls. Owned by one thread.
 *
 * <p>Names begin with the process id, so that what a killed process left behind is known as such
 * and removed by the next one.
 */
public final class Network implements AutoCloseable {
  private static final String PREFIX = "mcb";
  private static final int SUBNETS_FROM = 100;
  private static final int SUBNETS_TO = 250;

  /** Of the second cables; RFC 2544 keeps 198.18.0.0/15 for benchmarks. */
  private static final String SECOND_SUBNET = "198.18";

  /** Most subflows beyond the first, and addresses taken from a peer. */
  private static final int MPTCP_LIMIT = 2;

  private final String name;
  private final String subnet;
  private final List<NetHost> hosts = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private String bridge = "br0";
  private int racks = 1;
  private final Thread hook = new Thread(this::tearDown, "bench-network-teardown");
  private boolean down;

  private Network(String name, String subnet) {
    this.name = name;
    this.subnet = subnet;
  }

  /** A switch with this process on it. */
  public static Network create() throws IOException, InterruptedException {
    check();
    removeStale();
    Network network = new Network(PREFIX + ProcessHandle.current().pid(), freeSubnet());
    Runtime.getRuntime().addShutdownHook(network.hook);
    boolean done = false;
    try {
      network.build();
      done = true;
    } finally {
      if (!done) {
        network.close();
      }
    }
    return network;
  }

  /** Whether this kernel has MPTCP. */
  public static boolean hasMptcp() {
    return Files.exists(Path.of("/proc/sys/net/mptcp/enabled"));
  }

  private static void check() throws IOException, InterruptedException {
    if (!Files.isDirectory(Path.of("/proc/sys/net"))) {
      throw new CannotRunException("network namespaces need Linux");
    }
    String user = System.getProperty("user.name");
    if (!user.equals("root")) {
      throw new CannotRunException("network namespaces need root, and this is " + user);
    }
    try {
      Shell.line("ip netns list");
      Shell.line("tc -V");
    } catch (IOException e) {
      throw new CannotRunException(
          "it needs ip(8) with netns and tc(8), package iproute2: " + e.getMessage());
    }
  }

  private static void removeStale() throws IOException, InterruptedException {
    for (String line : Shell.line("ip netns list").lines().toList()) {
      String namespace = line.split(" ", 2)[0];
      String pid = namespace.replaceFirst("^" + PREFIX + "([0-9]+)-.*", "$1");
      if (pid.matches("[0-9]+") && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
        Shell.line("ip netns del " + namespace);
      }
    }
  }

  private static String freeSubnet() throws IOException, InterruptedException {
    String taken = Shell.line("ip -4 addr show");
    for (int i = SUBNETS_FROM; i < SUBNETS_TO; i++) {
      if (!taken.contains(" 10." + i + ".")) {
        return "10." + i;
      }
    }
    throw new IOException("no subnet 10.x.0.0/16 is free");
  }

  private String switchName() {
    return name + "-switch";
  }

  private void build() throws IOException, InterruptedException {
    Shell.line("ip netns add " + switchName());
    inSwitch("ip link add br0 type bridge");
    inSwitch("ip link set br0 up");
    Shell.line("ip link add " + name + " type veth peer name here netns " + switchName());
    inSwitch("ip link set here master br0");
    inSwitch("ip link set here up");
    Shell.line("ip addr add " + address() + "/16 dev " + name);
    Shell.line("ip link set " + name + " up");
  }

  private void inSwitch(String command) throws IOException, InterruptedException {
    Shell.line("ip netns exec " + switchName() + " " + command);
  }

  /**
   * Adds a host.
   *
   * @param up from the host to the switch
   * @param down from the switch to the host
   * @param addresses how many IPv4 addresses it has, at least 1
   */
  public NetHost addHost(Link up, Link down, int addresses)
      throws IOException, InterruptedException {
    int number = hosts.size() + 1;
    String namespace = name + "-h" + number;
    String port = "h" + number;
    Shell.line("ip netns add " + namespace);
    NetHost host = new NetHost(namespace, addresses(number, addresses));
    hosts.add(host);
    links.add(down);
    inSwitch("ip link add " + port + " type veth peer name eth0 netns " + namespace);
    inSwitch("ip link set " + port + " master " + bridge);
    inSwitch("ip link set " + port + " up");
    inSwitch("tc qdisc add dev " + port + " root " + down.discipline());
    Shell.run(host.command("ip", "link", "set", "lo", "up"));
    Shell.run(host.command("ip", "link", "set", "eth0", "up"));
    for (String address : host.addresses()) {
      Shell.run(host.command("ip", "addr", "add", address + "/16", "dev", "eth0"));
    }
    Shell.line("ip netns exec " + namespace + " tc qdisc add dev eth0 root " + up.discipline());
    return host;
  }

  /**
   * Adds hosts, each with one address; on two racks the second half is at a second switch, with a
   * trunk like one host's cable.
   *
   * @param link both directions of each cable
   * @return the ports to the hosts, and those of the trunk
   */
  public List<SwitchPort> addHosts(Topology topology, int count, Link link)
      throws IOException, InterruptedException {
    List<SwitchPort> ports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (topology == Topology.TWO_RACKS && i == count / 2) {
        ports.addAll(addRack(link));
      }
      ports.add(port(addHost(link, link, 1)));
    }
    return ports;
  }

  /** All hosts, in the order in which they were added. */
  public List<NetHost> hosts() {
    return List.copyOf(hosts);
  }

  /** Address of this process on the network. */
  public String address() {
    return subnet + ".0.1";
  }

  /**
   * Joins another switch to the first; hosts that are added from now on are there.
   *
   * @param trunk each direction between the two
   * @return the ports of the trunk: to the new switch, and back
   */
  private List<SwitchPort> addRack(Link trunk) throws IOException, InterruptedException {
    racks++;
    bridge = "rack" + racks;
    List<String> ends = List.of("t" + racks + "out", "t" + racks + "back");
    inSwitch("ip link add " + bridge + " type bridge");
    inSwitch("ip link set " + bridge + " up");
    inSwitch("ip link add " + ends.get(0) + " type veth peer name " + ends.get(1));
    inSwitch("ip link set " + ends.get(0) + " master br0");
    inSwitch("ip link set " + ends.get(1) + " master " + bridge);
    for (String end : ends) {
      inSwitch("ip link set " + end + " up");
      inSwitch("tc qdisc add dev " + end + " root " + trunk.discipline());
    }
    return ends.stream().map(end -> new SwitchPort(switchName(), end, trunk)).toList();
  }

  /** The queues of all ports of all switches. */
  public SwitchQueues queues() {
    return new SwitchQueues(switchName());
  }

  /**
   * Gives a host a second cable, to a switch of its own and in a network of its own, and tells its
   * kernel of it, so that MPTCP connections take both.
   *
   * @param up from the host to the switch
   * @param down from the switch to the host
   * @return the address there, which this process does not reach
   * @throws IOException also where there is no MPTCP, see {@link #hasMptcp}
   */
  public String addSecondLink(NetHost host, Link up, Link down)
      throws IOException, InterruptedException {
    int number = hosts.indexOf(host) + 1;
    String port = "s" + number;
    String address = SECOND_SUBNET + "." + number + ".1";
    if (!Shell.run("ip", "netns", "exec", switchName(), "ip", "link").contains(" br1:")) {
      inSwitch("ip link add br1 type bridge");
      inSwitch("ip link set br1 up");
    }
    inSwitch("ip link add " + port + " type veth peer name eth1 netns " + host.namespace());
    inSwitch("ip link set " + port + " master br1");
    inSwitch("ip link set " + port + " up");
    inSwitch("tc qdisc add dev " + port + " root " + down.discipline());
    inHost(host, "ip link set eth1 up");
    inHost(host, "ip addr add " + address + "/16 dev eth1");
    inHost(host, "tc qdisc add dev eth1 root " + up.discipline());
    inHost(
        host, "ip mptcp limits set subflows " + MPTCP_LIMIT + " add_addr_accepted " + MPTCP_LIMIT);
    inHost(host, "ip mptcp endpoint add " + address + " dev eth1 signal");
    return address;
  }

  private static void inHost(NetHost host, String command)
      throws IOException, InterruptedException {
    Shell.line("ip netns exec " + host.namespace() + " " + command);
  }

  /** The switch's port of a host. */
  public SwitchPort port(NetHost host) {
    int number = hosts.indexOf(host) + 1;
    return new SwitchPort(switchName(), "h" + number, links.get(number - 1));
  }

  private List<String> addresses(int number, int count) {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      addresses.add(subnet + "." + number + "." + i);
    }
    return addresses;
  }

  /** Sets the congestion control of new sockets on every host that do not choose one. */
  public void congestionControl(String algorithm) throws IOException, InterruptedException {
    for (NetHost host : hosts) {
      try {
        Shell.run(
            host.command("sysctl", "-q", "-w", "net.ipv4.tcp_congestion_control=" + algorithm));
      } catch (IOException e) {
        throw new CannotRunException(
            "a namespace may only use what net.ipv4.tcp_allowed_congestion_control lists: "
                + e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    tearDown();
    Hooks.remove(hook);
  }

  private synchronized void tearDown() {
    if (down) {
      return;
    }
    down = true;
    List<String> namespaces = new ArrayList<>(hosts.stream().map(NetHost::namespace).toList());
    namespaces.add(switchName());
    try {
      String there = Shell.line("ip netns list");
      for (String namespace : namespaces) {
        if (Stream.of(there.split("\\s+")).anyMatch(namespace::equals)) {
          Shell.line("ip netns del " + namespace);
        }
      }
    } catch (IOException e) {
      System.err.println("a network namespace is left behind: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
