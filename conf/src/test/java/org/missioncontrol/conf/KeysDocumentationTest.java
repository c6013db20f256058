/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class KeysDocumentationTest {
  private static Map<String, String> keysOfTheClass() throws IllegalAccessException {
    Map<String, String> keys = new TreeMap<>();
    for (Class<?> topic : Keys.class.getDeclaredClasses()) {
      for (Field field : topic.getDeclaredFields()) {
        if (field.getName().endsWith("_KEY")) {
          keys.put((String) field.get(null), defaultOf(topic, field));
        }
      }
    }
    return keys;
  }

  private static String defaultOf(Class<?> topic, Field key) throws IllegalAccessException {
    String name = key.getName().replaceAll("_KEY$", "_DEFAULT");
    try {
      return String.valueOf(topic.getDeclaredField(name).get(null));
    } catch (NoSuchFieldException e) {
      throw new AssertionError(key.getName() + " has no " + name, e);
    }
  }

  private static Map<String, Element> propertiesOfTheXml() throws Exception {
    var factory = javax.xml.parsers.DocumentBuilderFactory.newInstance();
    var stream = Keys.class.getResourceAsStream("/mission-control-default.xml");
    var nodes = factory.newDocumentBuilder().parse(stream).getElementsByTagName("property");
    Map<String, Element> properties = new TreeMap<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      Element property = (Element) nodes.item(i);
      properties.put(text(property, "name"), property);
    }
    return properties;
  }

  private static String text(Element property, String tag) {
    return property.getElementsByTagName(tag).item(0).getTextContent();
  }

  @Test
  void everyKeyIsDocumentedWithItsDefault() throws Exception {
    Map<String, String> documented = new TreeMap<>();
    propertiesOfTheXml().forEach((name, element) -> documented.put(name, text(element, "value")));
    assertThat(documented).isEqualTo(keysOfTheClass());
  }

  @Test
  void everyDescriptionSaysTheUnit() throws Exception {
    propertiesOfTheXml()
        .forEach(
            (name, p) -> assertThat(text(p, "description")).as(name).containsIgnoringCase("unit:"));
  }

  @Test
  void defaultsMakeValidRecords() {
    Configuration none = new Configuration(false);
    assertThat(TransferConfig.from(none)).isEqualTo(new TransferConfig(1, "auto"));
    assertThat(ServerConfig.from(none).port()).isEqualTo(13562);
    assertThat(FetchConfig.from(none).parallelCopies()).isEqualTo(5);
    assertThat(AmConfig.from(none).pollIntervalMs()).isEqualTo(500);
    assertThat(ThrottleConfig.from(none).flowsPerHost()).isEqualTo(12);
  }
}
