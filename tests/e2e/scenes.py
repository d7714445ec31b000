"""Ways to bring a page into each of its states: what is looked at on every page uses these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

from agents.puzzles.collection import shipped_puzzles
from tests.e2e.visitor import BUSY, FRIEND, Visitor
from tests.webapp.visitor import OWN_PAGE

Scene = Callable[[Visitor], object]


def at(path: str, shows: str = "h1") -> Scene:
    """A state that is an address; ready as soon as this selector is visible."""

    def reach(visitor: Visitor) -> None:
        visitor.goes_to(path)
        expect(visitor.page.locator(shows).first).to_be_visible()

    return reach


def begun(
    game: str,
    *moves: str,
    look: str = "",
    presses: str = "",
    shows: str = "#status",
    **wishes: Any,
) -> Scene:
    """A match looked at with that query, after these moves and a press of that selector."""

    def reach(visitor: Visitor) -> None:
        visitor.begins(game, look=look, **{"against": FRIEND} | wishes).plays(*moves)
        if presses:
            visitor.page.locator(presses).first.click()
        expect(visitor.page.locator(shows).first).to_be_visible()

    return reach


def opened(game: str, players: list[str], moves: str, look: str = "", shows: str = "main") -> Scene:
    """A match that was played elsewhere, looked at so."""

    def reach(visitor: Visitor) -> None:
        visitor.opens(game, players, moves)
        visitor.goes_to(visitor.page.url + look)
        expect(visitor.page.locator(shows).first).to_be_visible()

    return reach


def puzzled(game: str, theme: str, answer: str = "", look: str = "") -> Scene:
    """The first puzzle of this game and theme: unanswered, or after a right, wrong or no answer
    but the solution shown."""
    puzzle = next(each for each in shipped_puzzles() if (each.game, each.theme) == (game, theme))
    moves = {"right": puzzle.solutions[0], "wrong": puzzle.refutation[0]}
    path = f"/puzzles/{puzzle.id}"

    def reach(visitor: Visitor) -> None:
        if answer:
            action = "show" if answer == "shown" else "answer"
            fields = {"move": moves.get(answer, "")}
            visitor.page.request.post(f"{path}/{action}", form=fields, headers=OWN_PAGE)
        fresh = "" if answer else f"{'&' if look else '?'}again=1"  # whatever was pressed before
        visitor.goes_to(path + look + fresh)
        expect(visitor.page.locator("#result" if answer else "#hint-button")).to_be_visible()

    return reach


# --- the lobby and matches

SET_UP = "/positions?game=quixo&state=x.o.x/.xo../oox.x/..o../xo..o+o&values=1"
THRICE = ["c1-e1", "c5-e5"] * 5  # the same position
quixo_picked = begun(
    "Quixo", "a1-a5", "e3-a3", presses="#cell-d5", shows="#status:has-text('Push d5 back in')"
)
STATES: dict[str, Scene] = {
    "lobby": at("/"),
    "gallery": at("/machines"),
    "machine": at("/machines/menace", "h3:has-text('matchbox')"),
    "machine_with_levels": at(
        "/machines/quixo-deep?game=quixo:size=3", "table:has-text('positions so far')"
    ),
    "set_up": at(SET_UP, ".candidates"),
    "set_up_heaps": at("/positions?game=nim:heaps=3-21&state=2-20+x&values=1", ".candidates"),
    "not_a_position": at("/positions?game=nim&state=many"),
    "rules": at("/how-to-play?game=quixo", "h1:has-text('Quixo, 5 × 5')"),
    "keys": at("/keys", "h1:has-text('Keys')"),
    "words": at("/words", "h1:has-text('Words')"),
    "learn": at("/learn"),
    "importing": at("/matches/import"),
    "for_programs": at("/api", "h1:has-text('For programs')"),
    "not_found": at("/matches/nothing-of-the-kind"),
    "nim_large": begun("Nim", variant="Twenty-one, take 1 to 3", against="Random"),
    "nim_over": begun("Nim", "e9", "d7", "c5", "b3", "a1", shows="#status:has-text('wins')"),
    "nim_values": begun(
        "Nim",
        against="Perfect",
        look="?values=1&hint=1",
        shows="main:has([aria-label^='take 9 from row e, hinted, win']) .candidates",
    ),
    "tictactoe_won": begun(
        *("Tic-tac-toe", "a1", "c3", "a2", "b2", "a3"),
        presses="text=Where did it turn?",
        shows="[aria-label='Every move as it was played']",
    ),
    "tictactoe_values": begun(
        "Tic-tac-toe", against="Perfect", presses="#values", shows=".candidates tr.chosen"
    ),
    "tictactoe_hint": begun(
        "Tic-tac-toe",
        against="Random",
        presses="#hint-button",
        shows="#status.advice:has-text('that ')",
    ),
    "quixo_picked": quixo_picked,
    "quixo_drawn": begun("Quixo", *THRICE, shows="#status:has-text('A draw')"),
    "asked_to_resign": begun(
        "Quixo", against="Random", presses="#resign", shows="text=Yes, resign"
    ),
    "presented": begun("Quixo", "a1-a5", look="?present=1"),
    "thinking_presented": begun(
        "Quixo", against="Minimax", look="?present=1&values=1", shows=".candidates"
    ),
    "tree": opened(
        "tictactoe",
        ["person", "alphabeta"],
        "a3 b3 b2 c1",
        "/tree?depth=9&open=2.0",
        "text=not looked at",
    ),
    "puzzle": puzzled("quixo", "two threats"),
    "puzzle_solved": puzzled("nim", "leave nim-sum 0", "right"),
    "puzzle_missed": puzzled("quixo:size=4", "only move", "wrong"),
    "puzzle_shown": puzzled("tictactoe", "which move is the mistake", "shown"),
    "puzzles_again": at("/puzzles/again"),
    "updates": at("/train/updates?agent=qlearning:games%3D200&step=2", "#formula"),
    "uct": at("/positions/uct?game=tictactoe&state=x../.../...+o&step=79", ".phases"),
}


def state(reach: Scene) -> Scene:
    """Enter a way to reach a state under its own name."""
    STATES[reach.__name__] = reach
    return reach


@state
def lobby_with_more(visitor: Visitor) -> None:
    card = visitor.free_card("Nim")
    visitor.chooses(card.get_by_label("Variant"), "Your own…")
    card.get_by_text("Advanced").click()
    expect(card.get_by_label("Skill")).to_be_visible()


@state
def lobby_watching(visitor: Visitor) -> None:
    visitor.goes_to("/").watches("Quixo")
    expect(visitor.card("Quixo").get_by_label("First machine")).to_be_visible()


@state
def nim_picked(visitor: Visitor) -> None:
    visitor.begins("Nim", against=FRIEND).plays("d1")
    visitor.grid.get_by_role("button", name="take 8 from row e").click()


@state
def quixo_thinking(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    # The reply is held back, so that the state lasts.
    visitor.page.route("**/reply", lambda route: None)
    visitor.cell("a1").click()
    visitor.sees("Push a1 back in")  # pressed sooner, the second press would be dropped
    visitor.cell("a5").click()
    visitor.sees(BUSY)


@state
def watching(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", mode="Watch", against="Random", rival="Random").steps_to_ply(1)


@state
def shared(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2")
    visitor.page.get_by_text("Share", exact=True).click()
    visitor.page.context.clear_cookies()
    visitor.page.reload()
    expect(visitor.button("Play on from here")).to_be_visible()


@state
def refused(visitor: Visitor) -> None:
    visitor.begins("Nim", against=FRIEND)
    visitor.page.get_by_label("take", exact=True).fill("9")
    visitor.button("Take 9 from a").click()
    visitor.sees("Row a holds 1, you asked for 9.")
    assert visitor.played == []


@state
def unreachable(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND)
    visitor.page.route("**/moves", lambda route: route.fulfill(status=500))
    visitor.cell("b2").click()
    expect(visitor.page.get_by_role("alert")).to_be_visible()


@state
def set_up_over(visitor: Visitor) -> None:
    visitor.goes_to("/positions?game=tictactoe&state=xxx/oo./...+o")
    visitor.page.get_by_text("Share", exact=True).click()


# --- exhibits


@dataclass(frozen=True)
class Kind:
    """An exhibit, something in it that can be pressed, and what is there only after that."""

    game: str
    agent: str
    title: str
    control: str
    shows: str
    focus: str = ""  # where it is after the press, if not on what was pressed
    part: str = ""  # of the exhibit, if not what it opens with
    moves: str = ""  # of a match that is over

    @property
    def opener(self) -> str:
        return "What it would learn" if self.moves else "Open its head"

    def meet(self, visitor: Visitor, look: str) -> Visitor:
        """A match in which it can be opened."""
        if self.moves:
            return visitor.opens(self.game, ["person", self.agent], self.moves).looks_at(look)
        return visitor.begins(self.game, against=self.agent, look=look)


TICTACTOE, MENACE = "tictactoe", "menace:games=1000"
BOX, UNFOLD, UNFOLDED = "The matchbox", ".figures summary >> nth=0", ".figures[open] table"
LINE, ON_THE_BOARD = "#line-2", "#status:has-text('What it expects: after 2 of')"
KINDS = {
    "columns": Kind(
        "nim", "nim-expert", "The rows in binary", "#close", "text=Open its head", "#show"
    ),
    "matchbox": Kind(TICTACTOE, MENACE, BOX, "#age-2", "#exhibit >> text=in 10 games"),
    "numbers": Kind(TICTACTOE, "qlearning", "What it has learned", UNFOLD, UNFOLDED),
    "samples": Kind(
        TICTACTOE, "mcts", "The games it played out", "nav a:text-is('10')", "text=After 10 games"
    ),
    "shelf": Kind(TICTACTOE, MENACE, BOX, "#way-2", "text=Page 1 of 27", part="&part=boxes&step=1"),
    "lessons": Kind(
        *(TICTACTOE, MENACE, "What it would learn", "#close", "#lesson", "#lesson"),
        moves="a3 a1 b2 b3 c1",
    ),
    "genes": Kind("nim", "es-rules", "Its genes", "#gene-more-odd", "text=as it evolved,"),
    "mixture": Kind("nim", "es-mix", "What it is made of", UNFOLD, UNFOLDED),
    "weights": Kind("quixo", "quixo-evolved:depth=1", "Its weights by line kind", UNFOLD, UNFOLDED),
    "deepening": Kind("quixo", "quixo-deep:level=expert", "How deep it looked", LINE, ON_THE_BOARD),
    "answers": Kind(TICTACTOE, "perfect", "What is certain", LINE, ON_THE_BOARD),
}
