"""Quixo: take a rim cube that is blank or yours, push it back in, line up n.

The board is two bit masks; the masks and shift of each push are computed once per board size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from engine.core import Ending, Game, Outcome, Seat, Symmetry
from engine.drawing import Drawn, board
from engine.entry import GameEntry, Preset, Preview
from engine.errors import IllegalMoveError, InvalidMoveError, InvalidStateError, quoted
from engine.options import Kind, Option, Values
from engine.square import Square, line_evaluation, square

REPETITION = 3
PLY_LIMIT = 200
TAKEABLE = "only rim cubes that are blank or yours"


@dataclass(frozen=True, slots=True)
class Push:
    """Taking the cube at one cell and pushing it in at another: `b1-b5`."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Slide:
    """A push as bit operations: cells outside `stay` shift by one, then `entry` is set."""

    source: int  # the cube taken, as a mask
    stay: int  # all cells but those from source to target
    sliding: int  # those cells without the source
    up: int  # bits to shift left, or
    down: int  # bits to shift right; one of the two is 0
    entry: int  # the cell where the cube is pushed in, as a mask


@dataclass(frozen=True, slots=True)
class Table:
    """Precomputed moves and lines of a board size, by which alone it is compared."""

    size: int
    square: Square = field(compare=False, repr=False)
    rim: int = field(compare=False, repr=False)
    slides: dict[Push, Slide] = field(compare=False, repr=False)  # in the order of all_moves
    lines: tuple[int, ...] = field(compare=False, repr=False)
    moves_from: dict[int, tuple[Push, ...]] = field(compare=False, repr=False)

    def pushes(self, available: int) -> tuple[Push, ...]:
        """The pushes whose cube is in this mask (cached)."""
        pushes = self.moves_from.get(available)
        if pushes is None:
            pushes = tuple(move for move, slide in self.slides.items() if slide.source & available)
            self.moves_from[available] = pushes
        return pushes


@dataclass(frozen=True, slots=True)
class QuixoState(Drawn):
    """The masks of the cubes that show x and o, the seat to move, and the board's table."""

    x: int
    o: int
    to_move: Seat
    table: Table = field(repr=False)

    def legal_moves(self) -> tuple[Push, ...]:
        if self._lines():
            return ()
        theirs = self.o if self.to_move is Seat.FIRST else self.x
        return self.table.pushes(self.table.rim & ~theirs)

    def play(self, move: Push) -> QuixoState:
        table = self.table
        slide = table.slides.get(move)
        if slide is None:
            raise IllegalMoveError(move, self, f"{move} is no push on this board")
        first = self.to_move is Seat.FIRST
        if slide.source & (self.o if first else self.x):
            why = f"{move.source} shows {self.to_move.other.mark}: {TAKEABLE}"
            raise IllegalMoveError(move, self, why)
        if self._lines():
            raise IllegalMoveError(move, self, "the game is over")
        stay, sliding, up, down = slide.stay, slide.sliding, slide.up, slide.down
        x = self.x & stay | (self.x & sliding) << up >> down
        o = self.o & stay | (self.o & sliding) << up >> down
        if first:
            return QuixoState(x | slide.entry, o, Seat.SECOND, table)
        return QuixoState(x, o | slide.entry, Seat.FIRST, table)

    def outcome(self) -> Outcome | None:
        lines = self._lines()
        if not lines:
            return None
        mover = self.to_move.other
        if lines & (2 if mover is Seat.FIRST else 1):
            return Outcome(self.to_move, Ending.OPPONENT_LINE)
        return Outcome(mover, Ending.LINE)

    def _lines(self) -> int:
        """Bit 0 is set if x has a line, bit 1 if o has."""
        x, taken = self.x, self.x | self.o
        found = 0
        for line in self.table.lines:
            if taken & line == line:
                if x & line == line:
                    found |= 1
                elif not x & line:
                    found |= 2
        return found

    def __str__(self) -> str:
        return self.table.square.write(self.x, self.o, self.to_move)

    __repr__ = __str__


def quixo(spec: str, options: Values) -> Game[QuixoState, Push]:
    """The game on a board of the size in the options."""
    table = table_of(int(options.text("size")))
    return Game(
        key="quixo",
        title="Quixo" if table.size == 5 else f"Quixo {table.size}×{table.size}",
        options=options,
        spec=spec,
        start=QuixoState(0, 0, Seat.FIRST, table),
        all_moves=tuple(table.slides),
        parse_move=lambda text: _parse_move(table, text),
        parse_state=lambda text: _parse_state(table, text),
        symmetries=tuple(_symmetry(table, turn) for turn in table.square.turns),
        ply_limit=PLY_LIMIT,
        repetition=REPETITION,
        states=2 * 3**table.size**2,
    )


@cache
def table_of(size: int) -> Table:
    """The table of a board size, with every push from every rim cell in cell order."""
    board = square(size)
    slides: dict[Push, Slide] = {}
    for bit, name in enumerate(board.cells):
        for end in _ends(size, bit):
            slides[Push(name, board.cells[end])] = _slide(size, bit, end)
    rim = sum({slide.source for slide in slides.values()})
    lines = tuple(line.mask for line in board.lines)
    return Table(size, board, rim, slides, lines, {})


def _ends(size: int, bit: int) -> list[int]:
    """The cells where a cube from this cell may be pushed in: the ends of its row and column."""
    row, column = divmod(bit, size)
    last = size - 1
    if not {row, column} & {0, last}:
        return []
    ends = {row * size, row * size + last, column, last * size + column}
    return sorted(ends - {bit})


def _slide(size: int, source: int, target: int) -> Slide:
    step = size if source % size == target % size else 1
    path = range(min(source, target), max(source, target) + 1, step)
    sliding = sum(1 << bit for bit in path if bit != source)
    stay = (1 << size**2) - 1 ^ sliding ^ 1 << source
    down = step if target > source else 0
    return Slide(1 << source, stay, sliding, step - down, down, 1 << target)


def _symmetry(table: Table, turn: tuple[int, ...]) -> Symmetry[QuixoState, Push]:
    board = table.square
    turned = {name: board.cells[turn[bit]] for bit, name in enumerate(board.cells)}

    def turn_state(state: QuixoState) -> QuixoState:
        x, o = board.turned(state.x, turn), board.turned(state.o, turn)
        return QuixoState(x, o, state.to_move, table)

    right = board.cells[board.size - 1]
    name = f"a1 to {turned['a1']}, {right} to {turned[right]}"
    return Symmetry(name, turn_state, lambda move: Push(turned[move.source], turned[move.target]))


def _parse_move(table: Table, text: str) -> Push:
    source, dash, target = text.partition("-")
    if not dash:
        raise InvalidMoveError(text, f"{quoted(text)} is no push: write it as a1-a{table.size}")
    bit, end = table.square.bit(source), table.square.bit(target)
    ends = [table.square.cells[place] for place in _ends(table.size, bit)]
    if not ends:
        raise InvalidMoveError(text, f"{source} is not on the rim: {TAKEABLE}")
    if table.square.cells[end] not in ends:
        raise InvalidMoveError(text, f"a cube from {source} comes back in at {_either(ends)}")
    return Push(source, target)


def _either(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _parse_state(table: Table, text: str) -> QuixoState:
    x, o, to_move = table.square.read(text)
    if not x | o and to_move is Seat.SECOND:
        raise InvalidStateError(text, "x moves first, so o is never to move on a blank board")
    return QuixoState(x, o, to_move, table)


MAX_POSITIONS: Final = 40  # searched backwards; on 3×3 twenty suffice, and it takes milliseconds


def quixo_unreachable(game: Game[QuixoState, Push], state: QuixoState) -> str | None:
    """Sound: by counting marks, else by a bounded backward search.

    Complete on 3×3; on larger boards None may also mean that nothing was proven.
    """
    return _mark_counts_reason(state) or _no_start_reason(state)


def before(state: QuixoState) -> Iterator[QuixoState]:
    """The unfinished predecessors: the pushed cube was blank or the mover's."""
    mover = state.to_move.other
    first = mover is Seat.FIRST
    own = state.x if first else state.o
    for slide in state.table.slides.values():
        if not own & slide.entry:
            continue
        slid = (slide.source | slide.sliding) & ~slide.entry
        x = state.x & slide.stay | (state.x & slid) >> slide.up << slide.down
        o = state.o & slide.stay | (state.o & slid) >> slide.up << slide.down
        for held in (0, slide.source):
            masks = (x | held, o) if first else (x, o | held)
            past = QuixoState(*masks, mover, state.table)
            if past.outcome() is None:
                yield past


def _mark_counts_reason(state: QuixoState) -> str | None:
    """A seat that has moved has a mark on the board, and marks never disappear."""
    x, o = state.x.bit_count(), state.o.bit_count()
    if o and not x:
        return "x moves first, but there is no x on the board"
    if x and not o and state.to_move is Seat.FIRST:
        return "o has moved, but there is no o on the board"
    if x > 1 and not o:
        return f"before the first o there is one x, not {x}"
    return None


@lru_cache(maxsize=1024)
def _no_start_reason(state: QuixoState) -> str | None:
    """Search all predecessors backwards; a reason if they are exhausted without the start."""
    met, waiting = {state}, [state]
    while waiting:
        if len(met) > MAX_POSITIONS:
            return None
        now = waiting.pop()
        if not now.x | now.o:
            return None
        for past in before(now):
            if past not in met and _mark_counts_reason(past) is None:
                met.add(past)
                waiting.append(past)
    if len(met) == 1:
        return "whatever was pushed last, nothing could have stood before it"
    return "whatever was pushed last, followed back it never comes to the blank board"


QUIXO = GameEntry(
    key="quixo",
    title="Quixo",
    summary="Take a cube from the rim, push it back in, make a full row.",
    options=(Option("size", Kind.CHOICE, "5", "cubes in a row", choices=("3", "4", "5")),),
    presets=(
        Preset("classic", "5 × 5", ()),
        Preset("small", "4 × 4", (("size", "4"),)),
        Preset("tiny", "3 × 3", (("size", "3"),)),
    ),
    make=quixo,
    evaluation=lambda state: line_evaluation(state.table.size)(state),
    drawing=lambda state, last: board(state, None if last is None else last.target),
    preview=Preview("quixo", "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5 e1-a1 e2-a2"),
    unreachable=quixo_unreachable,
)
