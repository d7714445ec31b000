"""What a match adds to its states: history, resignation, transcripts."""

import pytest

from engine import (
    Ending,
    IllegalMoveError,
    InvalidStateError,
    Match,
    Outcome,
    Seat,
    load_game,
    read_transcript,
)
from engine.errors import InvalidSpecError, InvalidTranscriptError
from engine.transcript import STRIDE, replayed

GAME = load_game("tictactoe")


def played(*texts: str) -> "Match[object, object]":
    return Match.replay(GAME, map(GAME.parse_move, texts))


def test_a_match_remembers_every_state() -> None:
    match = played("b2", "a1")
    assert [str(state) for state in match.states] == [
        ".../.../... x",
        ".../.x./... o",
        ".../.x./o.. x",
    ]
    assert match.ply == 2


def test_an_illegal_move_leaves_the_match_as_it_was() -> None:
    match = played("b2")
    with pytest.raises(IllegalMoveError):
        match.play(GAME.parse_move("b2"))
    assert match == played("b2")


def test_a_match_that_is_over_takes_no_move() -> None:
    with pytest.raises(IllegalMoveError, match="the match is over"):
        played("a1", "a2", "b1", "b2", "c1").play(GAME.parse_move("c3"))


def test_resigning_loses() -> None:
    match = played("b2").resign(Seat.FIRST)
    assert match.outcome() == Outcome(Seat.SECOND, Ending.RESIGNATION)
    with pytest.raises(IllegalMoveError, match="the match is over"):
        match.play(GAME.parse_move("a1"))


def test_nobody_resigns_a_match_that_is_over() -> None:
    with pytest.raises(IllegalMoveError, match="the match is over"):
        played("a1", "a2", "b1", "b2", "c1").resign(Seat.SECOND)


def test_taking_back_takes_back_a_resignation_too() -> None:
    assert played("b2", "a1").resign(Seat.FIRST).undo(1) == played("b2")


@pytest.mark.parametrize("plies", [-1, 2])
def test_no_more_is_taken_back_than_was_played(plies: int) -> None:
    with pytest.raises(ValueError, match=f"{plies} plies cannot be taken back, 1 were played"):
        played("b2").undo(plies)


@pytest.mark.parametrize("ply", [-1, 2])
def test_a_ply_that_was_not_played_has_no_position(ply: int) -> None:
    with pytest.raises(ValueError, match=f"there is no ply {ply}"):
        played("b2").at(ply)


def test_a_transcript_numbers_the_turns_and_ends_with_the_result() -> None:
    assert played("a1", "a2", "b1", "b2", "c1").transcript() == (
        "game tictactoe\n1. a1 a2\n2. b1 b2\n3. c1\nfirst wins: line\n"
    )


@pytest.mark.parametrize(
    "match",
    [
        played(),
        played("b2"),
        played("b2", "a1").resign(Seat.SECOND),
        played("a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3", "b1"),
    ],
)
def test_a_transcript_reads_back(match: "Match[object, object]") -> None:
    assert read_transcript(match.transcript()) == match


def test_a_transcript_without_a_result_reads_as_unfinished() -> None:
    assert read_transcript("game tictactoe\n\n1. b2 a1\n") == played("b2", "a1")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "begins with a line 'game'"),
        ("1. b2", "begins with a line 'game'"),
        ("game tictactoe\n1. b2 b2", "ply 2, 'b2': b2 is taken"),
        ("game tictactoe\n1. b2 z9", "ply 2, 'z9': 'z9' is no cell"),
        ("game tictactoe\n1. b2\nfirst wins: line", "by the rules with 'unfinished'"),
        ("game tictactoe\n1. b2\nhello", "it ends with 'hello'"),
        ("game tictactoe\nhello\n1. b2", "'hello' is no turn: write it as 1. and one or two moves"),
        ("game tictactoe\n1. b2 a1 c3", "is no turn"),
        ("x" * 20_001, "longer than 20000 characters"),
    ],
)
def test_a_text_that_is_no_transcript_says_where_it_goes_wrong(text: str, why: str) -> None:
    with pytest.raises(InvalidTranscriptError, match=why):
        read_transcript(text)


def test_a_finished_match_is_not_resigned_by_its_transcript() -> None:
    over = played("a1", "a2", "b1", "b2", "c1").transcript()
    with pytest.raises(InvalidTranscriptError, match="by the rules with 'first wins: line'"):
        read_transcript(over.replace("first wins: line", "second wins: resignation"))


def test_a_transcript_of_an_unknown_game_names_it() -> None:
    with pytest.raises(InvalidSpecError, match="unknown game 'chess'"):
        read_transcript("game chess")


@pytest.mark.parametrize(
    ("outcome", "scores"),
    [
        (Outcome(Seat.FIRST, Ending.LINE), [1, -1]),
        (Outcome(Seat.SECOND, Ending.LINE), [-1, 1]),
        (Outcome(None, Ending.BOARD_FULL), [0, 0]),
    ],
)
def test_a_win_scores_one_a_loss_minus_one_and_a_draw_nothing(
    outcome: Outcome, scores: list[int]
) -> None:
    assert [outcome.score(seat) for seat in Seat] == scores


HALFWAY = GAME.parse_state("x.o/.x./... o")


def test_a_match_may_begin_anywhere() -> None:
    match = Match.begin(GAME, HALFWAY).play(GAME.parse_move("c1"))
    assert (match.start, match.ply) == (HALFWAY, 1)
    assert str(match.state) == "x.o/.x./..o x"


def test_a_match_from_the_games_own_start_has_no_other() -> None:
    assert Match.begin(GAME, GAME.start).start is None


def test_a_transcript_says_where_a_match_began() -> None:
    match = Match.replay(GAME, [GAME.parse_move("c1")], HALFWAY)
    text = "game tictactoe\nstate x.o/.x./... o\n1. c1\nunfinished\n"
    assert match.transcript() == text
    assert read_transcript(text) == match


def test_a_transcript_that_begins_at_no_state_says_so() -> None:
    with pytest.raises(InvalidStateError, match="does not look like"):
        read_transcript("game tictactoe\nstate nowhere\n1. b2")


def test_repetition_counts_from_where_a_match_began() -> None:
    quixo = load_game("quixo:size=3")
    start = quixo.parse_state("xox/oxo/oxo x")
    assert Match.begin(quixo, start).outcome() is None
    assert Match(quixo, (start, start, start)).outcome() == Outcome(None, Ending.REPETITION)


def test_a_match_is_rebuilt_from_the_texts_of_its_moves() -> None:
    moves = tuple(str(move) for move in Match.replay(GAME, [GAME.parse_move("c1")], HALFWAY).moves)
    assert replayed("tictactoe", str(HALFWAY), moves) == Match.replay(
        GAME, [GAME.parse_move("c1")], HALFWAY
    )
    assert replayed("tictactoe", None, ()) == Match.begin(GAME)


def test_a_match_longer_than_a_stride_is_rebuilt() -> None:
    nim = load_game("nim:heaps=50-50")
    moves = ("a1", "b1") * STRIDE
    assert replayed(nim.spec, None, moves[:98]).ply == 98
