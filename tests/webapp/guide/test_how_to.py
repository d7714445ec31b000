"""Rule sheets: every drawn position is reached by legal play and shows what its text says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import Match, load_game
from engine.catalog import all_variants
from engine.core import Ending, Seat
from webapp.guide.how_to import _gift_moves, _row_moves, sheet_for


def played(spec: str, moves: list[str]) -> Match[Any, Any]:
    game = load_game(spec)
    return Match.replay(game, [game.parse_move(text) for text in moves])


@pytest.mark.parametrize("game", all_variants(), ids=lambda game: game.spec)
def test_every_variant_has_a_sheet_with_drawn_steps(game: Any) -> None:
    sheet = sheet_for(game)
    assert len(sheet.steps) == (4 if game.key == "quixo" else 3)
    assert all(step.picture.parts for step in sheet.steps)


@pytest.mark.parametrize(("size", "word"), [(3, "three"), (4, "four"), (5, "five")])
def test_the_third_step_of_quixo_wins_and_the_fourth_loses(size: int, word: str) -> None:
    won, lost = (played(f"quixo:size={size}", moves(size)) for moves in (_row_moves, _gift_moves))
    assert won.outcome() == won.state.outcome()
    assert (won.state.outcome().winner, won.state.outcome().ending) == (Seat.FIRST, Ending.LINE)
    assert lost.state.outcome().ending is Ending.OPPONENT_LINE
    assert lost.state.outcome().winner is Seat.SECOND
    sheet = sheet_for(won.game)
    assert sheet.goal == f"Be the first with {word} of your marks in a line."
    steps = sheet.steps
    assert [stroke.mark for stroke in steps[2].picture.strokes] == ["x"]  # type: ignore[union-attr]
    assert [stroke.mark for stroke in steps[3].picture.strokes] == ["o"]  # type: ignore[union-attr]


def test_the_framed_cubes_of_quixo_are_those_that_may_be_taken() -> None:
    framed = sheet_for(load_game("quixo")).steps[0].picture.framed  # type: ignore[union-attr]
    state = played("quixo", _row_moves(5)[:4]).state
    assert len(framed) == len({push.source for push in state.legal_moves()}) == 14


@pytest.mark.parametrize(
    ("spec", "goal", "limit"),
    [
        ("nim", "Make your opponent take the last match.", "as many as you like"),
        ("nim:heaps=3-4-5,last=wins", "Take the last match.", "as many as you like"),
        (
            "nim:heaps=21,max_take=3",
            "Make your opponent take the last match.",
            "at most 3 at a time",
        ),
    ],
)
def test_nim_says_what_the_last_match_means_and_how_many_may_be_taken(
    spec: str, goal: str, limit: str
) -> None:
    sheet = sheet_for(load_game(spec))
    assert sheet.goal == goal
    assert limit in sheet.steps[0].text
    assert len(sheet.steps[2].picture.sticks) == 1  # type: ignore[union-attr]


def test_heaps_too_large_to_draw_are_drawn_smaller_and_that_is_said() -> None:
    sheet = sheet_for(load_game("nim:heaps=50-50-50,max_take=4"))
    assert sheet.notes == ("Drawn with smaller heaps than yours.",)
    assert "at most 4" in sheet.steps[0].text
    assert len(sheet.steps[0].picture.sticks) == 16  # type: ignore[union-attr]


def test_a_single_match_has_a_sheet_too() -> None:
    assert sheet_for(load_game("nim:heaps=1")).steps


@pytest.mark.parametrize("spec", ["quixo", "quixo:size=3", "nim", "nim:heaps=1"])
def test_a_step_that_names_a_place_shows_it_before_and_after_with_coordinates(spec: str) -> None:
    game = load_game(spec)
    pairs = [step for step in sheet_for(game).steps if step.before]
    assert len(pairs) == (2 if game.key == "quixo" else 1)
    for step in pairs:
        for picture in (step.before, step.picture):
            names = {name for _, _, name in picture.names}  # type: ignore[union-attr]
            if game.key == "nim":
                assert names == set("abcdefgh"[: len(game.start.heaps)])
                continue
            source, target = re.findall(r"takes (\w\d) and pushes it in at (\w\d)", step.text)[0]
            assert {*source, *target} <= names


def test_the_names_at_the_edge_stand_beside_the_cells_they_name() -> None:
    picture: Any = sheet_for(load_game("quixo")).steps[1].picture
    places = {name: (x, y) for x, y, name in picture.names}
    last_x, last_y = picture.last  # the cube that went in at a5, top left
    assert (last_x, last_y) == (0, 0)
    assert places["a"][0] == places["5"][1] == 50
    assert places["e"][0] == places["1"][1] == 450
