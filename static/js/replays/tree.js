// What the page of a tree gains: keys, and Play, which presses Step.
import { offerKeys } from "../boards/keys.js";
import { onSwap } from "../web/events.js";
import { offerPlayback, showPlayback } from "./playback.js";
import { followProjector } from "./projector.js";

offerKeys();
offerPlayback();
onSwap({ after: arrive });

function arrive() {
  showPlayback();
  followProjector();
  const { announcement } = document.getElementById("tree").dataset;
  if (announcement) document.getElementById("live").textContent = announcement;
}
