/** A real Hadoop cluster on this machine: separate JVMs, free ports, one work directory. */
@NullMarked
package org.missioncontrol.bench.cluster;

import org.jspecify.annotations.NullMarked;
