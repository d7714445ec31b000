"""What only one technique has to show, beside the table of candidates that all of them have.

An exhibit is a frozen value of one of a few kinds. A kind knows no game and no agent: a page
chooses its template by it, as it chooses a board's, and a technique from another package uses
the same kinds. It is made only when asked for, and asking changes neither candidates nor choice.
"""

from __future__ import annotations

from typing import Protocol


class Exhibit(Protocol):
    """One of the kinds."""

    @property
    def kind(self) -> str:
        """The kind's name, which its template has too."""
