/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.bench.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.None;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines over two axes, as a PNG. Not shared. */
public final class Chart {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 500;
  private static final int MARKED_UP_TO = 20;

  private final XYChart chart;

  /** An empty one. */
  public Chart(String title, String x, String y) {
    System.setProperty("java.awt.headless", "true");
    chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart.getStyler().setYAxisMin(0.0);
  }

  /** Adds a line through these points, in the map's order; few are marked. */
  public Chart line(String name, Map<? extends Number, ? extends Number> points) {
    return line(name, doubles(points.keySet()), doubles(points.values()));
  }

  private static double[] doubles(Collection<? extends Number> numbers) {
    return numbers.stream().mapToDouble(Number::doubleValue).toArray();
  }

  /** Adds a line; few points are marked. */
  public Chart line(String name, double[] x, double[] y) {
    None none = new None();
    chart.addSeries(name, x, y).setMarker(x.length > MARKED_UP_TO ? none : SeriesMarkers.CIRCLE);
    return this;
  }

  /** Each step to the right is a factor; no x is 0. */
  public Chart logarithmicX() {
    chart.getStyler().setXAxisLogarithmic(true);
    return this;
  }

  /** Writes it. */
  public void write(Path png) throws IOException {
    Files.createDirectories(png.toAbsolutePath().getParent());
    BitmapEncoder.saveBitmap(chart, png.toString(), BitmapEncoder.BitmapFormat.PNG);
  }
}
