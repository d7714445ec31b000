"""Laws that hold for every agent of the roster, in every variant with a name that it can play."""

import json
import pickle
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.core import Analysis, Measure, rank
from agents.entry import Technique
from agents.exhibits import KINDS
from agents.roster import agents_for, find_agent
from agents.serialisation import from_document, to_document
from engine import IllegalMoveError, load_game
from engine.catalog import all_variants
from tests.positions import reachable_states
from tests.soak import lessened
from webapp.workers.analyses import MAX_EXHIBIT_BYTES, checked

A_LITTLE = Limit(nodes=200, depth=2)
STATES = 4

# Solving 4×4 and learning 3×3 take longer than all the rest; they have tests of their own.
ELSEWHERE = {("quixo:size=4", "perfect"), ("quixo:size=3", "qlearning")}

PAIRS = [
    (game.spec, entry.key)
    for game in all_variants()
    for entry in agents_for(game)
    if (game.spec, entry.key) not in ELSEWHERE
]
# What a variant without a name can do to an agent that needs no training.
ODD = [
    (spec, key)
    for spec in ("nim:heaps=1", "nim:heaps=0-2-0-2,max_take=1", "nim:heaps=4-4-4,last=wins")
    for key in ("random", "opportunist", "nim-sum", "nim-expert", "alphabeta", "mcts", "es-move")
]
SHOWING = [(spec, key) for spec, key in PAIRS if find_agent(key).shows]


def every(pairs: list[tuple[str, str]]) -> Any:
    """A test for each agent, over all its games: one for each game too would take longer to begin
    than to run. An agent's laws run in one process, which keeps what it said."""
    return pytest.mark.parametrize("key", sorted({key for _, key in pairs}))


EVERY, NAMED = every([*PAIRS, *ODD]), every(PAIRS)
# These search. The others look up what they know, which takes a look at each legal move.
THINKING = [
    (spec, key)
    for spec, key in PAIRS
    if find_agent(key).technique is Technique.SEARCH or key in ("es-move", "quixo-evolved")
]


@dataclass(frozen=True)
class Asked:
    """What an agent said where; its text names the place in a failed test."""

    spec: str
    state: Any
    analysis: Analysis[Any]

    def __str__(self) -> str:
        return f"{self.spec} at {self.state}: {self.analysis}"


@cache
def agent_for(spec: str, key: str) -> Any:
    return load_agent(key, load_game(spec))


@cache
def states_of(spec: str) -> tuple[Any, ...]:
    game = load_game(spec)
    return (game.start, *reachable_states(game, STATES - 1, seed=11))


def ask(agent: Any, state: Any, limit: Limit = A_LITTLE, **more: Any) -> Analysis[Any]:
    analysis: Analysis[Any] = agent.analyse(state, limit=limit, rng=Random(5), **more)
    return analysis


@cache
def asked(spec: str, key: str) -> tuple[Asked, ...]:
    return tuple(Asked(spec, state, ask(agent_for(spec, key), state)) for state in states_of(spec))


def games_of(key: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [spec for spec, each in pairs if each == key]


def everywhere(key: str) -> list[Asked]:
    return [each for spec in games_of(key, [*PAIRS, *ODD]) for each in asked(spec, key)]


def lasts(key: str) -> list[Asked]:
    return [asked(spec, key)[-1] for spec in games_of(key, PAIRS)]


def test_every_agent_in_the_catalogue_is_looked_at() -> None:
    keys = {key for _, key in PAIRS}
    assert keys == {entry.key for game in all_variants() for entry in agents_for(game)}


# --- what an analysis says


def the_move_it_plays_is_legal_and_one_it_had_a_chance_of_playing(at: Asked) -> bool:
    choice = at.analysis.choice
    return choice in at.state.legal_moves() and at.analysis.candidate(choice).chance > 0


def its_candidates_are_legal_and_distinct(at: Asked) -> bool:
    moves = [candidate.move for candidate in at.analysis.candidates]
    return set(moves) <= set(at.state.legal_moves()) and len(set(moves)) == len(moves)


def its_candidates_are_ordered_best_first(at: Asked) -> bool:
    ranks = [rank(candidate) for candidate in at.analysis.candidates]
    return ranks == sorted(ranks)


def its_values_lie_between_a_loss_and_a_win(at: Asked) -> bool:
    candidates = at.analysis.candidates
    return all(-1 <= c.value <= 1 for c in candidates if c.value is not None) and all(
        c.value in (-1, 0, 1) for c in candidates if c.proven
    )


def its_bars_go_by_one_measure_and_stay_within_their_ends(at: Asked) -> bool:
    extents = [at.analysis.extent(candidate) for candidate in at.analysis.candidates]
    chosen = at.analysis.chosen
    is_blind = at.analysis.measure is Measure.VALUE and chosen.value is None  # nothing is known
    within = all(extent is None or 0 <= extent <= 1 for extent in extents)
    return within and (is_blind or at.analysis.extent(chosen) is not None)


def what_is_no_value_is_not_said_to_be_one(at: Asked) -> bool:
    return at.analysis.measure in (Measure.VALUE, Measure.VISITS) or all(
        candidate.value is None or candidate.proven for candidate in at.analysis.candidates
    )


def without_values_the_move_it_plays_most_stands_first(at: Asked) -> bool:
    candidates = at.analysis.candidates
    silent = all(candidate.value is None for candidate in candidates)
    return not silent or candidates[0].chance == max(c.chance for c in candidates)


def its_chances_sum_to_one(at: Asked) -> bool:
    chances = [candidate.chance for candidate in at.analysis.candidates]
    return sum(chances) == pytest.approx(1) and all(0 <= chance <= 1 for chance in chances)


def it_gives_a_reason_and_the_first_move_that_names_is_the_one_it_plays(at: Asked) -> bool:
    reason = at.analysis.reason
    moves = {str(move) for move in at.state.legal_moves()}
    words = re.findall(r"[a-z]\d+(?:-[a-z]\d+)?", reason)
    named = next((word for word in words if word in moves), None)
    is_sentence = reason.strip() == reason and reason.endswith(".")
    return is_sentence and named in (None, str(at.analysis.choice))


def what_it_expects_begins_with_the_move_and_can_be_played(at: Asked) -> bool:
    return all(
        candidate.line[0] == candidate.move and plays_out(at.state, candidate.line)
        for candidate in at.analysis.candidates
        if candidate.line
    )


def plays_out(state: Any, line: tuple[Any, ...]) -> bool:
    """Whether every move of the line is legal where it comes."""
    try:
        for move in line:
            state = state.play(move)
    except IllegalMoveError:
        return False
    return True


def written_down_it_reads_back(at: Asked) -> bool:
    written = json.dumps(to_document(at.analysis), allow_nan=False)
    return from_document(json.loads(written), load_game(at.spec)) == at.analysis


LAWS: tuple[Callable[[Asked], bool], ...] = (
    the_move_it_plays_is_legal_and_one_it_had_a_chance_of_playing,
    its_candidates_are_legal_and_distinct,
    its_candidates_are_ordered_best_first,
    its_values_lie_between_a_loss_and_a_win,
    its_bars_go_by_one_measure_and_stay_within_their_ends,
    what_is_no_value_is_not_said_to_be_one,
    without_values_the_move_it_plays_most_stands_first,
    its_chances_sum_to_one,
    it_gives_a_reason_and_the_first_move_that_names_is_the_one_it_plays,
    what_it_expects_begins_with_the_move_and_can_be_played,
    written_down_it_reads_back,
)


def broken(said: Iterable[Asked]) -> list[str]:
    """Each law that something said is against, with the place."""
    return [f"{law.__name__}: {at}" for at in said for law in LAWS if not law(at)]


@EVERY
def test_what_it_says_keeps_every_law(key: str) -> None:
    assert everywhere(key)
    assert broken(everywhere(key)) == []


@pytest.mark.soak
@EVERY
def test_what_it_says_keeps_every_law_in_many_positions(key: str) -> None:
    said = (
        Asked(spec, state, ask(agent_for(spec, key), state))
        for spec in games_of(key, [*PAIRS, *ODD])
        for state in reachable_states(load_game(spec), lessened(100, 15), seed=41)
    )
    assert broken(said) == []


# --- when it is asked again, otherwise, or to show


@EVERY
def test_the_same_question_gets_the_same_answer_whatever_was_asked_before(key: str) -> None:
    first = everywhere(key)
    before = [str(each.state) for each in first]
    again = [
        Asked(each.spec, each.state, ask(agent_for(each.spec, key), each.state))
        for each in reversed(first)
    ]
    assert again == first[::-1]
    assert [str(each.state) for each in first] == before


@NAMED
def test_another_instance_of_it_says_the_same_and_its_text_gives_it_back(key: str) -> None:
    others = [ask(load_agent(key, load_game(at.spec)), at.state) for at in lasts(key)]
    assert others == [at.analysis for at in lasts(key)]
    agent = agent_for(games_of(key, PAIRS)[0], key)
    assert eval(repr(agent), {"load_agent": load_agent, "load_game": load_game}) == agent


@pytest.mark.slow
@NAMED
def test_without_rng_it_says_the_same_whenever_it_is_asked(key: str) -> None:
    def differs(at: Asked) -> bool:
        agent, limit = agent_for(at.spec, key), A_LITTLE
        same = agent.analyse(at.state, limit=limit, rng=Random(str(at.state)))
        return any(agent.analyse(at.state, limit=limit) != same for _ in range(2))

    assert [str(at) for at in lasts(key) if differs(at)] == []
    at = lasts(key)[0]
    assert agent_for(at.spec, key).analyse(at.state).choice in at.state.legal_moves()


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [1, 37, 400])
@NAMED
def test_it_looks_at_no_more_positions_and_no_deeper_than_it_may(key: str, nodes: int) -> None:
    def effort(spec: str, state: Any, limit: Limit) -> tuple[int, int]:
        found = ask(agent_for(spec, key), state, limit).effort
        return found.nodes, found.depth

    def may_look_at(spec: str, state: Any) -> int:
        """What the limit says, or what one answer takes."""
        one = 0 if (spec, key) in THINKING else 1 + len(state.legal_moves())
        return max(nodes, one)

    asked_at = [(spec, state) for spec in games_of(key, PAIRS) for state in states_of(spec)[:2]]
    beyond = [
        (spec, str(state))
        for spec, state in asked_at
        if effort(spec, state, Limit(nodes=nodes))[0] > may_look_at(spec, state)
        or any(effort(spec, state, Limit(nodes=nodes, depth=depth))[1] > depth for depth in (1, 2))
    ]
    assert beyond == []


@NAMED
def test_skill_mixes_its_chances_with_any_legal_move(key: str) -> None:
    def chances(analysis: Analysis[Any]) -> dict[Any, float]:
        return {candidate.move: candidate.chance for candidate in analysis.candidates}

    def is_mixed(at: Asked) -> bool:
        own, moves = chances(at.analysis), at.state.legal_moves()
        slipping = ask(load_agent(f"{key}:skill=0.6", load_game(at.spec)), at.state)
        mixed = {move: 0.6 * own.get(move, 0.0) + 0.4 / len(moves) for move in moves}
        return chances(slipping) == pytest.approx(mixed)

    assert [str(at) for at in lasts(key) if not is_mixed(at)] == []


@pytest.mark.slow
@every(SHOWING)
def test_showing_changes_nothing_else_and_is_always_something_that_a_page_can_draw(
    key: str,
) -> None:
    def is_well_shown(at: Asked) -> bool:
        shown = ask(agent_for(at.spec, key), at.state, show=True)
        small = len(pickle.dumps(shown.exhibit)) <= MAX_EXHIBIT_BYTES
        return (
            replace(shown, exhibit=None) == at.analysis
            and isinstance(shown.exhibit, KINDS)
            and small
        )

    said = [each for spec in games_of(key, SHOWING) for each in asked(spec, key)]
    assert [str(at) for at in said if not is_well_shown(at)] == []


@pytest.mark.parametrize("exhibit", ["a text", b"x" * 10])
def test_what_no_page_can_draw_is_left_out_in_the_worker(exhibit: Any) -> None:
    said = ask(agent_for("tictactoe", "random"), states_of("tictactoe")[0])
    assert checked(replace(said, exhibit=exhibit)).exhibit is None
