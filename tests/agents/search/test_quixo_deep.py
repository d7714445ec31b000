"""quixo-deep: its values, its words, its limits and its threads."""

import subprocess
import sys
from functools import reduce
from itertools import pairwise
from random import Random
from threading import Timer, active_count

import pytest

from agents import Analysis, Limit, load_agent
from agents.core import Candidate
from agents.quixo.evaluation import course_evaluation
from agents.search.quixo.branches import branches_of
from agents.search.quixo.kernel import DECIDED
from agents.search.quixo.root import think
from agents.search.quixo.threads import stop_flag
from engine import Match, load_game
from engine.quixo import Push, QuixoState
from tests.positions import reachable_states

GAME = load_game("quixo")
# x goes back and forth with its cube in column a, o with the one in column e.
TO_AND_FRO = ("a1-a5", "e1-e5", "a5-a1", "e5-e1")
SECOND_TIME = (*TO_AND_FRO, "a1-a5")  # and e1-e5 makes a position stand again
THIRD_TIME = (*TO_AND_FRO, *TO_AND_FRO, "a1-a5")


def analyse(
    state: QuixoState | str,
    *,
    spec: str = "quixo-deep",
    limit: Limit = Limit(depth=3),  # noqa: B008 - frozen
    history: tuple[QuixoState, ...] = (),
) -> Analysis[Push]:
    read = GAME.parse_state(state) if isinstance(state, str) else state
    agent = load_agent(spec, GAME)
    return agent.analyse(read, limit=limit, rng=Random(3), history=history)


def after(*moves: str) -> Match[QuixoState, Push]:
    return Match.replay(GAME, map(GAME.parse_move, moves))


def play_out(state: QuixoState, line: tuple[Push, ...]) -> QuixoState:
    """The state after the line; raises where a move is illegal."""
    return reduce(QuixoState.play, line, state)


def found(state: QuixoState | str, move: str, **how: object) -> Candidate[Push]:
    analysis = analyse(state, **how)  # type: ignore[arg-type]
    return analysis.candidate(GAME.parse_move(move))


def test_it_completes_its_line() -> None:
    analysis = analyse("xxxx./ooo../...../...../..... x")
    assert analysis.candidates[0].value == 1
    assert analysis.candidates[0].plies == 1
    assert analysis.reason == f"{analysis.choice} completes row 5."


def test_completing_the_opponents_line_is_a_loss_at_once() -> None:
    # a5-a1 slides column a up, and o's cube at a3 into o's row 4.
    state = GAME.parse_state("x..../xoooo/o..../x..../x.... x")
    assert str(state.play(GAME.parse_move("a5-a1")).outcome()) != "None"
    wrong = analyse(state).candidate(GAME.parse_move("a5-a1"))
    assert (wrong.value, wrong.proven, wrong.plies) == (-1, True, 1)


def test_the_44_moves_at_the_start_are_3_branches_and_each_move_has_a_value() -> None:
    analysis = analyse(GAME.start, limit=Limit(depth=5))
    assert len(branches_of(GAME, GAME.start, [], 0, 0)) == 3
    assert len(analysis.candidates) == 44
    assert len({candidate.value for candidate in analysis.candidates}) <= 3


def test_equivalent_moves_share_their_chance_and_value() -> None:
    candidates = analyse(GAME.start).candidates
    images = {
        candidate: GAME.canonical(GAME.start.play(candidate.move)) for candidate in candidates
    }
    alike = {
        image: {(c.value, c.chance) for c in candidates if images[c] == image}
        for image in images.values()
    }
    assert len(alike) == 3
    assert [len(pairs) for pairs in alike.values()] == [1, 1, 1]


@pytest.mark.parametrize("state", reachable_states(GAME, 25, seed=21), ids=str)
def test_every_line_it_expects_can_be_played(state: QuixoState) -> None:
    lines = [candidate.line for candidate in analyse(state, limit=Limit(depth=4)).candidates]
    assert all(play_out(state, line) for line in lines)


@pytest.mark.slow
def test_the_line_of_a_proven_win_ends_in_it() -> None:
    states = reachable_states(GAME, 60, seed=22)
    best = [(state, analyse(state, limit=Limit(depth=5)).candidates[0]) for state in states]
    wins = [(state, one) for state, one in best if one.proven and one.value == 1]
    assert len(wins) > 10
    ends = [play_out(state, one.line).outcome() for state, one in wins]
    assert all(
        end is not None and end.winner is state.to_move
        for end, (state, _) in zip(ends, wins, strict=True)
    )
    assert [len(one.line) for _, one in wins] == [one.plies for _, one in wins]


@pytest.mark.slow
@pytest.mark.parametrize(
    "limit", [Limit(depth=1), Limit(depth=4), Limit(nodes=1), Limit(nodes=50), Limit(nodes=3_000)]
)
@pytest.mark.parametrize("state", reachable_states(GAME, 5, seed=23), ids=str)
def test_it_keeps_to_its_limit_and_answers_the_same_again(state: QuixoState, limit: Limit) -> None:
    one, other = analyse(state, limit=limit), analyse(state, limit=limit)
    assert one == other
    assert one.effort.nodes <= (limit.nodes or one.effort.nodes)
    assert one.effort.depth <= (limit.depth or one.effort.depth)
    assert {candidate.move for candidate in one.candidates} == set(state.legal_moves())
    values = [candidate.value for candidate in one.candidates]
    assert all(first >= second for first, second in pairwise(values))


@pytest.mark.parametrize("nodes", [9_000, 15_000, 25_000])
@pytest.mark.parametrize("state", reachable_states(GAME, 20, seed=24), ids=str)
def test_out_of_time_it_plays_the_best_of_the_last_depth_or_a_better_one(
    state: QuixoState, nodes: int
) -> None:
    evaluation, slots = course_evaluation(5), 1 << 10
    cut = think(GAME, state, evaluation, limit=Limit(nodes=nodes), slots=slots)
    whole = think(GAME, state, evaluation, limit=Limit(depth=cut.depth), slots=slots)
    was_best = next(branch for branch in cut.branches if branch.move == whole.best.move)
    assert cut.best is was_best or cut.best.value > was_best.value


@pytest.mark.slow
def test_out_of_time_it_plays_no_losing_move_if_there_is_another() -> None:
    limit, states = Limit(nodes=20_000), reachable_states(GAME, 400, seed=25)
    thoughts = [think(GAME, state, course_evaluation(5), limit=limit) for state in states]
    resigned = [findings for findings in thoughts if findings.best.expected < -DECIDED]
    assert resigned
    assert all(branch.expected < -DECIDED for findings in resigned for branch in findings.branches)


@pytest.mark.slow
def test_its_value_does_not_alternate_with_the_parity_of_its_depth() -> None:
    def value_at(state: QuixoState, depth: int) -> float:
        spec = f"quixo-deep:evaluation=course,contempt=0,depth={depth}"
        return analyse(state, spec=spec, limit=Limit()).chosen.value or 0.0

    def searched(state: QuixoState, depth: int) -> float:
        course = course_evaluation(5)
        return course.value(think(GAME, state, course, limit=Limit(depth=depth)).best.expected)

    states = [state for state in reachable_states(GAME, 40, seed=27) if abs(value_at(state, 5)) < 1]
    assert len(states) > 10
    leaps = [abs(value_at(state, 5) - value_at(state, 4)) for state in states]
    raw = [abs(searched(state, 5) - searched(state, 4)) for state in states]
    assert sum(leaps) < sum(raw) / 3


def test_the_tighter_of_two_limits_counts() -> None:
    assert analyse(GAME.start, spec="quixo-deep:depth=2", limit=Limit(depth=5)).effort.depth == 2
    assert analyse(GAME.start, spec="quixo-deep:depth=5", limit=Limit(depth=2)).effort.depth == 2


def test_a_third_repetition_is_a_proven_draw() -> None:
    match = after(*THIRD_TIME)
    back = found(match.state, "e1-e5", history=match.states[:-1])
    assert match.play(GAME.parse_move("e1-e5")).result() == "draw: repetition"
    assert (back.value, back.proven, back.plies) == (0, True, 1)


def test_a_second_repetition_counts_as_a_draw_but_is_not_proven() -> None:
    match = after(*SECOND_TIME)
    spec = "quixo-deep:depth=4,contempt=0"
    back = found(match.state, "e1-e5", history=match.states[:-1], spec=spec)
    fresh = found(match.state, "e1-e5", spec=spec)
    assert (back.value, back.proven) == (0, False)
    assert fresh.value != 0


def test_contempt_makes_a_repetition_worth_less() -> None:
    match = after(*SECOND_TIME)
    spec = "quixo-deep:contempt=0.3"
    back = found(match.state, "e1-e5", history=match.states[:-1], spec=spec)
    assert back.value == pytest.approx(-0.3, abs=0.01)


def test_with_negative_contempt_it_repeats_and_says_so() -> None:
    match = after(*THIRD_TIME)
    analysis = analyse(match.state, history=match.states[:-1], spec="quixo-deep:contempt=-0.9")
    assert analysis.reason == "e1-e5 ends the match in a draw, and nothing better is in sight."


def test_the_last_ply_of_a_match_is_a_draw_unless_it_wins() -> None:
    # 199 plies have been played: whatever does not win at once is drawn for its length.
    history = tuple(GAME.start for _ in range(199))
    analysis = analyse("xxx../ooo../...../...../..... o", history=history)
    assert {(c.value, c.proven) for c in analysis.candidates} == {(0, True)}


def test_a_flag_set_by_another_thread_ends_the_search() -> None:
    stop = stop_flag()
    timer = Timer(0.05, stop.__setitem__, (1, 1))
    timer.start()
    findings = think(
        GAME, GAME.start, course_evaluation(5), limit=Limit(depth=40), stop=stop, slots=1 << 16
    )
    timer.join()
    assert 0 < findings.depth < 40


def test_helper_threads_search_more_positions_and_end_with_the_search() -> None:
    before = active_count()
    analysis = analyse(GAME.start, spec="quixo-deep:threads=3", limit=Limit(seconds=0.2))
    assert analysis.effort.depth >= 1
    assert active_count() == before


def test_under_a_count_helper_threads_change_nothing() -> None:
    limit = Limit(nodes=20_000)
    alone = analyse(GAME.start, limit=limit)
    assert analyse(GAME.start, spec="quixo-deep:threads=2", limit=limit) == alone


@pytest.mark.slow
def test_what_helper_threads_prove_the_exact_solver_confirms() -> None:
    game = load_game("quixo:size=3")
    perfect, deep = load_agent("perfect", game), load_agent("quixo-deep:threads=2", game)
    proven = [
        (candidate, perfect.analyse(state, limit=Limit(), rng=Random(1)).candidate(candidate.move))
        for state in reachable_states(game, 30, seed=26)
        for candidate in deep.analyse(state, limit=Limit(seconds=0.05), rng=Random(1)).candidates
        if candidate.proven
    ]
    assert len(proven) > 100
    assert [candidate.value for candidate, _ in proven] == [exact.value for _, exact in proven]


@pytest.mark.parametrize("size", [3, 4])
def test_it_plays_the_small_boards_too(size: int) -> None:
    game = load_game(f"quixo:size={size}")
    agent = load_agent("quixo-deep", game)
    analysis = agent.analyse(game.start, limit=Limit(depth=7), rng=Random(1))
    assert len(analysis.candidates) == len(game.start.legal_moves())


def test_on_3_by_3_it_proves_the_win_in_seven_plies() -> None:
    game = load_game("quixo:size=3")
    agent = load_agent("quixo-deep", game)
    best = agent.analyse(game.start, limit=Limit(depth=9), rng=Random(1)).candidates[0]
    assert (best.value, best.proven, best.plies) == (1, True, 7)


@pytest.mark.slow
def test_what_it_proves_on_3_by_3_the_exact_solver_confirms() -> None:
    game = load_game("quixo:size=3")
    perfect, deep = load_agent("perfect", game), load_agent("quixo-deep", game)
    states = reachable_states(game, 60, seed=24)
    proven = [
        (candidate, perfect.analyse(state, limit=Limit(), rng=Random(1)).candidate(candidate.move))
        for state in states
        for candidate in deep.analyse(state, limit=Limit(depth=6), rng=Random(1)).candidates
        if candidate.proven
    ]
    assert len(proven) > 300
    assert [candidate.value for candidate, _ in proven] == [exact.value for _, exact in proven]


@pytest.mark.soak
def test_kernels_load_from_the_cache_in_a_new_process() -> None:
    code = "from agents.search.quixo.deep import warm_up; warm_up(); print('warm')"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        for _ in range(2)
    ]
    assert [run.stdout for run in runs] == ["warm\n", "warm\n"]
