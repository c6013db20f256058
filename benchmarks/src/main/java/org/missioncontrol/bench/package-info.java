/** The command {@code benchmarks/bench}. */
@NullMarked
package org.missioncontrol.bench;

import org.jspecify.annotations.NullMarked;
