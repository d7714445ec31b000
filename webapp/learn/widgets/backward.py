"""A small game worked out backward from its end, a round at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.formats import counted
from engine.catalog import load_game
from webapp.boards import picture_for
from webapp.boards.nim import nim_board
from webapp.boards.scene import Board, Scene
from webapp.learn.positions import Position
from webapp.learn.widgets.widget import Button, Widget

MOST = 80  # positions that are drawn


@dataclass(frozen=True, slots=True)
class KnownPosition:
    """A position whose value has been found."""

    picture: Board
    text: str  # 1-2-3
    url: str
    tone: str  # win or loss
    glyph: str


@dataclass(frozen=True, slots=True)
class BackwardView:
    """The rounds so far, the last one first."""

    rounds: tuple[tuple[str, tuple[KnownPosition, ...]], ...]
    rule: str
    status: str
    presses: tuple[Button, ...]
    position: Position
    template: str = "learn/widgets/backward.html"
    sheets: tuple[str, ...] = ()


@lru_cache(maxsize=8)
def rounds_of(spec: str) -> tuple[tuple[Any, ...], ...]:
    """[round] -> the states that are decided in it, for whoever is to move: heaps alone matter.

    Round 0 are the ends. A state is won once one of its moves leads to a lost one, and lost once
    all of them lead to won ones.
    """
    game = load_game(spec)
    states: dict[tuple[int, ...], Any] = {}
    waiting = [game.start]
    while waiting:
        state = waiting.pop()
        key = tuple(sorted(heap for heap in state.heaps if heap))
        if key not in states:
            states[key] = state
            waiting += [state.play(move) for move in state.legal_moves()]
    after = {
        key: {
            tuple(sorted(heap for heap in state.play(move).heaps if heap))
            for move in state.legal_moves()
        }
        for key, state in states.items()
    }
    worth: dict[tuple[int, ...], int] = {}
    found: list[tuple[Any, ...]] = []
    while len(worth) < len(states):
        new = {}
        for key, state in states.items():
            if key in worth:
                continue
            below = [worth.get(one) for one in after[key]]
            outcome = state.outcome()
            if outcome is not None:
                if not found:
                    new[key] = int(outcome.score(state.to_move))
            elif -1 in below:
                new[key] = 1
            elif None not in below and found:
                new[key] = -1
        worth |= new
        found.append(tuple((states[key], value) for key, value in sorted(new.items())))
    return tuple(found)


def backward_view(about: str, held: str) -> BackwardView:
    """As many rounds as the address says."""
    game = load_game(about)
    rounds = rounds_of(game.spec)
    upto = min(int(held), len(rounds)) if held.isdecimal() and len(held) < 4 else 0
    done = upto == len(rounds)
    presses = []
    if not done:
        label = "Begin with the end" if upto == 0 else "One round further back"
        presses.append(Button(str(upto + 1), label, look="primary"))
        presses.append(Button(str(len(rounds)), "All the way"))
    if upto:
        presses.append(Button("", "Start again"))
    counted_so_far = sum(map(len, rounds[:upto]))
    whole = sum(map(len, rounds))
    return BackwardView(
        rounds=tuple(
            (_title(at, rounds[at]), tuple(_known(game, *one) for one in rounds[at][:MOST]))
            for at in reversed(range(upto))
        ),
        rule=nim_board(Scene(game, game.start)).rule,
        status=f"{counted_so_far} of {whole} positions known",
        presses=tuple(presses),
        position=Position(game, game.start),
    )


def _title(at: int, found: tuple[Any, ...]) -> str:
    if at == 0:
        side = "lost" if found[0][1] < 0 else "won"
        return f"The end: nothing is left, and whoever should move has {side}."
    lost = sum(value < 0 for _, value in found)
    won = len(found) - lost
    parts = []
    if won:
        parts.append(
            f"{counted(won, 'position is', 'positions are')} won: a move leads to a lost one"
        )
    if lost:
        parts.append(f"{counted(lost, 'is', 'are')} lost: every move leads to a won one")
    return f"Round {at}: {'; '.join(parts)}."


def _known(game: Any, state: Any, value: int) -> KnownPosition:
    position = Position(game, state)
    tone, glyph = ("win", "▲") if value > 0 else ("loss", "▼")
    heaps = "-".join(map(str, state.heaps))
    return KnownPosition(picture_for(game, state), heaps, position.url, tone, glyph)


BACKWARD = Widget(backward_view)
