/** A NodeManager's shuffle service without the NodeManager, ours or stock's, and jobs for it. */
@NullMarked
package org.missioncontrol.bench.host;

import org.jspecify.annotations.NullMarked;
