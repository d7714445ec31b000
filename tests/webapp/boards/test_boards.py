"""Boards as data: labels, actions and marks of each cell."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from engine import Match, load_game
from engine.catalog import catalog
from webapp.boards import board_for, preview_for, refusal_for
from webapp.boards.grid import Board


def board(spec: str, moves: str, *, may_move: bool = True, **wishes: Any) -> Any:
    """The board after these moves, for the player to move."""
    match = replay(spec, moves)
    last = match.moves[-1] if match.moves else None
    return board_for(
        match,
        ply=match.ply,
        may_move=may_move and match.outcome() is None,
        last_move=last,
        outcome=match.outcome(),
        **wishes,
    )


def replay(spec: str, moves: str) -> Match[Any, Any]:
    game = load_game(spec)
    return Match.replay(game, [game.parse_move(text) for text in moves.split()])


def drawn(board: Any) -> str:
    """The marks, top row first."""
    return "\n".join("".join(cell.mark or "." for cell in row.cells) for row in board.rows)


def cells(board: Any) -> dict[str, Any]:
    return {cell.name: cell for row in board.rows for cell in row.cells}


def sticks(board: Any, heap: str) -> list[Any]:
    return next(list(row.sticks) for row in board.heaps if row.name == heap)


def test_the_form_of_nim_holds_what_was_picked_or_else_the_hint() -> None:
    def filled_in(**wishes: Any) -> tuple[list[str], int]:
        shown = board("nim:heaps=3-4-5", "", **wishes)
        return [row.name for row in shown.takeable if row.chosen], shown.count

    assert filled_in() == ([], 1)
    assert filled_in(hint="b2") == (["b"], 2)
    assert filled_in(hint="b2", pick="c4") == (["c"], 4)


def test_rows_are_drawn_from_the_top_and_a_cell_says_where_it_is_and_what_it_shows() -> None:
    shown = board("tictactoe", "a3 c3 b2 c1")
    assert drawn(shown) == "x.o\n.x.\n..o"
    assert [row.name for row in shown.rows] == ["3", "2", "1"]
    assert shown.columns == ("a", "b", "c")
    labels = {name: cell.label for name, cell in cells(shown).items()}
    assert labels["a3"] == "a3, x"
    assert labels["c1"] == "c1, o, last move"
    assert labels["b1"] == "b1, empty"


def test_only_free_cells_are_pressed_and_only_by_whoever_may_move() -> None:
    mine, others = board("tictactoe", "b2"), board("tictactoe", "b2", may_move=False)
    assert [name for name, cell in cells(mine).items() if cell.action == "ask"] == ["b2"]
    assert {cell.action for cell in cells(others).values()} == {"none"}


def test_a_win_is_drawn_as_a_line_and_the_rest_is_dimmed() -> None:
    shown = board("tictactoe", "a1 c3 a2 b2 a3")
    assert shown.why == "three in column a"
    assert [(stroke.x1, stroke.x2, stroke.mark) for stroke in shown.strokes] == [(50, 50, "x")]
    second = board("tictactoe", "a1 c3 a2 b3 b1 a3")
    assert [stroke.mark for stroke in second.strokes] == ["o"]
    assert cells(shown)["a2"].classes == "won"
    assert cells(shown)["c3"].classes == "dim"


def test_a_picked_cube_offers_its_ends() -> None:
    shown = board("quixo", "a1-a5 e3-a3", pick="d5")
    assert shown.prompt == "Push d5 back in at an arrow: d1, a5 or e5"
    ends = {name: cell.value for name, cell in cells(shown).items() if cell.action == "move"}
    assert ends == {"a5": "d5-a5", "e5": "d5-e5", "d1": "d5-d1"}
    assert cells(shown)["d5"].action == "unpick"
    assert cells(shown)["d1"].label == "d1, blank, push d5 in here"
    sides = {name: cell.classes.split()[-1] for name, cell in cells(shown).items() if name in ends}
    assert sides == {"a5": "from-left", "e5": "from-right", "d1": "from-bottom"}
    assert not shown.arrows  # the last move's would look like an end


def test_on_a_first_move_of_quixo_the_cubes_that_can_be_taken_are_marked_and_said() -> None:
    def marked(moves: str, **wishes: Any) -> set[str]:
        every = cells(board("quixo", moves, **wishes)).items()
        return {name for name, cell in every if "takeable" in cell.classes.split()}

    rim = {name for name in cells(board("quixo", "")) if set(name) & set("ae15")}
    assert marked("") == rim
    assert marked("a1-a5") == rim - {"a5"}
    assert board("quixo", "a1-a5").opening == "take a blank cube from the rim"
    assert not marked("a1-a5 e3-a3")
    assert not marked("", pick="d5")
    assert not marked("", may_move=False)
    assert board("quixo", "", may_move=False).opening == ""


def test_a_ghost_shows_the_line_as_the_push_would_leave_it() -> None:
    shown = board("quixo:size=3", "a1-a3 c1-c3", pick="b3")
    ghost = next(ghost for ghost in shown.ghosts if len(ghost.cubes) == 2)
    assert [(cube.mark, cube.entering) for cube in ghost.cubes] == [("x", True), ("x", False)]


@pytest.mark.parametrize("pick", ["a3", "c3", "z9", "c3-c5", "🙂", ""])
def test_a_pick_that_makes_no_sense_picks_nothing(pick: str) -> None:
    shown = board("quixo", "a1-a5 e3-a3", pick=pick)
    assert shown.picked is None
    assert shown.prompt is None


def test_cubes_of_the_other_player_and_inside_the_rim_are_not_taken() -> None:
    shown = cells(board("quixo", "a1-a5"))
    assert shown["a5"].action == "ask"
    assert shown["b2"].action == "ask"
    assert shown["e5"].label == "e5, blank, take"


def test_making_the_opponents_line_is_told_as_what_it_is() -> None:
    shown = board("quixo:size=3", "a1-c1 a1-c1 a1-c1 b1-a1 a2-a3 b3-b1")
    assert drawn(shown) == "x..\n.x.\noox"
    assert shown.why == "o pushed x to three on the falling diagonal"
    shown = board("quixo:size=3", "a1-c1 a3-c3 a1-c1 a3-c3 a1-c1")
    assert shown.why == "three in row 1"


def test_the_last_push_is_shown_by_an_arrow_at_the_end_it_came_in() -> None:
    (arrow,) = board("quixo", "b1-b5").arrows
    assert (arrow.kind, arrow.transform) == ("last", "translate(150 -5.5) rotate(90)")


def test_a_match_takes_itself_and_those_to_its_right_and_the_nim_sum_is_in_binary() -> None:
    shown = board("nim", "d1")
    assert [stick.value for stick in sticks(shown, "b")] == ["b3", "b2", "b1"]
    assert sticks(shown, "b")[0].label == "take 3 from row b"
    assert [heap.bits for heap in shown.heaps] == ["0001", "0011", "0101", "0110", "1001"]
    assert shown.nim_sum == "1000"


def wins(heaps: tuple[int, ...], last_loses: bool) -> bool:
    """Whether the side to move wins, by trying every move."""
    if not any(heaps):
        return last_loses
    return any(
        not wins((*heaps[:at], left, *heaps[at + 1 :]), last_loses)
        for at, heap in enumerate(heaps)
        for left in range(heap)
    )


def left_as_told(heaps: tuple[int, ...], goal: str) -> bool:
    """Whether these rows are what the goal says to leave."""
    if "unless only rows of 1 would be left: then leave an odd number" in goal and max(heaps) <= 1:
        return sum(heaps) % 2 == 1
    assert "leave 0" in goal
    return heaps[0] ^ heaps[1] ^ heaps[2] == 0


@pytest.mark.parametrize("last", ["wins", "loses"])
def test_beside_the_nim_sum_stands_what_to_leave_in_this_game_and_it_wins(last: str) -> None:
    goal = board(f"nim:heaps=1-3-4,last={last}", "", aid=True).goal
    assert goal.startswith(f"The last match {last} here: ")
    for heaps in product(range(2), range(4), range(5)):
        assert left_as_told(heaps, goal) == (not wins(heaps, last == "loses"))


def test_picked_matches_are_lifted_and_asked_about() -> None:
    shown = board("nim", "", pick="b2")
    assert [stick.classes for stick in sticks(shown, "b")] == ["", "picked", "picked"]
    assert [stick.action for stick in sticks(shown, "b")] == ["pick", "move", "pick"]
    assert (shown.prompt, shown.confirm) == ("Take 2 from b?", "Take 2 from b")


def test_no_more_than_the_rules_allow_can_be_picked() -> None:
    shown = board("nim:heaps=5,max_take=2", "")
    assert [stick.action for stick in sticks(shown, "a")] == ["ask"] * 3 + ["pick"] * 2
    assert shown.most == 2


def test_where_matches_were_taken_last_their_places_show_it() -> None:
    shown = board("nim", "d1 c2")
    assert [heap.gone for heap in shown.heaps if heap.name == "c"] == [("ash", "ash")]
    assert [heap.gone for heap in shown.heaps if heap.name == "d"] == [("",)]
    assert [heap.last for heap in shown.heaps] == [None, None, "−2", None, None]


def test_a_large_heap_is_drawn_in_groups_of_five() -> None:
    shown = board("nim:preset=twenty-one", "a3", pick="a2")
    (heap,) = shown.heaps
    assert [len(bundle.places) for bundle in heap.bundles] == [5, 5, 5, 3, 0]
    assert [look for _, look in heap.bundles[3].places] == ["", "picked", "picked"]
    assert heap.sticks == ()


def test_a_large_heap_keeps_its_width_as_it_shrinks_so_that_nothing_below_it_rises() -> None:
    fresh, few = (board("nim:preset=twenty-one", moves) for moves in ("", "a3 a3 a3 a3 a3"))
    widths = [[bundle.width for bundle in shown.heaps[0].bundles] for shown in (fresh, few)]
    assert widths[0] == widths[1] == [76, 76, 76, 76, 20]


@pytest.mark.parametrize("entry", catalog(), ids=lambda entry: entry.key)
def test_every_game_has_a_picture_for_its_card(entry: Any) -> None:
    picture: Board = preview_for(entry)
    assert picture.template.startswith("boards/")
    assert picture.why is None


# --- refused presses: the reason is the engine's own in every game


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
