// A button that is swapped between press and release is not pressed: what is read meanwhile is not
// shown, but asked for again after the release.
const LONGEST = 2000; // milliseconds: after that a release was missed

let held = 0; // when the press that is not let go of yet began
let missed = null; // the request whose answer came meanwhile

export const isHeld = () => held && performance.now() - held < LONGEST;

// Whether it can be: what changes something is not sent twice.
export function askLater(request) {
  if (request.verb === "get") missed = request;
  return missed === request;
}

export function askMissed() {
  if (!missed || isHeld()) return;
  const request = missed;
  missed = null;
  if (request.elt.isConnected) sendAgain(request);
}

// The button that was pressed is a field of its form.
export function sendAgain({ elt, verb, path, target, triggeringEvent }) {
  const { submitter } = triggeringEvent ?? {};
  if (submitter?.isConnected) submitter.click();
  else htmx.ajax(verb, path, { source: elt, target });
}

// A person has asked for something else in its place.
export function forgetMissed(target) {
  if (missed?.target === target) missed = null;
}

const on = (name, listener) => document.addEventListener(name, listener, true);
for (const name of ["pointerdown", "keydown"]) on(name, () => (held = performance.now()));
for (const name of ["pointerup", "pointercancel", "keyup"]) {
  on(name, () => setTimeout(release, 0, held)); // the click is earlier
}

// A busy browser runs timers late: the next press may have begun.
function release(press) {
  if (press !== held) return;
  held = 0;
  askMissed();
}
