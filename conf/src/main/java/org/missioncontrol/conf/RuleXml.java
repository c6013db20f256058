/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.conf;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.missioncontrol.conf.RuleEntries.Entry;
import org.xml.sax.Attributes;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Flattens XML to the keys of the properties format: below a root of any name, {@code <user
 * name="alice"><weight>2</weight></user>} is {@code user.alice.weight = 2}. Owned by one parse.
 */
final class RuleXml extends DefaultHandler {
  private final List<Entry> entries = new ArrayList<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final StringBuilder text = new StringBuilder();
  private @Nullable Locator locator;
  private boolean leaf;

  private RuleXml() {}

  static List<Entry> read(InputStream in) throws IOException, AdminRulesException {
    RuleXml xml = new RuleXml();
    try {
      SAXParserFactory factory = SAXParserFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      factory.newSAXParser().parse(in, xml);
    } catch (SAXParseException e) {
      throw RuleEntries.problem(
          Math.max(1, e.getLineNumber()), "the file is no well-formed XML: " + e.getMessage());
    } catch (SAXException | ParserConfigurationException e) {
      throw RuleEntries.problem(1, "the file cannot be read as XML: " + e.getMessage());
    }
    return xml.entries;
  }

  @Override
  public void setDocumentLocator(Locator theirs) {
    locator = theirs;
  }

  @Override
  public void startElement(String uri, String localName, String element, Attributes attributes) {
    String name = attributes.getValue("name");
    String step = name == null ? element : element + "." + name;
    String parent = path.peek();
    // INVARIANT: the root is the empty step and no part of any key
    path.push(parent == null ? "" : parent.isEmpty() ? step : parent + "." + step);
    text.setLength(0);
    leaf = true;
  }

  @Override
  public void characters(char[] chars, int start, int length) {
    text.append(chars, start, length);
  }

  @Override
  public void endElement(String uri, String localName, String element) {
    String key = path.pop();
    if (leaf && !key.isEmpty()) {
      entries.add(new Entry(line(), key, text.toString().strip()));
    }
    leaf = false;
  }

  private int line() {
    return locator == null ? 1 : locator.getLineNumber();
  }
}
