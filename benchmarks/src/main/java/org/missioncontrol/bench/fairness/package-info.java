/** How fairly, how fast and how fully jobs share a link. */
@NullMarked
package org.missioncontrol.bench.fairness;

import org.jspecify.annotations.NullMarked;
