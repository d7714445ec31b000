"""What a board is to a page, whichever game it is of."""

from typing import Protocol


class Board(Protocol):
    """What `webapp.boards.board_for` makes: one frozen dataclass per game."""

    @property
    def template(self) -> str:
        """The template that draws it, such as `boards/_nim.html`."""

    @property
    def prompt(self) -> str | None:
        """What a half-made move wants next (`Push d5 back in: a5, e5 or d1`), else None."""

    @property
    def why(self) -> str | None:
        """How the game ended on the board (`five in row 3`), else None."""
