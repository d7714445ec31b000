"""Positions drawn as text and as SVG, with the coordinates used in moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from string import ascii_lowercase
from zlib import crc32

EMPTY = "."


def grid(rows: Sequence[str], reached: str | None = None) -> str:
    """A board from its rows, top first; the cell named `reached` is put in parentheses."""
    wide = len(rows[0])
    edge = len(str(len(rows)))
    margin = " " * (edge + 3)
    top, middle, bottom = (
        f"{margin}{left}{joint.join(['───'] * wide)}{right}"
        for left, joint, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    lines = []
    for number, row in zip(range(len(rows), 0, -1), rows, strict=True):
        cells = [
            _cell(mark, f"{column}{number}" == reached)
            for column, mark in zip(ascii_lowercase, row, strict=False)
        ]
        lines += [middle, f"  {number:>{edge}} │{'│'.join(cells)}│"]
    columns = "".join(f"  {column} " for column in ascii_lowercase[:wide])
    return "\n".join([top, *lines[1:], bottom, f"{margin}{columns}".rstrip()])


def board(state: object, reached: str | None = None) -> str:
    """A state whose text begins with the rows of its board."""
    return grid(str(state).partition(" ")[0].split("/"), reached)


def heaps(counts: Sequence[int]) -> str:
    """Nim heaps, one line each."""
    widest = max(len(str(count)) for count in counts)
    return "\n".join(
        f"  {name} {count:>{widest}}  {'|' * count}"
        for name, count in zip(ascii_lowercase, counts, strict=False)
    )


def _cell(mark: str, reached: bool) -> str:
    text = " " if mark == EMPTY else mark
    return f"({text})" if reached else f" {text} "


# Colours by day and by lamp, as on the pages (static/css/web/theme.css).
DAY = {
    "first": "#0a5490",
    "second": "#963c00",
    "ink": "#1f1b16",
    "muted": "#5e574d",
    "wood-light": "#e9d3ab",
    "wood-dark": "#d9bb86",
    "wood-edge": "#b9965c",
    "stick": "#d9bb86",
    "stick-edge": "#b9965c",
    "match-head": "#b3254a",
}
LAMP = {
    "first": "#8ccbf7",
    "second": "#ffb27a",
    "ink": "#f3ede3",
    "muted": "#b8ae9f",
    "wood-light": "#5a4630",
    "wood-dark": "#473624",
    "wood-edge": "#2c2118",
    "stick": "#a98a5c",
    "stick-edge": "#6f5836",
    "match-head": "#e2557a",
}


class Theme(StrEnum):
    """The light that an image is drawn for."""

    LIGHT = "light"
    DARK = "dark"


COLOURS = {Theme.LIGHT: DAY, Theme.DARK: LAMP}

UNIT = 100  # width of a cell
STICK_WIDTH, STICK_HEIGHT = 24, 36
MARGIN = 44  # for the names of rows and columns
CELL_PX, STICK_PX, LETTER_PX = 48, 20, 9  # shown widths of a cell, a match and a letter

ROWS = re.compile(r"([xo.]+(?:/[xo.]+)*)(?: ([xo]))?")
HEAPS = re.compile(r"(\d+(?:-\d+)*)(?: ([xo]))?")

Place = tuple[int, int]  # x to the right, y down from the top


class Drawn:
    """A state that shows itself in a notebook as its board."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return svg(self)


def svg(
    state: object,
    last: object = None,
    *,
    start: object = None,
    title: str = "",
    theme: Theme | None = None,
) -> str:
    """A position as an SVG image with the last move marked, in the colours of the reader's system.

    Boards are read off the state's text: rows of x, o and dots, or heaps; of other games the text
    is shown. `start` makes all pictures of a match equally wide.
    """
    text = str(state)
    move = "" if last is None else str(last)
    if rows := ROWS.fullmatch(text):
        picture = _grid_picture(rows[1].split("/"), move.rpartition("-")[2])
    elif heaps := HEAPS.fullmatch(text):
        counts = [int(count) for count in heaps[1].split("-")]
        most = HEAPS.fullmatch(str(start))
        widest = max(map(int, most[1].split("-"))) if most else 0
        picture = _heaps_picture(counts, move, widest)
    else:
        picture = _text_picture(text)
    mark = text[-2:].strip() if text.endswith((" x", " o")) else ""
    name = title or f"{picture.name}{f', {mark} to move' if mark else ''}"
    prefix = f"z{crc32(f'{text} {move} {theme}'.encode()):x}-"  # of ids, unique on a page
    x, y, width, height = picture.box
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' viewBox="{x} {y} {width} {height}"'
        f' width="{width * picture.scale:.0f}" height="{height * picture.scale:.0f}">'
        f"<title>{escape(name)}</title><desc>{escape(picture.description)}</desc>"
        f"<style>{_style(theme, prefix)}</style>{_prefixed(PIECES + picture.shapes, prefix)}</svg>"
    )


# What pictures of positions are made of, on the pages too.
PIECES = (
    '<defs><linearGradient id="wood" x1="0" y1="0" x2="1" y2="1">'
    '<stop class="wood-light" offset="0"/><stop class="wood-dark" offset="1"/></linearGradient>'
    '<g id="stick"><rect class="match-stick" x="10" y="9" width="4" height="24" rx="1"/>'
    '<ellipse class="match-head" cx="12" cy="7" rx="3" ry="4.5"/></g>'
    '<g id="burnt"><rect class="match-gone" x="10" y="9" width="4" height="24" rx="1"/>'
    '<ellipse class="match-gone" cx="12" cy="7" rx="3" ry="4.5"/></g>'
    '<g id="cube"><rect class="cube-edge" x="4" y="8" width="92" height="90" rx="13"/>'
    '<rect x="4" y="3" width="92" height="91" rx="13" fill="url(#wood)"/></g>'
    '<g id="cube-x"><use href="#cube"/><path class="mark x" d="M30 28 70 68M70 28 30 68"/></g>'
    '<g id="cube-o"><use href="#cube"/><circle class="mark o" cx="50" cy="48" r="20"/></g>'
    '<rect id="takeable" class="takeable" x="8" y="8" width="84" height="82" rx="11"/>'
    '<rect id="here" class="here" x="6" y="6" width="88" height="86" rx="12"/></defs>'
)
NAMES = re.compile(r'((?:id="|href="#|url\(#))|class="([^"]+)"')


def _prefixed(shapes: str, prefix: str) -> str:
    """The shapes with ids and classes of their own, so that images on one page stay apart.

    A scoped selector would not do: it does not reach into what `use` places.
    """

    def renamed(found: re.Match[str]) -> str:
        if found[1]:
            return f"{found[1]}{prefix}"
        return f'class="{" ".join(prefix + name for name in found[2].split())}"'

    return NAMES.sub(renamed, shapes)


def stick_places(
    heaps: Sequence[int], taken: tuple[int, int] | None, widest: int
) -> tuple[list[Place], list[Place], int]:
    """(matches that stand, those just taken, width) of heaps as centred rows.

    `taken` is the heap of the last move and how many it took; `widest` the least width in matches.
    """
    heap, count = taken or (0, 0)
    whole = [left + count * (row == heap) for row, left in enumerate(heaps)]
    width = max(widest, *whole) * STICK_WIDTH
    standing: list[Place] = []
    gone: list[Place] = []
    for row, (left, before) in enumerate(zip(heaps, whole, strict=True)):
        edge = (width - before * STICK_WIDTH) // 2
        places = [(edge + at * STICK_WIDTH, row * STICK_HEIGHT) for at in range(before)]
        standing += places[:left]
        gone += places[left:]
    return standing, gone, width


@dataclass(frozen=True, slots=True)
class _Picture:
    name: str  # for screen readers: `3 × 3 board`
    description: str
    shapes: str
    box: tuple[int, int, int, int]
    scale: float  # shown pixels a unit


def _grid_picture(rows: Sequence[str], reached: str) -> _Picture:
    high, wide = len(rows), len(rows[0])
    shapes, here = [], ""
    for at, row in enumerate(rows):
        number = high - at
        shapes.append(_label(-MARGIN // 2, at * UNIT + UNIT // 2, str(number)))
        for column, mark in enumerate(row):
            x, y = column * UNIT, at * UNIT
            kind = "" if mark == EMPTY else f"-{mark}"
            shapes.append(f'<use href="#cube{kind}" x="{x}" y="{y}"/>')
            if f"{ascii_lowercase[column]}{number}" == reached:
                here = f'<use href="#here" x="{x}" y="{y}"/>'
    bottom = high * UNIT + MARGIN // 2
    shapes += [
        _label(column * UNIT + UNIT // 2, bottom, ascii_lowercase[column]) for column in range(wide)
    ]
    told = [
        f"row {high - at}: {', '.join('blank' if mark == EMPTY else mark for mark in row)}"
        for at, row in enumerate(rows)
    ]
    box = (-MARGIN, 0, wide * UNIT + MARGIN, high * UNIT + MARGIN)
    last = f"; last move to {reached}" if here else ""
    name = f"{wide} × {high} board"
    return _Picture(name, "; ".join(told) + last, "".join(shapes) + here, box, CELL_PX / UNIT)


def _heaps_picture(counts: Sequence[int], move: str, widest: int) -> _Picture:
    taken = (ascii_lowercase.index(move[0]), int(move[1:])) if move else None
    standing, gone, width = stick_places(counts, taken, widest)
    shapes = [f'<use href="#stick" x="{x}" y="{y}"/>' for x, y in standing]
    shapes += [f'<use href="#burnt" x="{x}" y="{y}"/>' for x, y in gone]
    names = ascii_lowercase[: len(counts)]
    shapes += [
        _label(-STICK_WIDTH // 2, row * STICK_HEIGHT + STICK_HEIGHT // 2, name, 14)
        for row, name in enumerate(names)
    ]
    told = ", ".join(f"{name} {count}" for name, count in zip(names, counts, strict=True))
    box = (-STICK_WIDTH, 0, width + STICK_WIDTH, len(counts) * STICK_HEIGHT)
    last = f"; {len(gone)} just taken" if gone else ""
    scale = STICK_PX / STICK_WIDTH
    return _Picture("Heaps of matches", f"{told}{last}", "".join(shapes), box, scale)


def _text_picture(text: str) -> _Picture:
    box = (0, 0, LETTER_PX * (len(text) + 2), 3 * LETTER_PX)
    shape = _label(box[2] // 2, box[3] // 2, text, 14)
    return _Picture("Position", text, shape, box, 1)


def _label(x: int, y: int, text: str, size: int = 28) -> str:
    return (
        f'<text class="name" x="{x}" y="{y}" font-size="{size}" dy="0.35em">{escape(text)}</text>'
    )


def _style(theme: Theme | None, prefix: str) -> str:
    """Literal colours, which programs that know no custom properties draw too."""
    if theme is not None:
        return _rules(COLOURS[theme], prefix)
    dark = _rules(LAMP, prefix)
    return f"{_rules(DAY, prefix)}@media (prefers-color-scheme:dark){{{dark}}}"


def _rules(colours: Mapping[str, str], prefix: str) -> str:
    rules = {
        "name": f"fill:{colours['muted']};font-family:system-ui,sans-serif;text-anchor:middle",
        "mark": "fill:none;stroke-width:11;stroke-linecap:round",
        "x": f"stroke:{colours['first']}",
        "o": f"stroke:{colours['second']}",
        "cube-edge": f"fill:{colours['wood-edge']}",
        "wood-light": f"stop-color:{colours['wood-light']}",
        "wood-dark": f"stop-color:{colours['wood-dark']}",
        "here": f"fill:none;stroke:{colours['ink']};stroke-width:7",
        "match-stick": f"fill:{colours['stick']};stroke:{colours['stick-edge']};stroke-width:1",
        "match-head": f"fill:{colours['match-head']}",
        "match-gone": f"fill:none;stroke:{colours['muted']};stroke-dasharray:3 2",
    }
    return "".join(f".{prefix}{name}{{{what}}}" for name, what in rules.items())
