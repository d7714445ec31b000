"""Widgets of learning and sampling: MENACE's box, curves, breeding, Monte Carlo playouts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from agents.evolution.rules_exhibit import POPULATION, Individual, generation
from agents.exhibits import Bead, Matchbox, Sample, Samples
from agents.formats import counted, portion
from agents.roster import find_agent
from engine.catalog import load_game
from webapp.charts import Chart, Curve, chart
from webapp.exhibits.exhibit import fixed_context
from webapp.exhibits.matchbox import MatchboxView
from webapp.exhibits.monte_carlo import SamplesView
from webapp.learn.markup import figure_value
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import START_AGAIN, Button, Widget, held_number
from webapp.questions.learning import curve_question
from webapp.questions.models import Question

PAY = {"w": 3, "d": 1, "l": -1}  # beads after a win, a draw, a loss, as MENACE is paid by default
RESULTS = {"w": "It won", "d": "A draw", "l": "It lost"}
AGES = (1, 10, 100, 1000, 20000)
MAX_GAMES = 40  # by hand
MAX_GENERATIONS = 12
GAME = re.compile(r"([0-9])([wdl])")
BOX = re.compile(r"n(\d{1,3})\.")  # which one, as every box draws its own beads
# Label and tone of each metric of a curve.
CURVES_BY_METRIC = {
    "wins": ("games won", "win"),
    "draws": ("games drawn", "draw"),
    "losses": ("games lost", "loss"),
    "right": ("moves its fitness calls right", "first"),
}
DRAW_LABEL = "Draw the curve"
DRAWN_STATE = "1"


class BoxByHand(Widget):
    """A new box after games made up by the reader: a bead drawn at random, then a result.

    The state is the number of the box and its games: `n2.` `0w` `1l`, and a colour while it is out.
    """

    template = "learn/widgets/beads.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        full = figure_value(self.needs(about)[0])
        box = BOX.match(held)
        games = GAME.findall(held)[:MAX_GAMES]
        counts = [count for _, count in full]
        for colour, result in games:
            at = min(int(colour), len(counts) - 1)
            counts[at] = max(0, counts[at] + PAY[result])
            if not any(counts):
                counts = [count for _, count in full]
        so_far = (box[0] if box else "") + "".join(colour + result for colour, result in games)
        drawn = held.removeprefix(so_far)
        is_drawn = len(drawn) == 1 and drawn.isdecimal() and int(drawn) < len(counts)
        is_drawn = is_drawn and counts[int(drawn)] > 0
        if is_drawn:
            counts[int(drawn)] -= 1  # it lies beside the box
        self.exhibit = _box(self.position, [moves for moves, _ in full], counts, len(games))
        letters = [colour.letter for colour in self.exhibit.colours]
        self.status = f"{sum(counts)} beads after {counted(len(games), 'game', 'games')}."
        self.told = _last_game_text(games, letters)
        self.drawn = self.exhibit.colours[int(drawn)] if is_drawn else None
        if self.drawn is not None:
            self.told = f"It drew {self.drawn.letter} and plays it. How did the game end?"
        (bead,) = Random(f"{about} {so_far}").choices(range(len(counts)), counts)
        self.draws = () if is_drawn else (Button(f"{so_far}{bead}", "Draw a bead", look="primary"),)
        self.results = tuple(  # of the game after a bead is drawn
            Button(f"{so_far}{drawn}{letter}", f"{words}: {_fate(letter)}")
            for letter, words in RESULTS.items()
            if is_drawn
        )
        another = f"n{int(box[1]) + 1 if box else 1}."
        self.presses = (Button(another, "A new box"),) if held else ()

    @staticmethod
    def needs(about: str) -> tuple[str]:
        """The box before any game."""
        return (f"new-box {about}",)


class AgedBox(Widget):
    """The box after so many games of training."""

    template = "learn/widgets/beads.html"
    sheets = ("exhibits/exhibits",)
    told, results, drawn = "", (), None

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        age = int(held) if held in map(str, AGES) else AGES[0]
        found = figure_value(self.needs(about)[AGES.index(age)])
        counts = [count for _, count in found]
        self.exhibit = _box(self.position, [moves for moves, _ in found], counts, age)
        games = counted(age, "game", "games")
        self.status = f"After {games} the box holds {sum(counts):,} beads."
        self.draws = tuple(
            Button(str(number), counted(number, "game", "games"), current=number == age)
            for number in AGES
        )

    @staticmethod
    def needs(about: str) -> tuple[str, ...]:
        """The box at each age."""
        return tuple(f"matchbox {age} {about}" for age in AGES)


def _box(position: Position, moves: list[list[str]], counts: list[int], games: int) -> Any:
    """The exhibit of a box; colours keep their order, so that letters do not change."""
    held = max(1, sum(counts))
    beads = tuple(
        Bead(tuple(move), count, count / held) for move, count in zip(moves, counts, strict=True)
    )
    box = Matchbox(
        state=str(position.state),
        beads=beads,
        met=1,
        pay=(PAY["w"], PAY["d"], -PAY["l"]),
        games=games,
        opponent="perfect",
        shelf="",
        counted="",
        ages=(),
        course=None,
    )
    return MatchboxView(box, fixed_context(position.game, position.state))


def _last_game_text(games: list[tuple[str, str]], letters: list[str]) -> str:
    if not games:
        return "Shake it and draw a bead: its colour is the move."
    colour, result = games[-1]
    letter = letters[min(int(colour), len(letters) - 1)]
    return f"Colour {letter}. {RESULTS[result]}: {_change(result)}."


def _fate(result: str) -> str:
    """What becomes of the bead that was drawn."""
    return "it stays out" if PAY[result] < 0 else f"back in, with {PAY[result]} more"


def _change(result: str) -> str:
    """`3 beads in`, `1 bead out`."""
    where = "in" if PAY[result] > 0 else "out"
    return f"{counted(abs(PAY[result]), 'bead', 'beads')} {where}"


class Curves(Widget):
    """A curve, hidden at first so that it can be predicted."""

    template = "learn/widgets/curves.html"
    sheets = ("charts/chart",)

    def __init__(self, about: str, held: str) -> None:
        is_drawn = held == DRAWN_STATE
        draw = Button(DRAWN_STATE, DRAW_LABEL, look="primary")
        self.chart = _chart(about) if is_drawn else None
        self.presses = (Button("", "Hide it again", look="quiet") if is_drawn else draw,)

    @staticmethod
    def needs(about: str) -> tuple[str]:
        """Every point of the curve."""
        return (f"points {about}",)

    @staticmethod
    def asks(about: str, held: str) -> Question | None:
        """How the learner learned."""
        agent, spec, *_ = about.split()
        return curve_question(spec, agent)


def _chart(about: str) -> Chart:
    agent, spec, *names = about.split()
    points = figure_value(Curves.needs(about)[0])
    lines = [
        Curve(*CURVES_BY_METRIC[name], tuple((step, found[name]) for step, found in points))
        for name in names
    ]
    unit = "games" if points[-1][0] > 1000 else "generations"
    title = f"{find_agent(agent).title} on {load_game(spec).title}, by {unit}"
    return chart(title, lines, x_name=unit, log=unit == "games")


@dataclass(frozen=True, slots=True)
class BredRow:
    """One individual."""

    place: str
    genes: tuple[str, str, str]
    wins: str
    width: float
    origin: str  # lived on, child of 1 and 3, drawn at random
    doomed: bool  # in the worse half, which is replaced


class Breeding(Widget):
    """The generation in the state."""

    template = "learn/widgets/breeding.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        self.rule = self.position.rule
        number = held_number(held, MAX_GENERATIONS)
        living = generation(self.position.game.spec, number)
        self.rows = tuple(_row(at, one) for at, one in enumerate(living))
        mean = sum(one.wins for one in living) / len(living)
        self.status = (
            f"Generation {number}: the best wins {portion(living[0].wins)}, the mean is "
            f"{portion(mean)}."
        )
        presses = []
        if number < MAX_GENERATIONS:
            presses.append(Button(str(number + 1), "Breed one generation", look="primary"))
            presses.append(Button(str(min(number + 5, MAX_GENERATIONS)), "Five more"))
        if number:
            presses.append(START_AGAIN)
        self.presses = tuple(presses)


def _row(at: int, one: Individual) -> BredRow:
    genes = one.genome
    origin = "drawn at random"
    if len(one.parents) == 1:
        origin = "lived on"
    elif one.parents:
        origin = " and ".join(str(parent + 1) for parent in sorted(one.parents))
        origin = f"child of {origin}"
    return BredRow(
        place=str(at + 1),
        genes=(f"{genes.odd:.0%}", f"{genes.first:.0%}", f"{genes.all:.0%}"),
        wins=portion(one.wins),
        width=round(one.wins, 4),
        origin=origin,
        doomed=at >= POPULATION // 2,
    )


class Playouts(Widget):
    """The stage of the playouts in the state, else the first, and buttons for the others."""

    template = "learn/widgets/playouts.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        found = figure_value(self.needs(about)[0])
        stages = tuple((games, tuple(Sample(*row) for row in rows)) for games, rows in found)
        numbers = [games for games, _ in stages]
        step = int(held) if held in map(str, numbers) else numbers[0]
        self.exhibit = SamplesView(
            Samples(stages, ()), fixed_context(self.position.game, self.position.state, step)
        )
        self.steps = tuple(
            Button(str(games), f"{games:,}", current=games == step) for games in numbers
        )

    @staticmethod
    def needs(about: str) -> tuple[str]:
        """The moves tried at each stage."""
        return (f"samples {about}",)


WIDGETS = {
    "aged-box": AgedBox,
    "box": BoxByHand,
    "curve": Curves,
    "breeding": Breeding,
    "playouts": Playouts,
}
