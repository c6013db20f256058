/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.it;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** What an operator installs: not the benchmarks, not these tests. */
final class ProductionCode implements ImportOption {
  @Override
  public boolean includes(Location location) {
    return !location.contains("/benchmarks/") && !location.contains("/integration-tests/");
  }
}
