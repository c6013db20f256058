/** Hosts that are network namespaces, joined by a switch, with links of a given rate. */
@NullMarked
package org.missioncontrol.bench.net;

import org.jspecify.annotations.NullMarked;
