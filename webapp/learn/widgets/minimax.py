"""Widgets of backward reasoning: `filling` in a minimax tree, `backward` induction in Nim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.formats import counted
from agents.search.trace import Algorithm
from agents.search.trace_view import Spot
from engine.catalog import load_game
from engine.core import Seat
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.learn.positions import Position
from webapp.learn.widgets.alphabeta import Searched, searched
from webapp.learn.widgets.widget import (
    REVEAL,
    START_AGAIN,
    Button,
    Widget,
    held_number,
    read_answers,
)

# State letter of an answer by the sign of the value, from x's side.
LETTERS = {1: "x", 0: "d", -1: "o"}
WORDS = {1: "x wins", 0: "draw", -1: "o wins"}
TONES = {1: "first", 0: "draw", -1: "second"}
MAX_PICTURES = 80  # positions drawn per round


@dataclass(frozen=True, slots=True)
class FilledNode:
    """One position of the tree, with its children."""

    picture: Board
    move: str
    mover: str  # x chooses: the highest
    value: str  # empty while open
    tone: str
    said: str  # the reader's answer, if wrong
    asked: bool
    below: tuple[FilledNode, ...]


class Filling(Widget):
    """The tree; the reader is asked about one position after the other, from the leaves up."""

    template = "learn/widgets/filling.html"

    def __init__(self, about: str, held: str) -> None:
        found = searched(about, Algorithm.MINIMAX)
        order = [spot for spot in _post_order(found, found.root) if found.tree.tried(spot)]
        given, done = read_answers(held, "".join(LETTERS.values()), len(order))
        answers = {spot.node: letter for spot, letter in zip(order, given, strict=False)}
        asked = order[done] if done < len(order) else None
        right = sum(LETTERS[_sign(found, one)] == answers.get(one.node) for one in order)
        self.position, self.rule = found.position, found.position.rule
        filled = {spot.node for spot in order[:done]}
        self.root = _branch(found, found.root, "", filled, answers, asked)
        self.movers = _movers(self.root)
        self.status = _status(len(given), right, len(order), done)
        self.question = "" if asked is None else _question(asked)
        signs = sorted({_sign(found, spot) for spot in order}, reverse=True)
        self.choices = tuple(
            Button(given + LETTERS[sign], WORDS[sign]) for sign in signs if asked is not None
        )
        rest = () if asked is None else (Button(given + REVEAL, "Fill in the rest"),)
        self.presses = (*rest, START_AGAIN) if held else rest


def _post_order(found: Searched, spot: Spot) -> Iterator[Spot]:
    """Every position after its children."""
    for tried in found.tree.tried(spot):
        if tried.spot is not None:
            yield from _post_order(found, tried.spot)
    yield spot


def _sign(found: Searched, spot: Spot) -> int:
    value = found.tree.recording.value[spot.node]
    return (value > 0) - (value < 0)


def _branch(
    found: Searched,
    spot: Spot,
    move: str,
    filled: set[int],
    answers: dict[int, str],
    asked: Spot | None,
) -> FilledNode:
    tried = found.tree.tried(spot)
    sign = _sign(found, spot)
    is_filled = not tried or spot.node in filled
    letter = answers.get(spot.node, LETTERS[sign])
    answer = next(WORDS[one] for one, text in LETTERS.items() if text == letter)
    return FilledNode(
        picture=picture_for(found.position.game, spot.state),
        move=move,
        mover=f"{spot.state.to_move.mark} to move" if tried else "the end",
        value=WORDS[sign] if is_filled else "",
        tone=TONES[sign] if is_filled else "",
        said="" if letter == LETTERS[sign] else answer,
        asked=asked is not None and asked.node == spot.node,
        below=tuple(
            _branch(found, one.spot, str(one.move), filled, answers, asked)
            for one in tried
            if one.spot is not None
        ),
    )


def _movers(node: FilledNode) -> tuple[str, ...]:
    """Who is to move after no move, after one, and so on."""
    below = max((_movers(one) for one in node.below), key=len, default=())
    return (node.mover, *below)


def _question(spot: Spot) -> str:
    mover: Seat = spot.state.to_move
    return f"{mover.mark} is to move at the framed position. What is it worth?"


def _status(given: int, right: int, whole: int, done: int) -> str:
    if done == whole and not given:
        return f"All {whole} values are filled in."
    if not given:
        return f"{counted(whole, 'value', 'values')} to fill in."
    return f"{right} of {given} right; {whole - done} to go."


@lru_cache(maxsize=8)
def backward_rounds(spec: str) -> tuple[tuple[Any, ...], ...]:
    """[round] -> the (state, value) pairs decided in it, up to the order of heaps.

    Round 0 are the ends. A state is won once a move leads to a lost one, and lost once all moves
    lead to won ones.
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


class Backward(Widget):
    """As many rounds as the state says, the last one first."""

    template = "learn/widgets/backward.html"

    def __init__(self, about: str, held: str) -> None:
        game = load_game(about)
        rounds = backward_rounds(game.spec)
        upto = held_number(held, len(rounds))
        self.position = Position(game, game.start)
        self.rule = self.position.rule
        self.rounds = tuple(  # title, and positions with whether they are won
            (
                _title(at, rounds[at]),
                [(Position(game, one), value > 0) for one, value in rounds[at][:MAX_PICTURES]],
            )
            for at in reversed(range(upto))
        )
        known, whole = sum(map(len, rounds[:upto])), sum(map(len, rounds))
        self.status = f"{known} of {whole} positions known"
        presses = []
        if upto < len(rounds):
            label = "Begin with the end" if upto == 0 else "One round further back"
            presses.append(Button(str(upto + 1), label, look="primary"))
            presses.append(Button(str(len(rounds)), "All the way"))
        if upto:
            presses.append(START_AGAIN)
        self.presses = tuple(presses)


def _title(at: int, found: tuple[Any, ...]) -> str:
    if at == 0:
        side = "lost" if found[0][1] < 0 else "won"
        return f"The end: nothing is left, and the player to move has {side}."
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


WIDGETS = {"backward": Backward, "filling": Filling}
