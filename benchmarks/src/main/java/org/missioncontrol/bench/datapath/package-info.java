/**
 * How fast, how cheap and how small the way of the bytes is, beside stock's, on this host alone.
 */
@NullMarked
package org.missioncontrol.bench.datapath;

import org.jspecify.annotations.NullMarked;
