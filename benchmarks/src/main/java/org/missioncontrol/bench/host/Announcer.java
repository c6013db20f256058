/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;
import org.missioncontrol.scheduler.control.Announcement;
import org.missioncontrol.scheduler.control.ControlCodec;
import org.missioncontrol.scheduler.control.ControlException;
import org.missioncontrol.scheduler.control.ControlProtocol;
import org.missioncontrol.scheduler.control.HostView;
import org.missioncontrol.scheduler.control.TransferDescriptor;
import org.missioncontrol.scheduler.security.JobHash;

/**
 * What an ApplicationMaster says to one NodeManager, over a connection that stays open and counts
 * its bytes. Owned by one thread.
 */
public final class Announcer implements AutoCloseable {
  private static final int PATIENCE_MS = 10_000;

  private final String host;
  private final Socket socket = new Socket();
  private final InputStream in;
  private long sequence = System.currentTimeMillis() << 10;
  private long sent;
  private long received;

  /** Connects to the shuffle port. */
  public Announcer(String host, int port) throws IOException {
    this.host = host + ":" + port;
    socket.connect(new InetSocketAddress(host, port), PATIENCE_MS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** Tells the job's transfer. */
  public HostView announce(BenchJob job, float weight, int machines) throws IOException {
    return announce(job, descriptor(job, weight, machines));
  }

  /** Tells a transfer of the job. */
  public HostView announce(BenchJob job, TransferDescriptor transfer) throws IOException {
    try {
      Announcement message = Announcement.now(transfer, null);
      return ControlCodec.decodeAnswer(call("PUT", job, ControlCodec.encode(message))).view();
    } catch (ControlException e) {
      throw new IOException(e.sentence(), e);
    }
  }

  /** Takes it back. */
  public void withdraw(BenchJob job) throws IOException {
    call("DELETE", job, "");
  }

  /** Bytes of HTTP that went to the NodeManager. */
  public long sent() {
    return sent;
  }

  /** Bytes of HTTP that came back. */
  public long received() {
    return received;
  }

  private static TransferDescriptor descriptor(BenchJob job, float weight, int machines) {
    return new TransferDescriptor(
        ControlProtocol.VERSION,
        job.id(),
        BenchJob.USER,
        "root.production.analytics",
        "NORMAL",
        "shuffle",
        System.currentTimeMillis(),
        machines,
        1L << 40,
        weight,
        "default");
  }

  private String call(String method, BenchJob job, String body) throws IOException {
    String path = ControlProtocol.TRANSFER_PATH;
    String number = Long.toString(++sequence);
    String signed = ControlProtocol.signedRequest(host, method, path, job.id(), number, body);
    String request =
        String.join(
            "\r\n",
            method + " " + path + " HTTP/1.1",
            "Host: " + host,
            "User-Agent: Java/" + System.getProperty("java.version"),
            "Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
            "Connection: keep-alive",
            "Content-Type: application/json",
            "Content-Length: " + body.length(),
            ControlProtocol.RECEIVER_HEADER + ": " + host,
            ControlProtocol.JOB_HEADER + ": " + job.id(),
            ControlProtocol.SEQUENCE_HEADER + ": " + number,
            ControlProtocol.SIGNATURE_HEADER + ": " + JobHash.of(signed, job.secret()),
            "",
            body);
    byte[] bytes = request.getBytes(ISO_8859_1);
    socket.getOutputStream().write(bytes);
    sent += bytes.length;
    return reply();
  }

  private String reply() throws IOException {
    String status = line();
    int length = 0;
    for (String head = line(); !head.isEmpty(); head = line()) {
      String lower = head.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring("content-length:".length()).trim());
      }
    }
    byte[] body = in.readNBytes(length);
    received += length;
    String text = new String(body, ISO_8859_1);
    if (!status.contains(" 200 ")) {
      throw new IOException(host + " answered " + status + ": " + text);
    }
    return text;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException(host + " has closed the connection");
      }
      received++;
      if (c != '\r') {
        line.append((char) c);
      }
    }
    received++;
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
