/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.missioncontrol.transport.Connector.Connected;
import org.missioncontrol.transport.Transport;
import org.missioncontrol.transport.TransportChoice;

class FallbackFlowTest {
  @Test
  void carriesNoFurtherBatchOnceTheDoorIsBack() {
    AtomicBoolean doorIsAway = new AtomicBoolean(true);
    TransportChoice none = new TransportChoice(Transport.DEFAULT, Transport.DEFAULT, null);
    Flow plain = new PlainFlow(new Connected(new EmbeddedChannel(), none, "cubic"));
    Flow flow = new FallbackFlow(plain, doorIsAway::get);
    assertThat(flow.renew()).isCompletedWithValue(true);
    doorIsAway.set(false);
    assertThat(flow.renew()).isCompletedWithValue(false);
    flow.close();
    assertThat(plain.channel().isOpen()).isFalse();
  }
}
