/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy at
 * https://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS, WITHOUT WARRANTIES
 * OR CONDITIONS OF ANY KIND, either express or implied.
 */
package org.missioncontrol.shuffle.cli;

import java.util.ArrayList;
import java.util.List;
import org.missioncontrol.shuffle.throttle.ThrottleSnapshot.TransportUse;

/** An explanation's sentences. Owned by the thread that makes it. */
final class Reasons {
  private final Explanation it;
  private final List<String> sentences = new ArrayList<>();

  Reasons(Explanation it) {
    this.it = it;
  }

  List<String> sentences() {
    weight();
    share();
    flows();
    change();
    transports();
    return List.copyOf(sentences);
  }

  private void weight() {
    if (!it.announced()) {
      sentences.add(
          "No descriptor of its ApplicationMaster is in force here (a job without the plug-in, or"
              + " one silent for longer than mission-control.transfer.expiry-ms): it weighs 1"
              + " before the policy.");
    }
    if (it.weightCap() != null && it.wantedWeight() > it.weightCap()) {
      sentences.add(
          "The administrator's rules cap it: it wants weight "
              + Words.number(it.wantedWeight())
              + " and may have "
              + Words.number(it.weightCap())
              + ".");
    }
    if (it.correction() != 1) {
      sentences.add(
          "Bytes are to follow weights here, and it is "
              + (it.correction() > 1 ? "behind" : "ahead")
              + ": for now its weight counts times "
              + Words.number(it.correction())
              + ".");
    }
  }

  private void share() {
    long wanting = it.claims().stream().filter(claim -> claim.demand() > 0).count();
    if (it.demand() == 0) {
      sentences.add("None of its tasks holds or waits for a flow here, so its share is 0.");
    } else if (wanting > it.budget()) {
      sentences.add(
          wanting
              + " jobs want flows and there are "
              + it.budget()
              + ": they take turns, one flow each, the one first that was granted least recently.");
    } else if (it.share() == it.demand()) {
      sentences.add("It may hold all that it wants.");
    } else {
      byWeight();
    }
    if (wanting <= it.budget() && it.computedShare() != it.share()) {
      sentences.add(
          "The share computed here is "
              + it.computedShare()
              + ": this command and the NodeManager are of different versions.");
    }
  }

  private void byWeight() {
    boolean modestOnes =
        it.claims().stream()
            .anyMatch(claim -> claim.demand() > 0 && claim.share() == claim.demand());
    sentences.add(
        "By weight alone it would have "
            + Words.number(it.partByWeight())
            + " of "
            + Words.flows(it.budget())
            + (it.partByWeight() < 1 ? "; whoever wants flows gets one" : "")
            + (modestOnes ? "; jobs that want less than their part leave it to the others" : "")
            + "; in whole flows that makes "
            + it.share()
            + ".");
  }

  private void flows() {
    if (it.held() > it.share()) {
      sentences.add(
          "It still holds "
              + it.held()
              + ": flows come back when their batch is fetched, and it gets no more until it is"
              + " below its share.");
    } else if (it.held() < it.share()) {
      sentences.add(
          it.inUse() >= it.budget()
              ? "It holds only " + it.held() + " yet: it gets what others give back."
              : "It holds only " + it.held() + " yet: the others are being opened.");
    }
  }

  private void transports() {
    for (TransportUse use : it.transports()) {
      for (String passedOver : use.decision().passedOver()) {
        sentences.add(
            "Before "
                + Words.plain(use.decision().transport())
                + " was passed over: "
                + Words.plain(passedOver)
                + ".");
      }
    }
  }

  private void change() {
    if (it.demand() > it.share()) {
      sentences.add(
          it.shareWithTwiceTheWeight() > it.share()
              ? "With twice that weight it would be " + it.shareWithTwiceTheWeight() + "."
              : "Twice that weight would not change it.");
    } else if (it.demand() > 0 && it.shareIfItWantedAll() > it.share()) {
      sentences.add(
          "If its tasks wanted more, it could hold up to " + it.shareIfItWantedAll() + ".");
    }
  }
}
