"""quixo-deep against the exact solver: what it calls proven is so, wherever its search was cut."""

from collections.abc import Iterator
from random import Random

import pytest

from agents import Candidate, Limit, load_agent
from agents.core import rank
from agents.perfect.oracles import oracle_for
from agents.quixo.evaluation import course_evaluation
from agents.search.quixo.branches import Branch
from agents.search.quixo.kernel import WIN
from agents.search.quixo.report import DeepReport
from agents.search.quixo.root import Findings, think
from engine import load_game
from engine.core import Verdict
from engine.quixo import Push, QuixoState
from tests.positions import reachable_states

GAME = load_game("quixo:size=3")
SOME = list(dict.fromkeys(reachable_states(GAME, 250, seed=31)))
AT_ONCE = "x.x/.o./o.. x"  # b3 completes row 3


def proofs(
    states: list[QuixoState], spec: str, limit: Limit
) -> Iterator[tuple[QuixoState, Candidate[Push], Verdict]]:
    """Every proven candidate of the agent, and the solver's verdict on its move."""
    agent, oracle = load_agent(spec, GAME), oracle_for(GAME)
    for state in states:
        verdicts = oracle.verdicts(state)
        for candidate in agent.analyse(state, limit=limit, rng=Random(1)).candidates:
            if candidate.proven:
                yield state, candidate, verdicts[candidate.move]


def disproved(states: list[QuixoState], spec: str, limit: Limit) -> list[str]:
    """The proven candidates that the solver denies; there have to be proven ones."""
    found = list(proofs(states, spec, limit))
    assert len(found) > len(states)
    return [
        f"{state} {each.move}: {each.value} in {each.plies}, not {verdict}"
        for state, each, verdict in found
        if each.value != verdict.value or each.plies not in (None, verdict.plies)
    ]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seconds", [1e-5, 1e-4, 1e-3])
def test_cut_by_the_clock_it_calls_nothing_proven_that_is_false(
    seconds: float, threads: int
) -> None:
    spec = f"quixo-deep:threads={threads}"
    assert disproved(SOME, spec, Limit(seconds=seconds)) == []


@pytest.mark.parametrize("nodes", [1, 260, 330])
def test_cut_by_a_count_it_calls_nothing_proven_that_is_false(nodes: int) -> None:
    assert disproved(SOME, "quixo-deep", Limit(nodes=nodes)) == []


@pytest.mark.parametrize("depth", [4, 6])
def test_to_a_depth_it_knows_the_length_of_nearly_every_proven_end(depth: int) -> None:
    found = list(proofs(SOME, "quixo-deep", Limit(depth=depth)))
    known = [each.plies == verdict.plies for _, each, verdict in found if each.plies is not None]
    assert all(known)
    assert len(known) > 0.98 * len(found)


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(seconds=1e-6), Limit(depth=3)], ids=str)
def test_with_or_without_time_for_a_search_it_wins_at_once_and_says_so(limit: Limit) -> None:
    analysis = load_agent("quixo-deep", GAME).analyse(
        GAME.parse_state(AT_ONCE), limit=limit, rng=Random(1)
    )
    chosen = analysis.chosen
    assert (chosen.value, chosen.proven, chosen.plies) == (1, True, 1)
    assert analysis.reason == f"{analysis.choice} completes row 3."


def searched() -> Findings:
    return think(GAME, GAME.start, course_evaluation(3), limit=Limit(depth=2))


def branch() -> Branch:
    """A branch with the value 70, of a search to depth 4."""
    made = Branch({}, GAME.start, 0)
    made.note(70, -WIN - 1, 4)
    return made


def test_a_bound_as_high_as_a_win_is_no_proof_and_leaves_the_value_before() -> None:
    bounded, won = branch(), branch()
    bounded.note(WIN - 5, WIN - 5, 5)
    won.note(WIN - 5, 70, 5)
    assert (bounded.certain, bounded.expected, bounded.plies) == (False, 70, None)
    assert (won.certain, won.plies) == (True, 5)
    bounded.note(WIN - 7, WIN - 5, 6)
    assert (bounded.certain, bounded.expected) == (False, 70)
    bounded.note(30, WIN - 5, 7)
    assert bounded.expected == 30


def test_a_bound_as_low_as_a_loss_is_a_proof_but_not_of_its_length() -> None:
    lost = branch()
    lost.note(6 - WIN, 70, 7)
    assert (lost.certain, lost.most_plies, lost.plies) == (True, 6, None)
    lost.estimate, lost.complete = 20, 4  # no end within 4 plies, and the next are within 6
    assert (lost.certain, lost.plies) == (True, 6)


def test_the_length_of_a_win_is_known_once_no_quicker_one_can_be() -> None:
    won = branch()
    won.note(WIN - 9, 70, 5)
    assert (won.certain, won.plies) == (True, None)
    won.note(WIN - 9, WIN - 7, 8)  # not quicker than another branch: perhaps than itself
    assert won.plies is None
    won.note(WIN - 9, WIN - 9, 8)
    assert won.plies == 9


@pytest.mark.parametrize(
    ("value", "complete", "words"),
    [
        (WIN - 9, 9, "forces a line in 9 moves, "),
        (WIN - 9, 5, "forces a line within 9 moves, "),
        (8 - WIN, 8, "holds out longest, 8 moves."),
        (8 - WIN, 3, "holds out longest, at most 8 moves."),
    ],
)
def test_its_words_tell_a_length_from_a_bound(value: int, complete: int, words: str) -> None:
    findings = searched()
    findings.best.value, findings.best.complete = value, complete
    report = DeepReport(findings, course_evaluation(3))
    assert words in report.reason(findings.best.move)


def test_proven_ends_of_unknown_length_rank_after_those_of_a_known_one() -> None:
    ends = [(1.0, 3), (1.0, 7), (1.0, None), (0.0, None), (-1.0, 8), (-1.0, 2), (-1.0, None)]
    ranked = [Candidate("a1", value, proven=True, plies=plies) for value, plies in ends]
    shuffled = Random(1).sample(ranked, len(ranked))
    assert sorted(shuffled, key=rank) == ranked
