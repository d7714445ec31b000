"""A person at a browser: what they press and what they see, so that tests read as sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from agents import Limit, load_agent
from agents.roster import roster
from engine import Match, read_transcript
from engine.catalog import catalog
from tests.webapp.visitor import OWN_PAGE
from webapp.lobby.forms import STARTS
from webapp.replays.models import PERSON

FRIEND = "A friend, on this screen"
WATCH = "Watch"
PHONE: dict[str, Any] = {
    "viewport": {"width": 320, "height": 640},
    "has_touch": True,
    "is_mobile": True,
}
PROJECTOR: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
SIZES = [(1280, 860), (320, 640)]

OVER = re.compile(r"wins?:|A draw:")
BUSY = re.compile(r"is (thinking|warming up)")
MOST_TABS = 120  # stops on a page, and some
DUE = re.compile(r"Your move|: (that|every move) |wins?:|A draw:|(Player [xo]|Blue|Orange) to move")


@dataclass(frozen=True)
class Visitor:
    """One page of one browser."""

    page: Page

    def goes_to(self, path: str) -> Visitor:
        self.page.goto(path)
        return self

    def looks_at(self, query: str) -> Visitor:
        """The same path with something else after it: `?values=1`, `/screen`."""
        return self.goes_to(self.page.url.partition("?")[0] + query)

    def new_tab(self) -> Visitor:
        """The same page once more, in the same browser."""
        return Visitor(self.page.context.new_page()).goes_to(self.page.url)

    # --- the lobby

    def begins(
        self, game: str, *, against: str = "", mode: str = "Play", look: str = "", **wishes: str
    ) -> Visitor:
        """A match with these choices made, by title or key; the lobby is walked elsewhere."""
        entry = next(entry for entry in catalog() if game in (entry.title, entry.key))
        presets = {preset.title: preset.name for preset in entry.presets}
        agents = {FRIEND: PERSON} | {agent.title: agent.key for agent in roster()}
        starts = {label: value for value, label in STARTS}
        variant, rival, begins = (wishes.get(name, "") for name in ("variant", "rival", "starts"))
        form = {
            "game": entry.key,
            "preset": presets.get(variant, variant),
            "opponent": agents.get(against, against),
            "rival": agents.get(rival, rival),
            "starts": starts.get(begins, begins),
            "mode": mode.lower(),
        }
        begun = self.page.request.post("/matches", form=form, headers=OWN_PAGE, max_redirects=0)
        return self.goes_to(begun.headers["location"] + look)

    def begins_by_the_lobby(
        self, game: str, *, against: str = "", mode: str = "Play", **wishes: str
    ) -> Visitor:
        """The same by hand: open the lobby, fill in the card of that game, and press."""
        self.page.goto("/")
        card = self.card(game)
        if mode == WATCH:
            self.watches(game)
        else:
            self.chooses_freely(game)
        first = "First machine" if mode == WATCH else "Opponent"
        chosen = {
            "Variant": wishes.get("variant"),
            first: against,
            "Second machine": wishes.get("rival"),
        }
        for label, choice in chosen.items():
            if choice:
                self.chooses(card.get_by_label(label, exact=True), choice)
        if starts := wishes.get("starts"):
            card.get_by_label("Who starts").select_option(label=starts)
        card.get_by_role("button", name=mode, exact=True).click()
        self.page.wait_for_url("**/matches/*")
        return self

    def watches(self, game: str) -> None:
        """Turn a card from playing to watching."""
        self._turns(game, "Watch two")

    def chooses_freely(self, game: str) -> None:
        """Turn a card from a few difficulties to all machines and variants."""
        self._turns(game, "Choose a machine or variant…")

    def _turns(self, game: str, link: str) -> None:
        with self.page.expect_response(lambda answer: "?game=" in answer.url):
            self.card(game).get_by_role("link", name=link, exact=True).click()
        expect(self.page.locator(".htmx-request")).to_have_count(0)

    def free_card(self, game: str) -> Locator:
        """Go to the card of a game with all its machines and variants."""
        key = next(entry.key for entry in catalog() if entry.title == game)
        return self.goes_to(f"/?game={key}&choose=1").card(game)

    def card(self, game: str) -> Locator:
        return self.page.get_by_role("article", name=game)

    def chooses(self, field: Locator, label: str) -> None:
        """Choose, and wait for the card that comes back with the choice made."""
        field.focus()
        with self.page.expect_response(lambda answer: "?game=" in answer.url):
            field.select_option(label=label)
        expect(self.page.locator(".htmx-request")).to_have_count(0)

    def opens(self, game: str, players: list[str], moves: str) -> Visitor:
        """A match brought in from elsewhere, after these moves."""
        data = {"format": "zermelo match 2", "game": game, "players": players}
        self.page.goto("/matches/import")
        field = self.page.get_by_label("JSON or transcript")
        field.fill(json.dumps(data | {"moves": moves.split()}))
        self.page.get_by_role("button", name="Open").click()
        self.page.wait_for_url(lambda url: "import" not in url)
        return self

    # --- the match

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    @property
    def grid(self) -> Locator:
        return self.page.get_by_role("grid")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def link(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)

    def cell(self, name: str) -> Locator:
        """A cell of the board by the name it begins with: `b2`."""
        return self.grid.get_by_role("button", name=re.compile(rf"^{name},"))

    def follows(self, *links: str) -> Visitor:
        """Press these links, each once it is there."""
        for name in links:
            self.link(name).click()
        return self

    def sees(self, text: str | re.Pattern[str]) -> Visitor:
        expect(self.status).to_contain_text(text)
        return self

    @property
    def match(self) -> Match[Any, Any]:
        """The match as the server knows it, by its own transcript."""
        address = self.page.url.partition("?")[0]
        answer = self.page.request.get(f"{address}.txt")
        return read_transcript(answer.text())

    @property
    def played(self) -> list[str]:
        """The moves of the match so far."""
        return [str(move) for move in self.match.moves]

    def plays(self, *moves: str) -> Visitor:
        """Play these moves by pressing the board, each when it is due."""
        for move in moves:
            self.sees(DUE)
            self._press(move)
        return self

    def _press(self, move: str) -> None:
        played = self.match.ply
        if "-" in move:
            source, target = move.split("-")
            self.cell(source).click()
            self.grid.get_by_role("button", name=f"{target}, ", exact=False).and_(
                self.grid.get_by_role("button", name=f"push {source} in here", exact=False)
            ).click()
        elif self.page.locator("#board-nim").count():
            self.takes(move)
        else:
            self.cell(move).click()
        expect(self.page.locator(f"#ply-{played + 1}")).to_be_attached()

    def takes(self, move: str) -> None:
        """Nim: pick by a press, take by a second one."""
        stick = self.grid.get_by_role("button", name=f"take {move[1:]} from row {move[0]}")
        stick.click()
        stick.click()

    def plays_on(self, *, by: str = "perfect", worst: bool = False) -> Visitor:
        """Play to the end, choosing as that agent would, or as badly as it can tell."""
        match = self.when_due()
        agent = load_agent(by, match.game)
        while match.outcome() is None:
            analysis = agent.analyse(match.state, limit=Limit(), rng=Random(1))
            self._press(str(analysis.candidates[-1 if worst else 0].move))
            match = self.when_due()
        return self

    def plays_until_won(self, *, by: str) -> Visitor:
        """Play as that agent would, and again if luck saved the opponent."""
        for _ in range(5):
            self.plays_on(by=by)
            if "You win" in self.status.inner_text():
                break
            over = self.page.url
            self.button("Rematch").click()
            self.page.wait_for_url(lambda url, over=over: url != over)
        return self

    def let_it_move(self) -> Visitor:
        """Without htmx: press until the reply is there. The button may take a moment to show."""
        while BUSY.search(self.status.inner_text()):
            self.button("Let it move").click()
        return self

    def looks_again_until(self, wanted: Locator) -> Visitor:
        """Without script: press for as long as what was asked for is still being worked out."""
        again = self.page.get_by_role("link", name="Look again")
        while True:
            expect(wanted.or_(again).first).to_be_visible()
            if wanted.count():
                return self
            again.click()

    def steps_to_ply(self, ply: int) -> Visitor:
        """Watching with htmx, which asks again until the move is there: press Next for each ply."""
        self.page.locator("#walk").get_by_role("button", name="Pause").click()
        for number in range(self.match.ply + 1, ply + 1):
            self.page.locator("#next").click()
            expect(self.page.locator(f"#ply-{number}")).to_be_attached()
        expect(self.page.get_by_text(f"{ply} of {ply}")).to_be_visible()
        return self

    def when_due(self) -> Match[Any, Any]:
        """The match as soon as it is a person's turn again, or over."""
        self.sees(DUE)
        return self.match

    # --- what a person can feel

    @contextmanager
    def without(self, what: str) -> Iterator[None]:
        """Within the block, what is asked for by that name is on its way and does not arrive."""
        wanted = re.compile(rf"/{re.escape(what)}(\?|$)")

        def hold(route: Route) -> None:
            """Neither answer nor refuse."""

        self.page.route(wanted, hold)
        yield
        self.page.unroute_all(behavior="ignoreErrors")

    def waits_until(self, fact: str) -> Visitor:
        """Until that is true of the page. Playwright's own way needs an `eval` in the page."""
        while not self.page.evaluate(fact):
            continue
        return self

    def presses(self, *keys: str) -> Visitor:
        """Press these keys on a page that has all its scripts."""
        for key in keys:
            self.page.wait_for_load_state("domcontentloaded")
            self.page.keyboard.press(key)
        return self

    def is_answered(self) -> Visitor:
        """Nothing that was pressed is still under way."""
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0)
        return self

    def tabs_to(self, wanted: Locator) -> Visitor:
        """Press Tab until that has focus."""
        for _ in range(MOST_TABS):
            self.presses("Tab")
            if wanted.evaluate("element => element === document.activeElement"):
                return self
        raise AssertionError(f"by Tab alone nobody comes to {wanted}")

    def enters(self, name: str) -> Visitor:
        """Go to the link of that name and press it, all by keys."""
        return self.tabs_to(self.link(name)).presses("Enter")

    @property
    def focused(self) -> str:
        """The id of what has focus."""
        return str(
            self.page.evaluate("document.activeElement.id || document.activeElement.tagName")
        )

    def counts_animations(self) -> Visitor:
        """From now on, count what the pages animate."""
        self.page.add_init_script(COUNT_ANIMATIONS)
        return self

    def animations(self) -> int:
        return int(self.page.evaluate("window.animated"))

    def paper(self) -> str:
        """The colour of the page."""
        return str(self.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    def text_sizes(self) -> list[float]:
        """In pixels, of every text that can be seen."""
        return list(self.page.evaluate(TEXT_SIZES))

    def misfits(self, sizes: list[tuple[int, int]]) -> list[str]:
        """What is too small to press, or reaches beyond the screen, at any of these sizes."""
        found = []
        for width in self._at(sizes):
            found += [f"at {width} px: {target}" for target in self.small_targets()]
            if beyond := self.sideways_scroll():
                found.append(f"at {width} px: {beyond} px beyond the screen")
        return found

    def scrolls_at(self, sizes: list[tuple[int, int]]) -> list[int]:
        """At which of these widths the page is higher than the screen."""
        higher = "document.documentElement.scrollHeight > innerHeight"
        return [width for width in self._at(sizes) if self.page.evaluate(higher)]

    def sideways_at(self, sizes: list[tuple[int, int]]) -> list[int]:
        """At which of these widths something reaches beyond the screen."""
        return [width for width in self._at(sizes) if self.sideways_scroll()]

    def _at(self, sizes: list[tuple[int, int]]) -> Iterator[int]:
        """The widths of these screens, each while the page is on it."""
        for width, height in sizes:
            self.page.set_viewport_size({"width": width, "height": height})
            yield width

    def sideways_scroll(self) -> int:
        """How far the page reaches beyond the screen."""
        return int(self.page.evaluate(SIDEWAYS))

    def small_targets(self) -> list[str]:
        """Whatever can be pressed here and is smaller than a thumb."""
        return list(self.page.evaluate(SMALL_TARGETS))


SMALL_TARGETS = """() =>
  [...document.querySelectorAll('a, button, select, input, textarea, summary')]
  .filter(e => e.checkVisibility({visibilityProperty: true}) && e.type !== 'hidden'
               && !e.closest('.skip, .unseen, svg')  // a curve's points stand in a list as well
               && !e.closest('.lesson p:not(.ways-on) a'))  // in a sentence, as high as its line
  // What ticks a box is its label.
  .map(e => [e, (e.matches('[type=checkbox], [type=radio]') && e.closest('label')) || e])
  .map(([e, target]) => [e, target.getBoundingClientRect()])
  // Nine matches stand on one line of a phone: a press only picks, and the number can be typed.
  .filter(([e, box]) => box.width < (e.matches('.stick') ? 24 : 43.9) || box.height < 43.9)
  .map(([e, box]) => `${e.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""

COUNT_ANIMATIONS = """
  window.animated = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...rest) {
    window.animated += 1;
    return animate.apply(this, rest);
  };
"""

# Once everything that moves for a moment has arrived.
SIDEWAYS = """async () => {
  const moving = document.getAnimations().filter(
    (animation) => animation.effect.getComputedTiming().endTime !== Infinity,
  );
  await Promise.allSettled(moving.map((animation) => animation.finished));
  return Math.max(0, document.documentElement.scrollWidth - window.innerWidth);
}"""

TEXT_SIZES = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    const seen = walker.currentNode.data.trim() && holder.checkVisibility()
      && !holder.closest('.unseen, .skip, template, option');
    if (seen) sizes.push(parseFloat(getComputedStyle(holder).fontSize));
  }
  return sizes;
}"""
