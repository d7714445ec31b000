"""Figures in lessons, each computed from its name.

`nodes minimax nim:heaps=5` is the figure `nodes` with arguments. A position is a game's spec, or a
spec, a board and the player to move. Every truth of `webapp.questions` is a figure too.
`python -m webapp.learn.figures` stores them in `figures.json`, since some take long.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import prod
from pathlib import Path
from random import Random
from string import ascii_uppercase
from typing import Any

from agents.core import Limit
from agents.formats import counted
from agents.perfect.oracles import oracle_for
from agents.training.brains import Point
from engine import Seat, load_game
from engine.catalog import catalog
from engine.nim_theory import nim_sum
from engine.problems.catalog import load_problem
from engine.square import square
from webapp.learn.lesson import lessons
from webapp.learn.markup import FILE, UnknownFigureError, stored
from webapp.learn.positions import Position, read_position
from webapp.questions.facts import About, KnownFact
from webapp.questions.learning import brain_at_hand
from webapp.questions.models import Question
from webapp.questions.parser import parse_choices
from webapp.questions.search import sampled
from webapp.questions.truths import read_truth, subject_of

Words = Sequence[str]
SEED = 1


def compute(spec: str) -> Any:
    """The value of a figure: a text, or data that a widget draws."""
    name, _, rest = spec.partition(" ")
    try:
        if name in SIZES:
            return f"{SIZES[name](load_problem(rest)):,}"
        return FIGURES[name](rest.split()) if name in FIGURES else _truth_figure(spec)
    except (ValueError, IndexError, KeyError) as error:
        raise UnknownFigureError(spec, f"it cannot be read: {error}") from error


def _truth_figure(spec: str) -> str:
    """A truth of `webapp.questions` as a figure: its words, then the position it is about."""
    words = spec.split()
    keys = {entry.key for entry in catalog()}
    at = next((at for at, word in enumerate(words) if word.partition(":")[0] in keys), len(words))
    return _fact(" ".join(words[at:]), " ".join(words[:at])).shown


def _fact(place: str, truth: str, moves: tuple[str, ...] = ()) -> KnownFact:
    """The fact behind a truth, at a position or about no game."""
    kind, arguments = read_truth(truth)
    if not place and subject_of(truth) is About.NO_GAME:
        return kind.find(Question("", "", truth), arguments)
    position = read_position(place)
    start = str(position.state)
    return kind.find(Question(position.game.spec, "", truth, start, moves), arguments)


def _position(words: Words) -> Position:
    return read_position(" ".join(words))


def right(words: Words) -> int:
    """Index of the right answer: `POSITION; MOVES; TRUTH; CLAIM | CLAIM …`."""
    place, moves, truth, claims = (part.strip() for part in " ".join(words).split(";"))
    fact = _fact(place, truth, tuple(moves.split()))
    agreed = [one.right for one in fact.judge(parse_choices(claims))]
    if agreed.count(True) != 1:
        raise ValueError(f"{agreed.count(True)} of the choices are right: it is {fact.shown}")
    return agreed.index(True)


def plies(words: Words) -> str:
    """Length of the game with best play."""
    position = _position(words)
    return str(oracle_for(position.game).probe(position.state).plies)


def winning(words: Words) -> str:
    """Number of winning moves."""
    position = _position(words)
    verdicts = oracle_for(position.game).verdicts(position.state)
    return str(sum(verdict.value > 0 for verdict in verdicts.values()))


def binary_sum(words: Words) -> str:
    """The nim-sum, in binary."""
    return f"{nim_sum(_position(words).state):b}"


def solved(words: Words) -> str:
    """Number of reachable positions: `states`, `won`, `drawn` or `lost`."""
    from agents.perfect.summary import solve

    found = solve(load_game(words[1]))
    counts = {"states": found.states, "won": found.wins, "drawn": found.draws, "lost": found.losses}
    return f"{counts[words[0]]:,}"


def games(words: Words) -> str:
    """Number of different games."""

    @cache
    def below(state: Any) -> int:
        return sum(below(state.play(move)) for move in state.legal_moves()) or 1

    return f"{below(_position(words).state):,}"


def beaten(words: Words) -> str:
    """Games that one machine wins against another, seats alternating."""
    from agents.contest.series import play_match

    one, other, spec, number = words
    played = play_match(load_game(spec), one, other, games=int(number), seed=SEED)
    return str(played.score.wins)


def _curve(agent: str, game: str) -> tuple[Point, ...]:
    """The curve of a machine's shipped brain."""
    brain = brain_at_hand(game, agent)
    if brain is None:
        raise KeyError(f"no brain of {agent} ships for {game}")
    return brain.curve


def lowest(words: Words) -> str:
    """The step of its curve at which a metric is lowest: `draws menace tictactoe`."""
    what, agent, game = words
    return str(min(_curve(agent, game), key=lambda point: point.metrics[what]).step)


def boxes(words: Words) -> str:
    """Number of matchboxes: `all`, or `first` for those in which the first player has a choice."""
    game = load_game("tictactoe")
    states, waiting = set(), [game.canonical(game.start)]
    while waiting:
        state = waiting.pop()
        if state in states or state.outcome() is not None:
            continue
        states.add(state)
        waiting += [game.canonical(state.play(move)) for move in state.legal_moves()]
    chosen = [
        state for state in states if state.to_move is Seat.FIRST and len(state.legal_moves()) > 1
    ]
    return str(len(chosen if words[0] == "first" else states))


def boards(words: Words) -> str:
    """Number of fillings of so many cells with three marks."""
    return f"{3 ** int(words[0]):,}"


def classes(words: Words) -> str:
    """Number of boards of a size that differ by more than turning: `5`, or `5 colours` by more than
    exchanging the colours too (Burnside's lemma: the mean number of boards that each leaves be)."""
    left_be = []
    for turn in square(int(words[0])).turns:
        lengths = _cycle_lengths(turn)
        left_be.append(3 ** len(lengths))
        if "colours" in words:  # along a cycle x and o alternate, or it is blank
            left_be.append(prod(1 if length % 2 else 3 for length in lengths))
    return f"{sum(left_be) // len(left_be):,}"


def _cycle_lengths(turn: Sequence[int]) -> list[int]:
    lengths: list[int] = []
    seen: set[int] = set()
    for start in range(len(turn)):
        cycle, cell = [], start
        while cell not in seen:
            seen.add(cell)
            cycle.append(cell)
            cell = turn[cell]
        if cycle:
            lengths.append(len(cycle))
    return lengths


def gigabytes(words: Words) -> str:
    """Size of these boards at so many bits each."""
    return f"{3 ** int(words[0]) * int(words[1]) / 8 / 1e9:,.0f}"


def cover(words: Words) -> str:
    """The cover that a search found, in a sentence: `astar set-cover:…`."""
    from agents.optimisers.runs import solved as run_of

    search, problem = words
    run: Any = run_of(problem, search, 0, None).run
    letters = ", ".join(ascii_uppercase[at] for at in sorted(run.sets))
    sets = counted(len(run.sets), "set", "sets")
    return (
        f"A* took {sets}, {letters}, after looking at {counted(run.expanded, 'choice', 'choices')}."
    )


# Sizes of a set cover or a black box.
SIZES: Mapping[str, Callable[[Any], int]] = {
    "things": lambda cover: cover.things,
    "set-count": lambda cover: len(cover.masks),
    "largest-set": lambda cover: max(mask.bit_count() for mask in cover.masks),
    "bits": lambda box: box.bits,
}


def samples(words: Words) -> list[Any]:
    """[[games, [[moves, visits, mean, proven], …]], …] during a Monte Carlo search."""
    position = _position(words)
    stages = sampled(position.game.spec, str(position.state))
    return [[games, [list(one) for one in stage]] for games, stage in stages]


def matchbox(words: Words) -> list[Any]:
    """[[moves, beads], …] of MENACE's box for a position after so many games."""
    from agents.roster import load_agent

    games, *rest = words
    position = _position(rest)
    agent: Any = load_agent(f"menace:games={games}", position.game)
    analysis = agent.analyse(position.state, limit=Limit(), rng=Random(SEED), show=True)
    order = [str(move) for move in position.state.legal_moves()]
    beads = sorted(analysis.exhibit.beads, key=lambda bead: order.index(bead.moves[0]))
    return [[list(bead.moves), bead.count] for bead in beads]


def new_box(words: Words) -> list[Any]:
    """[[moves, beads], …] of the same box before any training."""
    from agents.learning.menace_kernel import boxes_of

    position = _position(words)
    boxes = boxes_of(position.game)
    edges = boxes.graph.edges(boxes.graph.tables.number[position.state])
    by_colour: dict[int, list[str]] = {}
    colours = boxes.folding.colour[edges].tolist()
    for move, colour in zip(position.state.legal_moves(), colours, strict=True):
        by_colour.setdefault(colour, []).append(str(move))
    return [[moves, int(boxes.folding.full[colour])] for colour, moves in by_colour.items()]


def points(words: Words) -> list[Any]:
    """[[step, {metric: share}], …]: a machine's whole curve."""
    agent, game, *names = words
    return [
        [point.step, {name: round(point.metrics[name], 4) for name in names}]
        for point in _curve(agent, game)
    ]


def policy(words: Words) -> dict[str, Any]:
    """What a network and its search make of a position: `network nim 1-0-0-1-8 x`."""
    from agents.roster import load_agent

    agent, *rest = words
    position = _position(rest)
    player: Any = load_agent(agent, position.game)
    exhibit = player.analyse(position.state, limit=Limit(), rng=Random(SEED), show=True).exhibit
    return {
        "value": round(exhibit.value, 4),
        "exact": exhibit.exact,
        "stages": [
            [count, [[one.move, round(one.share, 4), one.value, one.proven] for one in moves]]
            for count, moves in exhibit.stages
        ],
    }


# By the names that texts use: those of the functions, with dashes.
def landscape(words: Words) -> list[list[list[float]]]:
    """Wins of three genes against a random player: [class of odd][all][first]."""
    from agents.evolution import rules_exhibit

    found = rules_exhibit.landscape(load_game(words[0]).spec)
    return [[[round(share, 4) for share in row] for row in level] for level in found]


FIGURES: Mapping[str, Callable[[Words], Any]] = {
    figure.__name__.replace("_", "-"): figure
    for figure in (
        *(right, plies, winning, binary_sum, solved, games, beaten, lowest, boxes, boards, classes),
        *(gigabytes, cover, samples, matchbox, new_box, points, policy, landscape),
    )
}


def main() -> None:
    """Compute the figures of all lessons; with `--missing` only those not stored yet."""
    names = sorted({name for lesson in lessons() for name in lesson.figures})
    known = stored() if "--missing" in sys.argv else {}
    found = {name: known[name] if name in known else compute(name) for name in names}
    lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in names]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    Path(str(files("webapp.learn") / FILE)).write_text(text, encoding="utf-8")
    print(f"{len(names)} figures")  # noqa: T201 - a command


if __name__ == "__main__":
    main()
