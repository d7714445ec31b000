"""The cup: what students enter becomes an arena of the teacher's, drawn up before it starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.contest.arena import MOST_PLAYERS, Terms
from agents.core import Limit
from agents.roster import read_agent
from engine import Game, load_game
from engine.errors import InvalidSpecError, ZermeloError
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.lab.arena.forms import MOST_GAMES, ready_player, usual_plies

USUAL_GAMES = 4  # of each pair, two in either seat
USUAL_NODES = 500  # positions a move: what every strength was measured with
POSITIONS_A_SECOND = 10_000  # of a search: Monte Carlo at Nim(5), the slowest, makes about 9,000
A_MOVE = 0.002  # seconds, of who only looks something up
SEARCHES = ("depth", "nodes", "simulations", "level")  # options of those who look ahead
TOGETHER = "too many different machines: only the {most} entered most often play"


@dataclass(frozen=True, slots=True)
class CupEntry:
    """What a student entered."""

    student: str
    spec: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """A machine that plays, and all who entered just this one."""

    spec: str  # as it is kept: ready to play at once, a brain by its digest
    students: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry that does not play, and why."""

    student: str
    spec: str
    why: str


@dataclass(frozen=True, slots=True)
class Cup:
    """An arena drawn up, not begun."""

    plan: ArenaPlan
    entrants: tuple[Entrant, ...]
    left_out: tuple[LeftOut, ...]
    seconds: float  # about how long it lasts at most, on so many lanes


def draw_up(
    game: str,
    entries: Sequence[CupEntry],
    *,
    seed: int,
    lanes: int = 1,
    games: int = USUAL_GAMES,
    nodes: int = USUAL_NODES,
) -> Cup:
    """The arena of these entries; raises InvalidSpecError where fewer than two machines play.

    Equal machines are one entrant. Where so many enter that an arena has no room for every game,
    each pair plays fewer.
    """
    rules = load_game(game)
    read, refused = _read(rules, entries)
    entrants, crowded = _merged(read)
    if len(entrants) < 2:
        raise InvalidSpecError(game, f"a cup needs two different machines, not {len(entrants)}")
    players = tuple(entrant.spec for entrant in entrants)
    pairs = len(players) * (len(players) - 1) // 2
    terms = Terms(
        game=rules.spec,
        players=players,
        games=max(1, min(games, MOST_GAMES // pairs)),
        seed=seed,
        limit=Limit(nodes=nodes),
    )
    seconds = expected_seconds(terms, lanes)
    return Cup(ArenaPlan(terms), entrants, (*refused, *crowded), seconds)


def _read(
    rules: Game[Any, Any], entries: Sequence[CupEntry]
) -> tuple[list[CupEntry], list[LeftOut]]:
    """The entries by the specs that play, and those that cannot."""
    read, refused = [], []
    for entry in entries:
        try:
            read.append(CupEntry(entry.student, ready_player(entry.spec, rules)))
        except ZermeloError as error:
            refused.append(LeftOut(entry.student, entry.spec, str(error)))
    return read, refused


def _merged(entries: Sequence[CupEntry]) -> tuple[tuple[Entrant, ...], tuple[LeftOut, ...]]:
    """Equal machines together; of too many those that most students entered, first come first."""
    by_spec: dict[str, list[str]] = {}
    for entry in entries:
        by_spec.setdefault(entry.spec, []).append(entry.student)
    ranked = sorted(by_spec, key=lambda spec: -len(by_spec[spec]))
    playing = set(ranked[:MOST_PLAYERS])
    entrants = tuple(
        Entrant(spec, tuple(students)) for spec, students in by_spec.items() if spec in playing
    )
    why = TOGETHER.format(most=MOST_PLAYERS)
    crowded = tuple(
        LeftOut(entry.student, entry.spec, why) for entry in entries if entry.spec not in playing
    )
    return entrants, crowded


def expected_seconds(terms: Terms, lanes: int) -> float:
    """About how long it lasts at most: every search looks at all the positions that it may."""
    moves = terms.games * usual_plies(terms.game) / 2 * (len(terms.players) - 1)  # of each player
    return sum(moves * pace for pace in _paces(terms)) / max(1, lanes)


def _paces(terms: Terms) -> Iterator[float]:
    """Seconds a move, player by player."""
    rules, nodes = load_game(terms.game), terms.limit.nodes or USUAL_NODES
    for spec in terms.players:
        options = {option.name for option in read_agent(spec, rules)[0].all_options}
        yield nodes / POSITIONS_A_SECOND if options & set(SEARCHES) else A_MOVE
