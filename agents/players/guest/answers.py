"""Players asked again until their answer is a legal move, as the course's games do."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

from .turn import Turn

MAX_TRIES = 1000  # good players need up to 46
MAX_IDENTICAL = 20  # who says the same that often in a row would say it for ever
MAX_SHOWN_CHARS = 80


class IllegalAnswerError(Exception):
    """A player that was asked again and again has named no legal move; the text says why."""

    def __init__(self, why: str, identical: bool = False, move: Optional[str] = None) -> None:
        super().__init__(why)
        self.identical = identical  # whether it insisted on one answer
        self.move = move  # the last answer, if that was a move


class NotAMoveError(Exception):
    """An answer that is no move at all."""


def ask_again(
    turn: Turn,
    answer: Callable[[], Any],
    read: Callable[[Any], str],
    fault: Callable[[str], str],
    max_identical: int = MAX_IDENTICAL,
) -> str:
    """The text of the first legal move among the answers; raises IllegalAnswerError.

    `read` makes a move's text of an answer or raises NotAMoveError; `fault` says what is wrong
    with a move that is not legal.
    """
    last, identical, why = "", 0, ""
    move: Optional[str] = None
    for tries in range(1, MAX_TRIES + 1):
        given = answer()
        try:
            move = read(given)
        except NotAMoveError as error:
            move, why = None, str(error)
        else:
            if move in turn.legal:
                return move
            why = fault(move)
        shown = shortened(given)
        identical = identical + 1 if shown == last else 1
        last = shown
        if identical == max_identical:
            text = "{} times in a row it said {}: {}".format(identical, last, why)
            raise IllegalAnswerError(text, True, move)
        if not turn.seconds_left:
            raise IllegalAnswerError(
                "{} answers in {:g} s and none was legal, the last was {}: {}".format(
                    tries, turn.seconds, last, why
                )
            )
    raise IllegalAnswerError(
        "{} answers and none was legal, the last was {}: {}".format(MAX_TRIES, last, why)
    )


def shortened(value: object) -> str:
    """What a value looks like, in one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= MAX_SHOWN_CHARS else text[: MAX_SHOWN_CHARS - 1] + "…"


def pair_of_integers(value: Any) -> Tuple[int, int]:
    """Two whole numbers of a tuple, list or array; raises NotAMoveError."""
    try:
        first, second = value
        if int(first) == first and int(second) == second:
            return int(first), int(second)
    except (TypeError, ValueError, OverflowError):
        pass
    raise NotAMoveError("{} are not two whole numbers".format(shortened(value)))
