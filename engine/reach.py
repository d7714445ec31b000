"""Proofs that a position cannot be reached from the start."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.core import Game, Seat
from engine.nim import NimState, Take
from engine.quixo import Push, QuixoState

MAX_POSITIONS: Final = 40  # searched backwards; on 3×3 twenty suffice, and it takes milliseconds


def nim_unreachable(game: Game[NimState, Take], state: NimState) -> str | None:
    """Complete: a heap can take any number of turns from the fewest to one per object, so only
    the parity of the turns can be wrong, and only where their number is determined."""
    gone = [began - left for began, left in zip(game.start.heaps, state.heaps, strict=True)]
    most = sum(gone)
    fewest = sum(-(-count // state.rules.most(count)) for count in gone if count)
    if fewest < most or most % 2 == state.to_move:
        return None
    turns = "no turn was" if not most else "1 turn was" if most == 1 else f"{most} turns were"
    return f"{turns} taken to come here, so {state.to_move.other.mark} would be to move"


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
        return "x moves first, and a mark never goes away: there is no x"
    if x and not o and state.to_move is Seat.FIRST:
        return "o has moved, and a mark never goes away: there is no o"
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
