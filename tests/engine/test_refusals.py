"""What every game refuses: texts that cannot be read, moves that cannot be played, odd variants."""

from typing import Any

import pytest

from engine import IllegalMoveError, InvalidMoveError, InvalidStateError, load_game
from engine.errors import InvalidSpecError, without_controls
from engine.nim import Take

RIM = "only rim cubes that are"
NO_CELL = "is no cell: they run from a1 to c3"
NO_TAKE = "is no move: a row from a to e and how many"
SHAPE = "does not look like"
BLANK = "...../...../...../...../....."
TWENTY_ONE = "nim:preset=twenty-one"


@pytest.mark.parametrize(
    ("spec", "state", "move", "why"),
    [
        ("tictactoe", ".../.x./... o", "b2", "^b2 is taken$"),
        ("tictactoe", "xxx/oo./... o", "a1", "^the game is over$"),
        ("nim", "1-3-2-7-9 x", Take(2, 3), "^row c holds 2, you asked for 3$"),
        ("nim", "1-3-2-7-9 x", Take(2, 0), "^take at least one$"),
        ("nim", "0-0-0-0-0 x", Take(0, 1), "^the game is over$"),
        ("nim", "1-3-5-7-9 x", Take(7, 1), "there are only 5 rows"),
        (TWENTY_ONE, "21 x", Take(0, 4), "^at most 3 a turn, you asked for 4$"),
        ("quixo", "o..../...../...../...../..... x", "a5-e5", f"a5 shows o: {RIM}"),
        ("quixo", "xxxxx/o..../o..../o..../..... o", "a1-e1", "the game is over"),
        (
            "quixo:size=3",
            ".../.../... x",
            load_game("quixo").parse_move("a1-a5"),
            "a1-a5 is no push on this board",
        ),
    ],
)
def test_a_move_that_cannot_be_played_says_why(spec: str, state: str, move: Any, why: str) -> None:
    game = load_game(spec)
    move = game.parse_move(move) if isinstance(move, str) else move
    with pytest.raises(IllegalMoveError, match=why) as caught:
        game.parse_state(state).play(move)
    assert (caught.value.move, str(caught.value.state)) == (move, state)


@pytest.mark.parametrize(
    ("spec", "text", "why"),
    [
        *(
            ("tictactoe", text, NO_CELL)
            for text in ("z9", "b2 b2", "", "b", "B2", "b2\n", "x" * 10_000, "🙂", "d1")
        ),
        *(
            ("nim", text, NO_TAKE)
            for text in ("", "c", "f1", "c3 ", "3c", "c-1", "c03", "c1000", "c²", "c٣", "🙂")
        ),
        ("nim", "c" * 10_000, NO_TAKE),
        ("quixo", "", "is no push: write it as a1-a5"),
        ("quixo", "b2", "is no push"),
        ("quixo", "d4-d1", "d4 is not on the rim"),
        ("quixo", "a1-b1", "a cube from a1 comes back in at e1 or a5"),
        ("quixo", "c1-c1", "a cube from c1 comes back in at a1, e1 or c5"),
        ("quixo", "f1-f5", "'f1' is no cell"),
        ("quixo", "a1-a9", "'a9' is no cell"),
        *(("quixo", text, "is no cell") for text in ("a1-a5-a1", "🙂-🙂", "a1-" * 5000)),
    ],
)
def test_a_text_that_is_no_move_cannot_be_read(spec: str, text: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=why) as caught:
        load_game(spec).parse_move(text)
    assert caught.value.text == text or spec == "quixo"  # of a push, perhaps one of its cells
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("spec", "text", "why"),
    [
        *(
            ("tictactoe", text, SHAPE)
            for text in ("", "xo./... x", ".../.../... z", ".../.../...", "🙂" * 3000)
        ),
        ("tictactoe", ".../.?./... x", "'\\?' is no mark"),
        ("tictactoe", "xx./.../... o", "2 x and 0 o cannot be with o to move"),
        ("tictactoe", ".../.../... o", "0 x and 0 o cannot be with o to move"),
        ("tictactoe", "xxx/oo./o.. x", "x cannot be to move after making row 3"),
        ("nim", "", "does not look like '1-3-5-7-9 x'"),
        *(
            ("nim", text, SHAPE)
            for text in ("1-3-5-7 x", "1-3-5-7-9", "1-3-5-7-9 z", "1-3-5-7--9 x", "01-3-5-7-9 x")
        ),
        ("nim", "1-3-5-7-10 x", "row e began with 9, it cannot hold 10"),
        ("nim", "-".join("9" * 5000) + " x", SHAPE),
        ("quixo", f"{BLANK} o", "x moves first"),
    ],
)
def test_a_text_that_is_no_state_cannot_be_read(spec: str, text: str, why: str) -> None:
    with pytest.raises(InvalidStateError, match=why):
        load_game(spec).parse_state(text)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("chess", "unknown game 'chess': there is nim, tictactoe, quixo"),
        ("quxo", "unknown game 'quxo': did you mean 'quixo'?"),
        ("", "unknown game ''"),
        ("🙂", "unknown game '🙂'"),
        ("tictactoe:size=4", "unknown option of tictactoe 'size': there is none"),
        ("quixo:size=6", "size must be one of 3, 4, 5, not '6'"),
        ("nim:heaps=0-0", "nim has 1 to 12 heaps, not all empty, not 2 of 0"),
        ("nim:heaps=1-1-1-1-1-1-1-1-1-1-1-1-1", "nim has 1 to 12 heaps"),
        ("nim:heaps=51", "heaps must be whole numbers from 0 to 50 joined by '-', not '51'"),
        ("nim:heaps=a", "heaps must be whole numbers"),
        ("nim:heaps=", "heaps must be whole numbers"),
        ("nim:last=draws", "last must be one of loses, wins, not 'draws'"),
        ("nim:max_take=0", "max_take must be a whole number from 1 to 50, or none, not '0'"),
        ("nim:preset=marienbat", "unknown preset of nim 'marienbat': did you mean 'marienbad'"),
        ("nim:heap=3", "unknown option of nim 'heap': did you mean 'heaps'"),
    ],
)
def test_a_variant_that_makes_no_sense_is_refused_with_what_would_be_right(
    spec: str, why: str
) -> None:
    with pytest.raises(InvalidSpecError) as caught:
        load_game(spec)
    assert str(caught.value).startswith(why)


def test_a_text_without_controls_moves_no_cursor_and_keeps_what_is_asked_for() -> None:
    assert without_controls("red: \x1b[31m\a, half: \ud800") == "red:  [31m , half:  "
    assert without_controls("two\nlines\t\u202e", kept="\n") == "two\nlines  "
    assert without_controls("b2 – größer ▲") == "b2 – größer ▲"
