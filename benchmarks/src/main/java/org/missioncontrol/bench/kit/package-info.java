/** What every benchmark shares: words of the command line, tables, the machine, the result. */
@NullMarked
package org.missioncontrol.bench.kit;

import org.jspecify.annotations.NullMarked;
