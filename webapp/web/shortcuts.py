"""Keyboard shortcuts of the match and tree pages, for the list of keys and for the script."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """A key, and the id of the element it presses, where the page has that."""

    name: str  # as the browser calls it: ArrowLeft, h, ?
    shows: str  # ←
    does: str
    presses: str  # previous


# Titles of groups, and their keys.
KEYS = (
    (
        "Through the moves",
        (
            Key("ArrowLeft", "←", "one move back", "previous"),
            Key("ArrowRight", "→", "one move on", "next"),
            Key("Home", "Home", "before the first move", "first"),
            Key("End", "End", "after the last move", "last"),
        ),
    ),
    (
        "At the board",
        (
            Key("h", "H", "a hint", "hint-button"),
            Key("u", "U", "take back", "undo"),
            Key("v", "V", "show or hide what it thinks", "values"),
            Key("t", "T", "the tree of this position, and back", "to-tree"),
            Key("p", "P", "the projector, and back", "projector"),
            Key("?", "?", "this list", "keys"),
        ),
    ),
)
# Keys that the board handles itself.
ON_THE_BOARD = (
    ("← ↑ → ↓", "from cell to cell"),
    ("Home, End", "to the ends of a row"),
    ("Enter", "press what is framed"),
    ("Esc", "let go of what is picked; close what is open"),
)


def bindings() -> str:
    """For the script: `ArrowLeft=previous ArrowRight=next …`."""
    return " ".join(f"{key.name}={key.presses}" for _, keys in KEYS for key in keys)
