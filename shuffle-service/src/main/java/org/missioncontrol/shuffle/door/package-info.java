/**
 * What a reducer and its NodeManager say to each other at the door, a Unix domain socket, and where
 * the door lies.
 */
@NullMarked
package org.missioncontrol.shuffle.door;

import org.jspecify.annotations.NullMarked;
