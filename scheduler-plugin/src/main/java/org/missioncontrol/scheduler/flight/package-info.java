/** The control plane of each transport: one flight controller per transfer. */
@NullMarked
package org.missioncontrol.scheduler.flight;

import org.jspecify.annotations.NullMarked;
