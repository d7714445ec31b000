"""The moves of a long match in pages: those about the shown ply, and ways to all the others."""

from __future__ import annotations

from collections.abc import Sequence

from webapp.play.viewing import Viewing
from webapp.play.views import Page

PAGE = 16  # moves, give or take half of it for the last


def moves_about(viewing: Viewing) -> range:
    """The numbers of the moves on the page of the shown one; of the first before it was made."""
    return next(page for page in _pages(viewing.match.ply) if max(1, viewing.ply) in page)


def pages_of(viewing: Viewing) -> tuple[Page, ...]:
    """Every page by its first move; none where all moves fit on one."""
    pages, about = _pages(viewing.match.ply), moves_about(viewing)
    if len(pages) == 1:
        return ()
    return tuple(
        Page(f"{page[0]} to {page[-1]}", viewing.url(page[0]), current=page == about)
        for page in pages
    )


def _pages(moves: int) -> Sequence[range]:
    many = max(1, round(moves / PAGE))
    starts = [1 + PAGE * page for page in range(many)]
    ends = [*starts[1:], max(moves, 1) + 1]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]
