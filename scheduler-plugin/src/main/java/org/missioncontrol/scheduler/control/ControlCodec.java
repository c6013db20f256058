/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.scheduler.control;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.transport.HostTraits;

/**
 * The messages as JSON. Unknown fields are ignored, so that a later minor version may add some;
 * everything else that is not as documented is refused. Thread-safe.
 */
public final class ControlCodec {
  /** Greatest weight that is taken. */
  public static final float MAX_WEIGHT = 1e6f;

  private static final int MAX_TEXT = 256;
  private static final Pattern JOB = Pattern.compile("job_[0-9]{1,19}_[0-9]{1,10}");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  private ControlCodec() {}

  /** Whether {@code text} looks like the id of a MapReduce job. */
  public static boolean isJob(@Nullable String text) {
    return text != null && JOB.matcher(text).matches();
  }

  /** The message of an ApplicationMaster; refuses what no NodeManager would take. */
  public static String encode(Announcement message) throws ControlException {
    return write(checked(message));
  }

  /** The message of a NodeManager. */
  public static String encode(HostAnswer answer) throws ControlException {
    return write(answer);
  }

  /** Reads what came from an ApplicationMaster. */
  public static Announcement decodeAnnouncement(String body) throws ControlException {
    require(body.length() <= ControlProtocol.MAX_BODY_BYTES, "the message is too long");
    return checked(read(body, Announcement.class));
  }

  /** Reads what came from a NodeManager. */
  public static HostAnswer decodeAnswer(String body) throws ControlException {
    require(body.length() <= ControlProtocol.MAX_REPLY_BYTES, "the message is too long");
    HostAnswer answer = read(body, HostAnswer.class);
    version(answer.version());
    text("state", answer.state());
    if (answer.ruleTransport() != null) {
      text("ruleTransport", answer.ruleTransport());
    }
    if (answer.order() != null) {
      checked(answer.order());
    }
    if (answer.view() == null) {
      throw new ControlException("view is missing");
    }
    check(answer.view());
    if (answer.traits() != null) {
      check(answer.traits());
    }
    return answer;
  }

  private static void check(HostTraits traits) throws ControlException {
    if (traits.tls() != null) {
      text("tls", traits.tls());
    }
    for (String name : traits.interfaces()) {
      text("interfaces", name);
    }
    for (String name : traits.deniedCongestionControls()) {
      text("deniedCongestionControls", name);
    }
  }

  private static void check(HostView view) throws ControlException {
    version(view.version());
    text("policy", view.policy());
    require(view.budget() >= 0, "budget < 0");
    require(view.inUse() >= 0, "inUse < 0");
    for (HostView.TransferView transfer : view.transfers()) {
      require(isJob(transfer.job()), "a transfer has no job");
      require(transfer.demand() >= 0, "demand < 0");
      require(transfer.share() >= 0, "share < 0");
      require(transfer.flows() >= 0, "flows < 0");
    }
    for (String name : view.congestionControls()) {
      text("congestionControls", name);
    }
    StoredBytes stored = view.stored();
    if (stored != null) {
      require(stored.outputs() >= 0, "outputs < 0");
      require(stored.partitionBytes().size() <= StoredBytes.MAX_PARTITIONS, "too many partitions");
      require(stored.partitionBytes().stream().allMatch(b -> b >= 0), "partitionBytes < 0");
    }
  }

  private static Announcement checked(Announcement message) throws ControlException {
    version(message.version());
    require(message.waitMs() >= 0, "waitMs < 0");
    require(message.restMs() >= 0, "restMs < 0");
    if (message.seen() != null) {
      text("seen", message.seen());
    }
    if (message.order() != null) {
      checked(message.order());
    }
    if (message.transfer() == null) {
      throw new ControlException("transfer is missing");
    }
    checked(message.transfer());
    return message;
  }

  private static void checked(SignedOrder order) throws ControlException {
    require(isJob(order.job()), "the order's job is not the id of a job");
    require(order.sequence() >= 0, "the order's sequence < 0");
    text("the order's signature", order.signature());
    require(
        order.body() != null && order.body().length() <= OrderCodec.MAX_BODY,
        "the order is missing or longer than " + OrderCodec.MAX_BODY);
  }

  private static void version(int version) throws ControlException {
    require(
        version == ControlProtocol.VERSION,
        "version is " + version + ", not " + ControlProtocol.VERSION);
  }

  private static void checked(TransferDescriptor transfer) throws ControlException {
    version(transfer.version());
    require(isJob(transfer.job()), "job is not the id of a job");
    text("user", transfer.user());
    text("queue", transfer.queue());
    text("priority", transfer.priority());
    text("transferClass", transfer.transferClass());
    text("transport", transfer.transport());
    require(transfer.submitTimeMs() >= 0, "submitTimeMs < 0");
    require(transfer.machines() >= 0, "machines < 0");
    require(transfer.bytesKnown() >= 0, "bytesKnown < 0");
    Long segment = transfer.segmentBytes();
    require(segment == null || segment >= 0, "segmentBytes < 0");
    require(
        transfer.weight() > 0 && transfer.weight() <= MAX_WEIGHT,
        "weight is not a positive number up to " + MAX_WEIGHT);
    LocalPart local = transfer.local();
    require(local.storedKnown() >= 0, "storedKnown < 0");
    require(local.wantedBytes().size() <= LocalPart.MAX_TASKS, "too many tasks");
    require(local.wantedBytes().values().stream().allMatch(b -> b >= 0), "wantedBytes < 0");
    for (String attempt : local.wantedBytes().keySet()) {
      text("attempt", attempt);
    }
    require(
        transfer.parameters().size() <= TransferDescriptor.MAX_PARAMETERS, "too many parameters");
    for (Map.Entry<String, String> parameter : transfer.parameters().entrySet()) {
      text("the name of a parameter", parameter.getKey());
      text("a parameter", parameter.getValue());
    }
  }

  private static void text(String field, @Nullable String value) throws ControlException {
    if (value == null) {
      throw new ControlException(field + " is missing");
    }
    require(value.length() <= MAX_TEXT, field + " is longer than " + MAX_TEXT);
    require(value.chars().noneMatch(Character::isISOControl), field + " has control characters");
  }

  static <T> T read(String body, Class<T> type) throws ControlException {
    try {
      T message = JSON.readValue(body, type);
      if (message == null) {
        throw new ControlException("the message is empty");
      }
      return message;
    } catch (JsonProcessingException e) {
      throw new ControlException("the message is not the JSON that was expected");
    }
  }

  static String write(Object message) throws ControlException {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new ControlException("the message cannot be written: " + e.getOriginalMessage());
    }
  }

  static void require(boolean condition, String otherwise) throws ControlException {
    if (!condition) {
      throw new ControlException(otherwise);
    }
  }
}
