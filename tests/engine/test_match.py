"""What a match adds to its states: history, resignation, transcripts."""

from typing import Any

import pytest

from engine import Ending, IllegalMoveError, Match, Outcome, Seat, load_game, read_transcript
from engine.errors import InvalidTextError
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


OVER = ("a1", "a2", "b1", "b2", "c1")
FINISHED = "game tictactoe\n1. a1 a2\n2. b1 b2\n3. c1\n"


def test_resigning_loses() -> None:
    resigned = played("b2").resign(Seat.FIRST)
    assert resigned.outcome() == Outcome(Seat.SECOND, Ending.RESIGNATION)


@pytest.mark.parametrize(
    "go_on",
    [
        lambda: played(*OVER).play(GAME.parse_move("c3")),
        lambda: played("b2").resign(Seat.FIRST).play(GAME.parse_move("a1")),
        lambda: played(*OVER).resign(Seat.SECOND),
    ],
)
def test_a_match_that_is_over_takes_neither_move_nor_resignation(go_on: Any) -> None:
    with pytest.raises(IllegalMoveError, match="the match is over"):
        go_on()


def test_taking_back_takes_back_a_resignation_too() -> None:
    assert played("b2", "a1").resign(Seat.FIRST).undo(1) == played("b2")


@pytest.mark.parametrize("plies", [-1, 2])
def test_there_is_no_ply_before_the_first_nor_after_the_last(plies: int) -> None:
    with pytest.raises(ValueError, match=f"{plies} plies cannot be taken back, 1 were played"):
        played("b2").undo(plies)
    with pytest.raises(ValueError, match=f"there is no ply {plies}"):
        played("b2").at(plies)


def test_a_transcript_numbers_the_turns_and_ends_with_the_result() -> None:
    assert played(*OVER).transcript() == f"{FINISHED}first wins: line\n"


def test_a_transcript_reads_back_with_its_resignation_and_without_a_result_as_unfinished() -> None:
    resigned = played("b2", "a1").resign(Seat.SECOND)
    assert read_transcript(resigned.transcript()) == resigned
    assert read_transcript("game tictactoe\n\n1. b2 a1\n") == played("b2", "a1")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "begins with a line 'game'"),
        ("1. b2", "begins with a line 'game'"),
        ("game tictactoe\n1. b2 b2", "ply 2, 'b2': b2 is taken"),
        ("game tictactoe\n1. b2 z9", "ply 2, 'z9': 'z9' is no cell"),
        ("game tictactoe\n1. b2\nfirst wins: line", "by the rules with 'unfinished'"),
        (f"{FINISHED}second wins: resignation", "by the rules with 'first wins: line'"),
        ("game chess", "unknown game 'chess'"),
        ("game tictactoe\nstate nowhere\n1. b2", "'nowhere' does not look like"),
        ("game tictactoe\n1. b2\nhello", "it ends with 'hello'"),
        ("game tictactoe\nhello\n1. b2", "'hello' is no turn: write it as 1. and one or two moves"),
        ("game tictactoe\n1. b2 a1 c3", "is no turn"),
        ("x" * 20_001, "longer than 20000 characters"),
    ],
)
def test_a_text_that_is_no_transcript_says_where_it_goes_wrong(text: str, why: str) -> None:
    with pytest.raises(InvalidTextError, match=why):
        read_transcript(text)


def test_a_win_scores_one_a_loss_minus_one_and_a_draw_nothing() -> None:
    outcomes = [Outcome(winner, Ending.LINE) for winner in (*Seat, None)]
    scores = [[outcome.score(seat) for seat in Seat] for outcome in outcomes]
    assert scores == [[1, -1], [-1, 1], [0, 0]]


HALFWAY = GAME.parse_state("x.o/.x./... o")


def test_a_match_may_begin_anywhere_and_its_transcript_says_where() -> None:
    match = Match.begin(GAME, HALFWAY).play(GAME.parse_move("c1"))
    text = "game tictactoe\nstate x.o/.x./... o\n1. c1\nunfinished\n"
    assert (match.start, match.ply, str(match.state)) == (HALFWAY, 1, "x.o/.x./..o x")
    assert match.transcript() == text
    assert read_transcript(text) == match
    assert Match.begin(GAME, GAME.start).start is None


def test_repetition_counts_from_where_a_match_began() -> None:
    quixo = load_game("quixo:size=3")
    start = quixo.parse_state("xox/oxo/oxo x")
    assert Match.begin(quixo, start).outcome() is None
    assert Match(quixo, (start, start, start)).outcome() == Outcome(None, Ending.REPETITION)


def test_a_match_is_rebuilt_from_the_texts_of_its_moves() -> None:
    one_ply = Match.replay(GAME, [GAME.parse_move("c1")], HALFWAY)
    assert replayed("tictactoe", str(HALFWAY), ("c1",)) == one_ply
    assert replayed("tictactoe", None, ()) == Match.begin(GAME)
    longer_than_a_stride = (("a1", "b1") * STRIDE)[:98]
    assert replayed("nim:heaps=50-50", None, longer_than_a_stride).ply == 98
