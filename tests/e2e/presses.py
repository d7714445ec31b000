"""Everything on a page that swaps a part of it, pressed as a finger does, and where it is then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.e2e.visitor import Visitor

NEAR = 8  # pixels that a control may move under a finger
MOST = 80  # controls of a page: more, and one of them makes new ones

# Before the page's own scripts: counts what was asked for by a press and is not answered yet.
COUNT = """
  window.underWay = 0;
  const pressed = new Set();
  document.addEventListener("htmx:before:request", ({ detail }) => {
    if (!detail.ctx.sourceElement.hasAttribute("data-poll")) pressed.add(detail.ctx);
    window.underWay = pressed.size;
  });
  document.addEventListener("htmx:finally:request", ({ detail }) => {
    pressed.delete(detail.ctx);
    window.underWay = pressed.size;
  });
"""

# A reply or a thought that the page waits for is asked for on load; what polls for ever is not.
SETTLED = """!window.underWay
  && !document.querySelector("[data-poll][hx-trigger*=load]:not([hidden]), [aria-busy=true]")
  && [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet)"""

# A frame is drawn, and after it what it made scroll was heard.
DRAWN = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"

UNFOLD = "() => document.querySelectorAll('main details').forEach((part) => (part.open = true))"

# Every control in sight that asks for a swap: one of each kind, such as the cells of a board.
CONTROLS = """(within) => {
  const TICKS = "[type=checkbox], [type=radio]";
  const NUMBERS = "[type=range], [type=number]";
  const asks = (one) => one.matches("[hx-get], [hx-post]") && !one.hasAttribute("data-poll");
  const trigger = (form) => form.getAttribute("hx-trigger") ?? "submit";
  const swaps = (one) => {
    if (asks(one)) return true;
    if (!one.form || !asks(one.form)) return false;
    if (one.type === "submit") return trigger(one.form).includes("submit");
    const only = trigger(one.form).match(/target:'(.*)'/);
    if (only) return one.matches(only[1]);
    return trigger(one.form).includes("change") && one.matches(`select, ${TICKS}, ${NUMBERS}`);
  };
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true })
    && !one.closest("[aria-disabled=true], .by-hand, .unseen, dialog");
  const path = (one) => {
    if (one.id) return `#${CSS.escape(one.id)}`;
    const place = [...one.parentElement.children].indexOf(one) + 1;
    return `${path(one.parentElement)} > :nth-child(${place})`;
  };
  const kind = (one) => {
    const { action = "" } = one.dataset;
    const own = one.id.replace(/[-\\d].*/, "") || one.className;
    const part = one.id ? "" : one.closest("[id]").id;
    return [one.tagName, one.type, one.name, action, own, part].join(" ");
  };
  const found = new Map();
  for (const one of document.querySelectorAll(`${within} :is(a, button, select, input)`)) {
    if (isSeen(one) && swaps(one) && !found.has(kind(one))) found.set(kind(one), path(one));
  }
  return [...found];
}"""

# Scroll as someone does who wants to press it, and note where it and all that it is in are.
AIM = """(selector) => {
  const one = document.querySelector(selector);
  one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const top = scrollY + one.getBoundingClientRect().top;
  if (scrollY < 100) scrollTo({ top: Math.min(100, top - 50), behavior: "instant" });
  window.leadsTo = one.dataset.leadsTo;
  window.noted = [[selector, one.getBoundingClientRect().top]];
  for (let each = one.parentElement; each; each = each.parentElement) {
    if (each.id) window.noted.push([`#${CSS.escape(each.id)}`, each.getBoundingClientRect().top]);
  }
  const box = one.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  const isFree = one.contains(hit) || [...(one.labels ?? [])].some((label) => label.contains(hit));
  const isField = one.matches("select, [type=range], [type=number]");
  return { x, y, scrolled: scrollY, free: isFree, field: isField };
}"""

# Another choice: what a browser's own list or wheel does, which no test can press.
CHOOSE = """(selector) => {
  const one = document.querySelector(selector);
  one.focus({ preventScroll: true });
  if (one instanceof HTMLSelectElement) {
    one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
  } else {
    one.value = Number(one.value) + (one.value === one.max ? -1 : 1);
  }
  for (const name of ["input", "change"]) one.dispatchEvent(new Event(name, { bubbles: true }));
}"""

# How far the control has moved, or where it is gone, the nearest that it was in.
MOVED = """() => {
  const isThere = (one) => one?.checkVisibility();
  if (window.leadsTo) { // what it brings into sight begins there
    const at = `#${window.leadsTo}`;
    const by = document.querySelector(at).getBoundingClientRect().top;
    const isInSight = by >= 0 && by < innerHeight / 2;
    return { at, by: isInSight ? 0 : by, scrolled: scrollY, ended: false };
  }
  const [at, top] = window.noted.find(([at]) => isThere(document.querySelector(at)));
  const by = document.querySelector(at).getBoundingClientRect().top - top;
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  return { at, by, scrolled: scrollY, ended: isAtEnd };
}"""


@dataclass(frozen=True)
class Press:
    """A control, where the page was scrolled to, and what is there after it was pressed."""

    control: str
    scrolled: float
    found: str
    moved: float
    then: float
    ended: bool

    @property
    def stayed(self) -> bool:
        """Whether it is where it was; what is gone may leave the page too short for the rest."""
        return abs(self.moved) <= NEAR or (self.found != self.control and self.ended)

    def __str__(self) -> str:
        return (
            f"{self.control} at {self.scrolled:.0f}: {self.found} moved by {self.moved:.0f}, "
            f"scrolled to {self.then:.0f}"
        )


@dataclass(frozen=True)
class Presser:
    """Someone who presses everything on a page, with a finger or a mouse."""

    visitor: Visitor
    by_touch: bool

    def presses_all(self, open_page: Callable[[Visitor], None], within: str) -> list[Press]:
        """Each kind of control within that selector, also of those that a press brings."""
        done: list[Press] = []
        kinds: set[str] = set()
        self._opens(open_page)
        fresh = True
        while True:
            controls = self.visitor.page.evaluate(CONTROLS, within)
            new = [(kind, control) for kind, control in controls if kind not in kinds]
            if not new and fresh:
                return done
            if not new:
                self._opens(open_page)
                fresh = True
                continue
            kind, control = new[0]
            kinds.add(kind)
            done.append(self._presses(control))
            assert len(done) < MOST, kinds
            fresh = False

    def _opens(self, open_page: Callable[[Visitor], None]) -> None:
        open_page(self.visitor)
        settle(self.visitor)
        assert self.visitor.page.evaluate("scrollY") == 0, "what arrives scrolls a new page"
        self.visitor.page.evaluate(UNFOLD)
        settle(self.visitor)

    def _presses(self, control: str) -> Press:
        page = self.visitor.page
        aim = page.evaluate(AIM, control)
        assert aim["free"], f"{control} is covered"
        if aim["field"]:
            page.evaluate(CHOOSE, control)
        elif self.by_touch:
            page.touchscreen.tap(aim["x"], aim["y"])
        else:
            page.mouse.click(aim["x"], aim["y"])
        settle(self.visitor)
        found = page.evaluate(MOVED)
        page.evaluate("document.querySelector('dialog[open]')?.close()")
        return Press(
            control, aim["scrolled"], found["at"], found["by"], found["scrolled"], found["ended"]
        )


def settle(visitor: Visitor) -> None:
    """Wait until all that a press has asked for is on the page, drawn and scrolled."""
    visitor.page.evaluate(DRAWN)
    visitor.waits_until(SETTLED)
    visitor.page.evaluate(DRAWN)
