// What the page of a tree gains: Play presses Step, P is for the projector.
import { offerKeys } from "../boards/keys.js";
import { onSwap } from "../web/events.js";
import { offerPlayback, showPlayback } from "./playback.js";

offerKeys();
offerPlayback();
onSwap({ after: arrive });

function arrive() {
  showPlayback();
  const { announcement } = document.getElementById("tree").dataset;
  if (announcement) document.getElementById("live").textContent = announcement;
}
