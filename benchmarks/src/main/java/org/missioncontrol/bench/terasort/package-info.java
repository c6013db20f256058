/** The TeraSort demonstration. */
@NullMarked
package org.missioncontrol.bench.terasort;

import org.jspecify.annotations.NullMarked;
