"""What no play leads to: why a position cannot come about, where that can be proven."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.core import Game, Seat
from engine.nim import NimState, Take
from engine.quixo import Push, QuixoState

MOST_LOOKED_BACK: Final = 40  # positions: on 3×3 twenty would do, and it takes milliseconds


def nim_unreachable(game: Game[NimState, Take], state: NimState) -> str | None:
    """Exact: a heap takes any number of turns from the fewest to one for each object, so that only
    the number of turns can be wrong, and only where it is settled."""
    gone = [began - left for began, left in zip(game.start.heaps, state.heaps, strict=True)]
    most = sum(gone)
    fewest = sum(-(-count // state.rules.most(count)) for count in gone if count)
    if fewest < most or most % 2 == state.to_move:
        return None
    turns = "no turn was" if not most else "1 turn was" if most == 1 else f"{most} turns were"
    return f"{turns} taken to come here, so {state.to_move.other.mark} would be to move"


def quixo_unreachable(game: Game[QuixoState, Push], state: QuixoState) -> str | None:
    """Sound: by what is counted, else by looking back as far as a bound allows.

    On 3×3 that settles every position; on larger boards what is not proven is not claimed.
    """
    return _counted(state) or _without_a_past(state)


def before(state: QuixoState) -> Iterator[QuixoState]:
    """Every open position from which one push leads here: the cube was blank, or the mover's."""
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


def _counted(state: QuixoState) -> str | None:
    """Whoever has moved shows a cube, and marks never go away."""
    x, o = state.x.bit_count(), state.o.bit_count()
    if o and not x:
        return "x moves first, and a mark never goes away: there is no x"
    if x and not o and state.to_move is Seat.FIRST:
        return "o has moved, and a mark never goes away: there is no o"
    if x > 1 and not o:
        return f"before the first o there is one x, not {x}"
    return None


@lru_cache(maxsize=1024)
def _without_a_past(state: QuixoState) -> str | None:
    """Where all that could have stood before, and before that, comes to an end without a start."""
    met, ahead = {state}, [state]
    while ahead:
        if len(met) > MOST_LOOKED_BACK:
            return None
        now = ahead.pop()
        if not now.x | now.o:
            return None
        for past in before(now):
            if past not in met and _counted(past) is None:
                met.add(past)
                ahead.append(past)
    if len(met) == 1:
        return "whatever was pushed last, nothing could have stood before it"
    return "whatever was pushed last, followed back it never comes to the blank board"
