"""quixo-deep: its values, its words, its limits and its threads."""

from collections import defaultdict
from functools import reduce
from random import Random
from threading import Timer, active_count

import pytest

from agents import Analysis, Limit, load_agent
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


def test_completing_the_opponents_line_is_a_loss_at_once() -> None:
    # a5-a1 slides column a up, and o's cube at a3 into o's row 4.
    state = GAME.parse_state("x..../xoooo/o..../x..../x.... x")
    assert str(state.play(GAME.parse_move("a5-a1")).outcome()) != "None"
    wrong = analyse(state).candidate(GAME.parse_move("a5-a1"))
    assert (wrong.value, wrong.proven, wrong.plies) == (-1, True, 1)


def test_the_44_moves_at_the_start_are_3_branches_and_moves_of_one_are_alike() -> None:
    candidates = analyse(GAME.start, limit=Limit(depth=5)).candidates
    alike = defaultdict(set)
    for each in candidates:
        alike[GAME.canonical(GAME.start.play(each.move))].add((each.value, each.chance))
    assert (len(branches_of(GAME, GAME.start, [], 0, 0)), len(candidates)) == (3, 44)
    assert [len(pairs) for pairs in alike.values()] == [1, 1, 1]


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


@pytest.mark.parametrize(("contempt", "worth"), [("0", 0.0), ("0.3", -0.3)])
def test_a_second_repetition_counts_as_a_draw_less_contempt_but_is_not_proven(
    contempt: str, worth: float
) -> None:
    match, spec = after(*SECOND_TIME), f"quixo-deep:depth=4,contempt={contempt}"
    back_again = GAME.parse_move("e1-e5")
    back = analyse(match.state, history=match.states[:-1], spec=spec).candidate(back_again)
    fresh = analyse(match.state, spec=spec).candidate(back_again)
    assert (back.value, back.proven) == (pytest.approx(worth, abs=0.01), False)
    assert abs((fresh.value or 0) - worth) > 0.01


def test_with_negative_contempt_it_repeats_and_says_so() -> None:
    match = after(*THIRD_TIME)
    analysis = analyse(match.state, history=match.states[:-1], spec="quixo-deep:contempt=-0.9")
    assert analysis.reason == "e1-e5 ends the match in a draw, and nothing better is in sight."


def test_the_last_ply_of_a_match_is_a_draw_unless_it_wins() -> None:
    # 199 plies have been played: whatever does not win at once is drawn for its length.
    history = tuple(GAME.start for _ in range(199))
    analysis = analyse("xxx../ooo../...../...../..... o", history=history)
    assert {(c.value, c.proven) for c in analysis.candidates} == {(0, True)}


def test_helper_threads_end_with_the_search_and_a_flag_of_another_thread_ends_it() -> None:
    before, stop = active_count(), stop_flag()
    analysis = analyse(GAME.start, spec="quixo-deep:threads=3", limit=Limit(seconds=0.2))
    assert (analysis.effort.depth >= 1, active_count()) == (True, before)
    timer = Timer(0.05, stop.__setitem__, (1, 1))
    timer.start()
    endless = Limit(depth=40)
    findings = think(
        GAME, GAME.start, course_evaluation(5), limit=endless, stop=stop, slots=1 << 16
    )
    timer.join()
    assert 0 < findings.depth < 40


def test_under_a_count_helper_threads_change_nothing_and_the_tighter_limit_counts() -> None:
    limit = Limit(nodes=20_000)
    alone = analyse(GAME.start, limit=limit)
    assert analyse(GAME.start, spec="quixo-deep:threads=2", limit=limit) == alone
    for own, given in ((2, 5), (5, 2)):
        effort = analyse(
            GAME.start, spec=f"quixo-deep:depth={own}", limit=Limit(depth=given)
        ).effort
        assert effort.depth == 2


def test_on_3_by_3_it_proves_the_win_in_seven_plies() -> None:
    game = load_game("quixo:size=3")
    best = load_agent("quixo-deep", game).analyse(game.start, limit=Limit(depth=9)).candidates[0]
    assert (best.value, best.proven, best.plies) == (1, True, 7)
