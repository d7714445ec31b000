"""Every shipped puzzle, proven again by rules and solvers of the tests' own."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from itertools import islice
from operator import xor
from random import Random

import pytest

from agents.core import Limit
from agents.puzzles.answers import answered
from agents.puzzles.check import check_puzzles
from agents.puzzles.collection import SHIPPED, shipped_puzzles, spread
from agents.puzzles.difficulty import chance_of, depth_of, graded, machines, missed_by
from agents.puzzles.finder import find_puzzles, fold, identity
from agents.puzzles.models import LEVELS, Puzzle, Theme
from agents.puzzles.proof import HORIZON
from engine import load_game
from tests.agents.puzzles.plain import (
    Plays,
    Value,
    forced,
    heaps_won,
    marks,
    marks_value,
    merit,
    pushes,
    seen,
    solved_pushes,
    takes,
    winner,
)
from tests.agents.puzzles.plain_table import table_value
from tests.soak import lessened, sampled

ENOUGH = Limit(nodes=20_000)
Valued = dict[str, tuple[str, Value]]  # move -> the position after it, and the move's value


def of(*games: str) -> list[Puzzle]:
    return [puzzle for puzzle in shipped_puzzles() if puzzle.game in games]


def valued_marks(puzzle: Puzzle) -> Valued:
    return {move: (text, seen(marks_value(text))) for move, text in marks(puzzle.state).items()}


def valued_takes(puzzle: Puzzle) -> Valued:
    rules = load_game(puzzle.game).options
    limit = int(rules["max_take"] or 99)

    def value(text: str) -> Value:
        heaps = tuple(sorted(map(int, text.partition(" ")[0].split("-"))))
        return (-1 if heaps_won(heaps, rules["last"] == "wins", limit) else 1), None

    return {move: (text, value(text)) for move, text in takes(puzzle.state, limit).items()}


def valued_pushes(puzzle: Puzzle) -> Valued:
    solved = solved_pushes(3)
    return {move: (text, seen(solved[text])) for move, text in pushes(puzzle.state).items()}


def valued_by_table(puzzle: Puzzle) -> Valued:
    return {move: (text, seen(table_value(text))) for move, text in pushes(puzzle.state).items()}


EXACT: dict[str, Callable[[Puzzle], Valued]] = {
    "tictactoe": valued_marks,
    "quixo:size=3": valued_pushes,
} | dict.fromkeys((spec for spec in SHIPPED if spec.startswith("nim")), valued_takes)


def proves(puzzle: Puzzle, moves: Valued) -> None:
    """Value, solutions, distance, refutation and every answer, by what each move comes to."""
    best = max((value for _, value in moves.values()), key=merit)
    if puzzle.theme is Theme.MISTAKE:
        right = {move for move, (_, value) in moves.items() if value[0] < best[0]}
    elif puzzle.plies is not None:
        right = {move for move, (_, value) in moves.items() if value == best}
        assert best == (1, puzzle.plies)
    else:
        right = {move for move, (_, value) in moves.items() if value[0] == best[0]}
    assert set(puzzle.solutions) == right, puzzle
    assert len({moves[move][0] for move in right}) == 1, puzzle
    assert puzzle.value == best[0] >= 0
    wrong = puzzle.refutation[0]
    assert merit(moves[wrong][1]) < merit(best)
    assert (wrong in right) == (puzzle.theme is Theme.MISTAKE)
    assert puzzle.answers.keys() == moves.keys()
    for move, (_, (value, plies)) in moves.items():
        answer = puzzle.answers[move]
        assert answer.value == value, (puzzle, move)
        assert not value or plies is None or answer.plies == plies, (puzzle, move)


@pytest.mark.parametrize("game", EXACT)
def test_of_solved_games_value_solutions_distance_and_refutation_are_proven(game: str) -> None:
    found = of(game)
    assert found
    for puzzle in found:
        proves(puzzle, EXACT[game](puzzle))


@pytest.mark.soak
def test_of_four_by_four_value_solutions_distance_and_refutation_are_proven() -> None:
    """By a table of the tests' own: all boards, in some two minutes."""
    for puzzle in of("quixo:size=4"):
        proves(puzzle, valued_by_table(puzzle))


@pytest.mark.parametrize("game", EXACT)
def test_fresh_puzzles_are_proven_too(game: str) -> None:
    for puzzle in islice(find_puzzles(load_game(game), 30), 40):
        proves(answered(puzzle), EXACT[game](puzzle))


@pytest.mark.soak
@pytest.mark.parametrize("game", SHIPPED)
def test_five_hundred_fresh_puzzles_are_proven(game: str) -> None:
    """Or all there are; of 5×5, where every line is tried, fewer."""
    many = lessened(500, 40) if game != "quixo" else lessened(60, 4)
    for puzzle in map(answered, islice(find_puzzles(load_game(game), 31), many)):
        if game == "quixo":
            plain_proof(puzzle)
        elif game in EXACT:
            proves(puzzle, EXACT[game](puzzle))
        else:
            proves(puzzle, valued_by_table(puzzle))


LARGER = ("quixo:size=4", "quixo")


def plain_proof(puzzle: Puzzle) -> None:
    """What is forced within a few plies, by trying every line."""
    assert puzzle.plies is not None
    ahead = puzzle.plies - 1
    right = set()
    for move, text in pushes(puzzle.state).items():
        if puzzle.value is None and puzzle.task.startswith("Only one"):  # does not lose
            if not forced(text, ahead, wins=True):
                right.add(move)
        elif forced(text, ahead, wins=False):
            right.add(move)
            assert not forced(text, ahead - 1, wins=False)
    assert right == set(puzzle.solutions), puzzle
    assert len({pushes(puzzle.state)[move] for move in right}) == 1


def test_what_is_forced_within_three_plies_is_so_by_trying_every_line() -> None:
    short = [each for each in of(*LARGER) if each.plies is not None and each.plies <= 3]
    assert len(short) >= 30
    for puzzle in short[::4]:
        plain_proof(puzzle)


@pytest.mark.soak
def test_what_is_forced_within_five_plies_is_so_by_trying_every_line() -> None:
    far = [each for each in of(*LARGER) if each.plies is not None and each.plies <= 5]
    for puzzle in far[:: lessened(1, 20)]:
        plain_proof(puzzle)


def test_puzzles_prove_themselves_again_and_no_two_are_alike() -> None:
    puzzles = [each for each in shipped_puzzles() if each.game != "quixo:size=4"]
    assert check_puzzles(puzzles) == []
    assert len({each.id for each in shipped_puzzles()}) == len(shipped_puzzles())


@pytest.mark.soak
def test_puzzles_of_four_by_four_prove_themselves_again() -> None:
    assert check_puzzles(of("quixo:size=4")) == []


def test_a_wrong_puzzle_is_found() -> None:
    right = of("tictactoe")[0]
    wrong = replace(right, solutions=("a1",), task="Win.")
    assert [why for _, why in check_puzzles([wrong])] == ["other task, solutions were proven"]
    assert [why for _, why in check_puzzles([right, right])] == [f"it is {right.id} again"]


def test_at_least_four_hundred_are_spread_over_games_themes_and_levels() -> None:
    puzzles = shipped_puzzles()
    assert len(puzzles) >= 400
    assert {each.game for each in puzzles} == set(SHIPPED)
    assert {each.theme for each in puzzles} == set(Theme)
    by_level = Counter(each.level for each in puzzles)
    assert set(by_level) == set(LEVELS)
    assert min(by_level.values()) >= 40, by_level
    assert all(load_game(each.game).spec == each.game for each in puzzles)


@pytest.mark.parametrize(
    "game", sampled({spec: spec for spec in SHIPPED}, *(set(SHIPPED) - {"quixo:size=4"}))
)
def test_the_same_seed_finds_the_same_puzzles_another_one_others(game: str) -> None:
    rules = load_game(game)
    one, two, other = (list(islice(find_puzzles(rules, seed), 6)) for seed in (5, 5, 6))
    assert one == two != other
    folds = [fold(rules, rules.parse_state(each.state)) for each in one]
    assert len(set(folds)) == len(folds)


def test_fold_is_the_same_for_turned_boards_exchanged_colours_and_heaps_in_any_order() -> None:
    quixo = load_game("quixo:size=3")
    state = quixo.parse_state("xo./.x./o.. x")
    twin = quixo.parse_state("ox./.o./x.. o")
    images = [symmetry.state(state) for symmetry in quixo.symmetries]
    assert {fold(quixo, each) for each in (*images, twin)} == {fold(quixo, state)}
    assert fold(quixo, quixo.parse_state("xo./.x./o.. o")) != fold(quixo, state)
    nim = load_game("nim")
    assert fold(nim, nim.parse_state("1-0-3-2-0 x")) == fold(nim, nim.parse_state("0-3-0-1-2 o"))


def test_puzzles_are_alike_also_in_two_variants_of_nim_but_not_by_other_rules() -> None:
    (puzzle,) = islice((each for each in of("nim") if "0" in each.state.split("-")), 1)
    heaps = "-".join(heap for heap in puzzle.state[:-2].split("-") if heap != "0")
    smaller = replace(puzzle, game=f"nim:heaps={heaps}", state=f"{heaps} {puzzle.state[-1]}")
    assert identity(smaller) == identity(puzzle)
    assert identity(replace(smaller, game=f"{smaller.game},last=wins")) != identity(puzzle)
    shipped = shipped_puzzles()
    assert len(set(map(identity, shipped))) == len(shipped)


def test_two_threats_leave_no_single_answer() -> None:
    """After the solution of tic-tac-toe, two lines lack one mark each."""
    for puzzle in of("tictactoe"):
        if puzzle.theme is Theme.THREATS:
            after = marks(puzzle.state)[puzzle.solutions[0]]
            mover = puzzle.state[-1]
            as_if = f"{after.split()[0]} {mover}"
            wins = [text for text in marks(as_if).values() if winner(text) == mover]
            assert len(wins) >= 2


def test_two_threats_of_quixo_are_met_by_no_single_next_move() -> None:
    """After the solution no move wins at once whatever was answered."""
    found = [each for each in of("quixo:size=3", *LARGER) if each.theme is Theme.THREATS]
    assert len(found) >= 30
    for puzzle in found[::2]:
        mover = puzzle.state[-1]
        wins = [
            {move for move, end in pushes(text).items() if winner(end) == mover}
            for text in pushes(pushes(puzzle.state)[puzzle.solutions[0]]).values()
            if winner(text) is None
        ]
        assert all(wins), puzzle
        assert not set.intersection(*wins), puzzle


def test_the_theme_of_nim_is_that_of_its_nim_sum() -> None:
    for puzzle in shipped_puzzles():
        if puzzle.theme in (Theme.NIM_SUM, Theme.MISERE):
            most = int(load_game(puzzle.game).options["max_take"] or 99)
            heaps = takes(puzzle.state, most)[puzzle.solutions[0]].partition(" ")[0].split("-")
            left = reduce(xor, (int(heap) % (most + 1) for heap in heaps))
            assert (left == 0) == (puzzle.theme is Theme.NIM_SUM), puzzle


def test_a_line_of_theirs_is_completed_with_ones_own() -> None:
    found = [each for each in shipped_puzzles() if each.theme is Theme.THEIR_LINE]
    assert found
    for puzzle in found:
        board = pushes(puzzle.state)[puzzle.refutation[0]]
        assert winner(board) == board[-1] != puzzle.state[-1]


def test_levels_are_those_of_depth_and_machines() -> None:
    rng = Random(3)
    for puzzle in rng.sample([each for each in shipped_puzzles() if each.game != "nim"], 12):
        assert graded(replace(puzzle, level=0)) == puzzle
        assert (depth_of(puzzle), round(missed_by(puzzle), 3)) == (puzzle.depth, puzzle.missed)


def test_stronger_machines_solve_more_and_all_solve_fewer_of_higher_levels() -> None:
    puzzles = of("quixo")
    names = ("random", "quixo-deep:level=keen", "quixo-deep")
    by_name = {rung.spec: agent for rung, agent in machines("quixo")}
    shares = {
        level: [
            sum(chance_of(each, agent, ENOUGH) for each in puzzles if each.level == level)
            / sum(each.level == level for each in puzzles)
            for agent in map(by_name.__getitem__, names)
        ]
        for level in {each.level for each in puzzles}
    }
    assert all(weak < middle <= strong for weak, middle, strong in shares.values())
    assert shares[min(shares)][1] > shares[max(shares)][1]


def test_a_selection_takes_every_kind_in_turn() -> None:
    pool = list(shipped_puzzles())
    chosen = spread(pool, 40)
    kinds = {(each.theme, each.level) for each in pool}
    assert len({(each.theme, each.level) for each in chosen}) == min(40, len(kinds))


def test_the_horizon_is_named() -> None:
    assert {each.source for each in of("quixo")} == {f"every line of play within {HORIZON} turns"}


def test_plays_of_the_plain_rules_are_the_engines() -> None:
    """So that the proofs are about the same games."""
    plain: dict[str, Callable[[str], Plays]] = {"tictactoe": marks, "quixo": pushes}
    for puzzle in shipped_puzzles()[::7]:
        game = load_game(puzzle.game)
        if game.key in plain:
            state = game.parse_state(puzzle.state)
            ours = {str(move): str(state.play(move)) for move in state.legal_moves()}
            assert ours == plain[game.key](puzzle.state)
