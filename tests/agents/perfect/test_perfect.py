"""The exact solver against published facts, theory and a second algorithm."""

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.perfect.oracles import ENDLESS, Oracle, TableOracle, TheoryOracle, oracle_for, solve
from agents.perfect.solver import LONGEST_LINE, Perfect
from agents.perfect.summary import solve as summed_up
from engine import Match, load_game, nim_theory
from engine.core import Verdict
from engine.entry import Theory
from tests.positions import reachable_states

LARGE = load_game("nim:heaps=50-50-50-50-50-50-50-50-50-50")


@cache
def negamax(state: Any) -> int:
    outcome = state.outcome()
    if outcome is not None:
        return int(outcome.score(state.to_move))
    return max(-negamax(state.play(move)) for move in state.legal_moves())


@pytest.mark.parametrize(
    ("spec", "states", "value", "plies"),
    [
        ("tictactoe", 5478, 0, 9),
        ("nim", 7648, 1, 16),
        ("quixo:size=3", 32027, 1, 7),
        ("nim:preset=twenty-one", 42, -1, 11),
    ],
)
def test_the_start_has_its_known_value(spec: str, states: int, value: int, plies: int) -> None:
    solution = solve(load_game(spec))
    assert len(solution.tables.states) == states
    assert (solution.value[0], solution.plies[0]) == (value, plies)


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1-3-5-7", "nim:heaps=3-4-5,max_take=2"])
def test_the_solution_equals_plainnegamax_on_every_state(spec: str) -> None:
    solution = solve(load_game(spec))
    assert [negamax(state) for state in solution.tables.states] == solution.value.tolist()


@pytest.mark.slow
def test_every_solved_value_of_quixo_follows_from_its_successors() -> None:
    """A won state has a lost successor one ply nearer its end, a lost one only won successors."""
    solution = solve(load_game("quixo:size=3"))
    states = solution.tables.states

    def looks_ahead(at: int) -> tuple[int, int]:
        after = [
            (int(solution.value[number]), int(solution.plies[number]))
            for number in solution.tables.successor[at]
            if number >= 0
        ]
        lost = [plies for value, plies in after if value < 0]
        if lost:
            return 1, min(lost) + 1
        if all(value > 0 for value, _ in after):
            return -1, max(plies for _, plies in after) + 1
        return 0, ENDLESS

    open_states = [at for at, state in enumerate(states) if not solution.tables.over[at]]
    found = [(int(solution.value[at]), int(solution.plies[at])) for at in open_states]
    assert found == [looks_ahead(at) for at in open_states]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tictactoe", "nim", "quixo:size=3", "nim:preset=normal"])
def test_perfect_never_gives_away_part_of_what_a_position_is_worth(spec: str) -> None:
    game = load_game(spec)
    agent, oracle = load_agent("perfect", game), oracle_for(game)
    states = [game.start, *reachable_states(game, 150, seed=1)]
    kept = [oracle.probe(state.play(agent.analyse(state).choice)) for state in states]
    worth = [oracle.probe(state) for state in states]
    assert [after.seen_by_mover().value for after in kept] == [before.value for before in worth]
    # Wins as soon, losses as late as can be: on 3×3 Quixo in the seven plies of its start.
    decided = [(b, a.seen_by_mover()) for b, a in zip(worth, kept, strict=True) if b.value]
    assert [after for _, after in decided] == [before for before, _ in decided]


def test_perfect_sets_the_trap_with_most_wrong_answers() -> None:
    """A corner opening leaves seven of eight replies losing, the centre only four of eight."""
    game = load_game("tictactoe")
    analysis = load_agent("perfect", game).analyse(game.start, limit=Limit(), rng=Random(0))
    played = {str(c.move) for c in analysis.candidates if c.chance > 0}
    assert played == {"a1", "a3", "c1", "c3"}
    assert "88%" in analysis.reason


@pytest.mark.parametrize(
    ("spec", "state", "reason"),
    [
        ("tictactoe", ".../.../... x", "holds the draw, so do 8 others;"),
        ("tictactoe", ".xo/o.x/xox o", "holds the draw, so does one other;"),
        ("tictactoe", ".../.../x.. o", "b2 holds the draw, every other move loses;"),
        (LARGE.spec, "50-49-0-0-0-0-0-0-0-0 x", "a1 wins; no other move wins."),  # by theory
    ],
)
def test_perfect_says_how_many_moves_do_as_well(spec: str, state: str, reason: str) -> None:
    game = load_game(spec)
    analysis = load_agent("perfect", game).analyse(game.parse_state(state), rng=Random(0))
    assert reason in analysis.reason
    assert isinstance(oracle_for(game), TheoryOracle if game == LARGE else TableOracle)


@dataclass(frozen=True)
class Counting:
    """An oracle that counts what it is asked."""

    oracle: Oracle
    asked: list[Any] = field(default_factory=list)
    source = "counting"

    def probe(self, state: Any) -> Verdict:
        return self.oracle.probe(state)

    def verdicts(self, state: Any) -> dict[Any, Verdict]:
        self.asked.append(state)
        return self.oracle.verdicts(state)


@pytest.mark.parametrize("show", [False, True])
def test_where_hundreds_of_moves_are_as_bad_only_the_one_it_plays_has_a_line(show: bool) -> None:
    oracle = Counting(oracle_for(LARGE))
    said = Perfect(oracle).analyse(LARGE.start, limit=Limit(), rng=Random(0), show=show)
    lines = {len(each.line) for each in said.candidates if each.move != said.choice}
    assert (len(said.candidates), len(said.chosen.line), lines) == (500, LONGEST_LINE, {1})
    assert len(oracle.asked) <= 1 + 500 * (1 + show) + LONGEST_LINE


def test_a_theory_that_knows_all_moves_at_once_is_not_asked_about_each() -> None:
    theory = Theory("Bouton", lambda state: pytest.fail("asked one by one"), nim_theory.verdicts)
    said = Perfect(TheoryOracle(theory)).analyse(LARGE.start, limit=Limit(), rng=Random(0))
    assert said.chosen.value == -1


def test_the_line_it_expects_is_best_play_to_the_end() -> None:
    game = load_game("nim")
    said = load_agent("perfect", game).analyse(game.start, limit=Limit(), rng=Random(0))
    values = [
        oracle_for(game).probe(state).value for state in Match.replay(game, said.chosen.line).states
    ]
    assert values == [1, -1] * 4 + [1]


def test_a_state_no_play_leads_to_is_solved_from_where_it_stands() -> None:
    game = load_game("nim:heaps=1-3")
    oracle = oracle_for(game)
    assert isinstance(oracle, TableOracle)
    state = game.parse_state("0-3 x")  # only o can be to move after one ply
    assert state not in oracle.solution.tables.number
    assert (oracle.probe(state).value, oracle.probe(state).plies) == (1, 2)


def test_a_solved_game_is_summed_up_every_state_once() -> None:
    summary = summed_up(load_game("tictactoe"))
    assert summary.start == Verdict(0, 9)
    assert {verdict for _, verdict in summary.moves} == {Verdict(0, 9)}
    assert summary.states == 5_478
    assert (summary.wins, summary.draws, summary.losses) == (2_836, 1_068, 1_574)


def test_the_values_of_one_short_heap_are_those_by_hand() -> None:
    # Last loses, heap of 2: x takes one and o must take the last; taking both loses.
    # States: 2 x (won), 1 o (lost), 0 o (x took the last: won for o), 0 x (won for x).
    summary = summed_up(load_game("nim:heaps=2"))
    assert summary.start == Verdict(1, 2)
    assert (summary.wins, summary.draws, summary.losses) == (3, 0, 1)
    moves = {str(move): verdict for move, verdict in summary.moves}
    assert moves == {"a1": Verdict(1, 2), "a2": Verdict(-1, 1)}
