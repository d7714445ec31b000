"""What every move of a shipped puzzle comes to, proven again on texts, and answers judged."""

import pytest

from agents.puzzles.answers import answered, judge
from agents.puzzles.collection import matching, shipped_puzzle, shipped_puzzles
from agents.puzzles.models import Answer, Puzzle, Theme
from engine import load_game
from engine.errors import IllegalMoveError, InvalidMoveError
from tests.agents.puzzles.plain import forced, pushes
from tests.agents.puzzles.test_puzzles import of

PUZZLE = next(each for each in shipped_puzzles() if each.theme is Theme.HOLD)


def test_of_five_by_five_every_end_within_three_plies_is_forced_and_no_other() -> None:
    for puzzle in of("quixo")[::12]:
        after = pushes(puzzle.state)
        assert puzzle.answers.keys() == after.keys()
        for move, answer in puzzle.answers.items():
            for value, wins in ((1, False), (-1, True)):
                soon = answer.value == value and answer.plies is not None and answer.plies <= 3
                assert soon == forced(after[move], 2, wins=wins), (puzzle, move)


def test_every_line_can_be_played_and_ends_where_its_move_says() -> None:
    for puzzle in shipped_puzzles():
        game = load_game(puzzle.game)
        for move, answer in puzzle.answers.items():
            state = game.parse_state(puzzle.state)
            mover = state.to_move
            for text in (move, *answer.line):
                state = state.play(game.parse_move(text))
            outcome = state.outcome()
            if outcome is not None:
                assert outcome.score(mover) == answer.value, (puzzle, move)
                if answer.plies is not None and game.key != "nim":
                    assert len(answer.line) + 1 == answer.plies
            elif not answer.line:
                assert puzzle.theme is Theme.PARRY
                assert move in puzzle.solutions


def test_the_refutation_is_what_the_tempting_move_comes_to() -> None:
    for puzzle in shipped_puzzles():
        tempting, *line = puzzle.refutation
        assert puzzle.answers[tempting].line == tuple(line)


@pytest.mark.parametrize("game", ["tictactoe", "nim", "quixo:size=3", "quixo"])
def test_answers_are_a_pure_function_of_the_puzzle(game: str) -> None:
    for puzzle in of(game)[::15]:
        assert answered(puzzle) == puzzle


@pytest.mark.parametrize(
    "answer", [Answer(1, 3, ("b1", "c2")), Answer(0, None, ()), Answer(None, None, ("a1-e1",))]
)
def test_an_answer_reads_back(answer: Answer) -> None:
    assert Answer.parse(str(answer)) == answer


def test_puzzles_read_back() -> None:
    assert all(Puzzle.from_json(each.as_json()) == each for each in shipped_puzzles())


def test_an_answer_is_judged() -> None:
    right = judge(PUZZLE, PUZZLE.solutions[0])
    assert right.right
    wrong = judge(PUZZLE, PUZZLE.refutation[0])
    assert not wrong.right
    assert wrong.line == PUZZLE.refutation
    assert wrong.answer.value == -1


def test_what_is_no_move_here_is_refused() -> None:
    taken = next(
        str(move) for move in load_game("tictactoe").all_moves if str(move) not in PUZZLE.answers
    )
    with pytest.raises(IllegalMoveError):
        judge(PUZZLE, taken)
    with pytest.raises(InvalidMoveError):
        judge(PUZZLE, "z9")


def test_a_puzzle_is_found_by_its_id_and_by_kind() -> None:
    assert shipped_puzzle(PUZZLE.id) == PUZZLE
    assert shipped_puzzle("00000000") is None
    found = list(matching(shipped_puzzles(), "quixo", "two threats", 3))
    assert found
    assert {(each.theme, each.level) for each in found} == {("two threats", 3)}
