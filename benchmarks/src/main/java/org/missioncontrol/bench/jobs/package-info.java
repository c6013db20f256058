/** MapReduce jobs whose output is known in advance, for tests and measurements. */
@NullMarked
package org.missioncontrol.bench.jobs;

import org.jspecify.annotations.NullMarked;
