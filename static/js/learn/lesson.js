// What was said in which lesson, kept in this browser alone, and a button that forgets it. After
// each press the keyboard stays in the block that was pressed, and what it now says is said aloud.
import { offerKeys } from "../boards/keys.js";
import { offerCopy } from "../web/copy.js";
import { onSwap } from "../web/events.js";

const KEPT = "zermelo.learn";
const STATUS = "[role=status]";

let pressed = ""; // the id of the block that had focus before it was swapped
let byKeys = false; // whether it was pressed by keys: what a finger has pressed stays under it

// { lesson: { question: { said, right }, beat-1: { won } } }; nothing where storage is forbidden or was tampered with.
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

function keep(all) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // Then it is only in the address.
  }
}

// Notes what the page shows as answered: the address is the truth, this only remembers it.
function note() {
  const lesson = document.querySelector("article[data-lesson]")?.dataset.lesson;
  if (!lesson) return;
  const all = kept();
  const here = { ...all[lesson] };
  for (const question of document.querySelectorAll("[data-question]")) {
    const { said, right, told } = question.dataset;
    if (said && told) here[question.id] = { said, right: right === "yes" };
  }
  for (const machine of document.querySelectorAll("[data-beat=won]")) here[machine.id] = { won: true };
  if (Object.keys(here).length === 0) return;
  all[lesson] = here;
  keep(all);
}

// Beside a question that is not answered in this address: what was said another time.
function remind() {
  const lesson = document.querySelector("article[data-lesson]")?.dataset.lesson;
  const here = kept()[lesson] ?? {};
  for (const machine of document.querySelectorAll("[data-beat]")) {
    machine.querySelector(".beaten").hidden = !machine.dataset.beat && !here[machine.id]?.won;
  }
  for (const question of document.querySelectorAll("[data-question]")) {
    question.querySelector(".before")?.remove();
    const before = here[question.id];
    if (question.dataset.said || typeof before?.said !== "string") continue;
    const line = document.createElement("p");
    line.className = "before small muted";
    line.textContent = `Last time you said: ${before.said}.`;
    question.querySelector(".choices")?.after(line);
  }
}

function count() {
  const all = kept();
  let lessons = 0;
  let answered = 0;
  let right = 0;
  let beaten = 0;
  let next = null; // the first lesson that is not done
  for (const entry of document.querySelectorAll(".lessons li[data-lesson]")) {
    const found = Object.values(all[entry.dataset.lesson] ?? {});
    const answers = found.filter((each) => typeof each?.said === "string");
    const wins = found.filter((each) => each?.won).length;
    const asked = Number(entry.dataset.questions);
    entry.querySelector(".done")?.remove();
    if (answers.length < asked) next ??= entry;
    if (answers.length === 0 && wins === 0) continue;
    const done = document.createElement("span");
    done.className = "done";
    const many = answers.length >= asked ? "✓" : `${answers.length} of ${asked}`;
    done.textContent = wins ? `${many} · beaten` : many;
    done.title = `${answers.length} of ${asked} questions answered`;
    entry.append(done);
    if (answers.length >= asked) lessons += 1;
    beaten += wins;
    answered += answers.length;
    right += answers.filter((answer) => answer?.right).length;
  }
  const line = document.getElementById("progress");
  if (!line) return;
  line.hidden = answered + beaten === 0;
  const begin = document.getElementById("begin");
  if (begin && next) {
    begin.href = next.querySelector("a").href;
    if (answered + beaten > 0) begin.textContent = `Go on with lesson ${next.dataset.number}`;
  }
  const whole = lessons === 1 ? "1 lesson" : `${lessons} lessons`;
  const wins = beaten === 0 ? "" : beaten === 1 ? "; 1 machine beaten" : `; ${beaten} machines beaten`;
  document.getElementById("progress-line").textContent =
    `${whole} done; ${answered} answered, ${right} of them right${wins}. Kept in this browser only.`;
}

function arrive() {
  note();
  remind();
  count();
}

function leave() {
  const focused = document.activeElement;
  pressed = focused?.closest(".lesson .card[id]")?.id ?? "";
  byKeys = Boolean(focused?.matches(":focus-visible"));
}

// What stays keeps its focus; where it is gone, what the block now says has it, or a button.
function stay() {
  const block = pressed && document.getElementById(pressed);
  if (!block) return;
  const status = [...block.querySelectorAll(STATUS)];
  if (!block.contains(document.activeElement)) {
    const next = status[0] ?? block.querySelector("button");
    next?.focus({ preventScroll: true });
    if (byKeys) next?.scrollIntoView({ block: "nearest" });
  }
  const says = status.map((line) => line.textContent.trim().replace(/\s+/g, " ")).join(" ");
  if (says) document.getElementById("live").textContent = says;
}

document.getElementById("forget")?.addEventListener("click", () => {
  keep({});
  remind();
  count();
});
offerCopy();
if (document.querySelector("[data-keys]")) offerKeys();
onSwap({
  before: leave,
  after: () => {
    arrive();
    stay();
  },
});
arrive();
