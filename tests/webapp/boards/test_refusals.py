"""Refused presses: the reason is the engine's own in every game."""

from __future__ import annotations

import pytest

from tests.webapp.boards.test_boards import board, cells, replay, sticks
from webapp.boards import refusal_for


def why(spec: str, moves: str, pick: str) -> str | None:
    """The refusal of this pick after these moves."""
    return refusal_for(replay(spec, moves), board(spec, moves, pick=pick), pick)


@pytest.mark.parametrize(
    ("spec", "moves", "pick", "said"),
    [
        ("tictactoe", "b2", "b2", "b2 is taken."),
        ("quixo", "", "c3", "c3 is not on the rim: only rim cubes that are blank or yours."),
        ("quixo", "a1-a5", "a5", "a5 shows x: only rim cubes that are blank or yours."),
        ("quixo", "", "d5-c3", "A cube from d5 comes back in at d1, a5 or e5."),
        ("quixo", "", "d5-d5", "A cube from d5 comes back in at d1, a5 or e5."),
        ("nim:heaps=5,max_take=3", "", "a5", "At most 3 a turn, you asked for 5."),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    spec: str, moves: str, pick: str, said: str
) -> None:
    assert why(spec, moves, pick) == said


@pytest.mark.parametrize(
    ("spec", "pick"), [("tictactoe", "b2"), ("quixo", "a1"), ("quixo", "a1-a5"), ("nim", "e9")]
)
def test_what_can_be_played_is_not_refused(spec: str, pick: str) -> None:
    assert why(spec, "", pick) is None


@pytest.mark.parametrize("spec", ["tictactoe", "quixo", "nim"])
@pytest.mark.parametrize("pick", ["z9", "🙂", "-", "a1-", "<b>", "a" * 16])
def test_nonsense_gets_one_clear_sentence(spec: str, pick: str) -> None:
    said = why(spec, "", pick)
    assert said is not None
    assert said.endswith(".")


def test_every_cell_that_is_no_move_can_be_asked_why() -> None:
    asked = cells(board("quixo", "a1-a5", pick="e1")).values()
    sent = {cell.name: cell.value for cell in asked if cell.action == "ask"}
    assert sent["c3"] == "e1-c3"  # the cube stays in the hand
    assert sent["a5"] == "e1-a5"
    assert why("quixo", "a1-a5", sent["c3"]) == "A cube from e1 comes back in at a1 or e5."
    assert board("quixo", "a1-a5", pick=sent["c3"]).picked == "e1"


def test_matches_beyond_the_limit_can_be_asked_about() -> None:
    actions = [stick.action for stick in sticks(board("nim:heaps=5,max_take=3", ""), "a")]
    assert actions == ["ask", "ask", "pick", "pick", "pick"]
