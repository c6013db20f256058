/** The small pieces that work for each map output or message, by JMH. */
@NullMarked
package org.missioncontrol.bench.micro;

import org.jspecify.annotations.NullMarked;
