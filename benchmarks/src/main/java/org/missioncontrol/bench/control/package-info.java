/** What the control messages cost a large cluster. */
@NullMarked
package org.missioncontrol.bench.control;

import org.jspecify.annotations.NullMarked;
