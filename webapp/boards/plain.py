"""The default board: the position as text and a button for each legal move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.catalog import find_entry, load_game
from webapp.boards.grid import Badge, Scene, badges_by_cell, join_label


@dataclass(frozen=True, slots=True)
class PlainMove:
    """The button of a move."""

    id: str  # move-3, by its number in the game
    text: str  # what it shows and sends
    label: str
    classes: str  # hinted
    badge: Badge | None


@dataclass(frozen=True, slots=True)
class PlainBoard:
    """The position as lines of text, and its legal moves."""

    text: str
    state: str
    moves: tuple[PlainMove, ...]  # empty if the visitor may not move
    playable: bool
    moved: str
    prompt: str | None = None
    opening: str = ""
    why: str | None = None
    template: str = "boards/_plain.html"


@dataclass(frozen=True, slots=True)
class PlainPicture:
    """A position as lines of text."""

    text: str
    template: str = "boards/plain_picture.html"
    prompt: str | None = None
    opening: str = ""
    why: str | None = None

    @property
    def parts(self) -> int:
        return len(self.text) // 4


def plain_board(scene: Scene) -> PlainBoard:
    """The default board of any game."""
    legal = scene.state.legal_moves() if scene.may_move else ()
    worths = badges_by_cell(scene)
    return PlainBoard(
        text=find_entry(scene.game.key).drawn(scene.state, scene.last_move),
        state=str(scene.state),
        moves=tuple(_move(scene, str(move), worths.get(str(move))) for move in legal),
        playable=scene.may_move,
        moved=str(scene.last_move or ""),
    )


def _move(scene: Scene, text: str, worth: Badge | None) -> PlainMove:
    hinted = scene.hint == text
    return PlainMove(
        id=f"move-{_move_numbers(scene.game.spec)[text]}",
        text=text,
        label=join_label(text, worth.label if worth else "", "hint" if hinted else ""),
        classes="hinted" if hinted else "",
        badge=worth,
    )


@lru_cache(maxsize=64)
def _move_numbers(spec: str) -> Mapping[str, int]:
    """The number of each move in the game: a stable id, whatever characters its text has."""
    return {str(move): number for number, move in enumerate(load_game(spec).all_moves)}
