// A training's page: its stored curve played back, each point an address of its own.
import { onSwap } from "../web/events.js";
import { offerPlayback, showPlayback } from "../replays/playback.js";

if (document.getElementById("walk")) offerPlayback();
onSwap({ after: arrive });

let offered = Boolean(document.getElementById("walk"));

function arrive() {
  if (!document.getElementById("walk")) return;
  if (offered) showPlayback();
  else offerPlayback();
  offered = true;
}
