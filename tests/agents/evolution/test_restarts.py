"""Rule evolutions as published: opponents, restarts, and what the length of a win is worth."""

from itertools import pairwise

import numpy as np
import pytest

from agents.errors import UnsuitableAgentError
from agents.evolution import es_rules
from agents.evolution.restarts import NEVER, Restarts, read_until
from agents.evolution.rules_fitness import (
    ANY,
    LONGER,
    SHORTER,
    Genome,
    heaps_of,
    win_shares,
    worth,
)
from agents.roster import OPPONENTS, find_agent, load_agent, read_agent
from agents.tabular.graph import graph_of
from agents.training.trainer import finish
from benchmarks.results.claims import CLAIMS
from engine import Seat, load_game
from engine.errors import InvalidSpecError
from tests.agents.learning.helpers import training

SMALL = "nim:heaps=1-2-3"
HEAPS = "random:by=heap"


def worth_by_hand(genome: Genome, spec: str, length: int) -> float:
    """What its wins against a random player are worth, game by game through the whole tree."""
    game = load_game(spec)
    objects = sum(game.start.heaps)

    def value(state, seat: Seat, plies: int) -> float:
        if (outcome := state.outcome()) is not None:
            half = plies / objects / 2
            by_length = {ANY: 1.0, LONGER: 0.5 + half, SHORTER: 1 - half}
            return by_length[length] if outcome.winner is seat else 0.0
        moves = state.legal_moves()
        chances = dict.fromkeys(moves, 1 / len(moves))
        if state.to_move is seat:
            chances = genome.chances(state)
        return sum(
            chance * value(state.play(move), seat, plies + 1) for move, chance in chances.items()
        )

    return sum(value(game.start, seat, 0) for seat in Seat) / 2


@pytest.mark.parametrize("length", [ANY, LONGER, SHORTER])
def test_a_win_is_worth_its_length(length) -> None:
    genes = [(0.2, 0.5, 0.0), (0.9, 0.1, 0.7), (0.0, 1.0, 0.3)]
    game = load_game(SMALL)
    graph = graph_of(game)
    theirs = graph.by_edge(OPPONENTS.policy("random", game))
    found = win_shares(graph.board, heaps_of(game), theirs, np.array(genes), length)
    by_hand = [worth_by_hand(Genome(*each), SMALL, length) for each in genes]
    assert found.tolist() == pytest.approx(by_hand)


def test_the_longest_and_the_shortest_win_are_worth_twice_the_other() -> None:
    assert [worth(plies, 10, LONGER) for plies in (0, 5, 10)] == [0.5, 0.75, 1.0]
    assert [worth(plies, 10, SHORTER) for plies in (0, 5, 10)] == [1.0, 0.75, 0.5]


def mean_plies(spec: str) -> float:
    """The mean length of games against a random player."""
    game = load_game("nim:heaps=3-4-5")
    policy = es_rules.policy(game, load_agent(spec, game).agent.genome)
    theirs, tables = OPPONENTS.policy("random", game), graph_of(game).tables
    lasting = np.zeros((2, len(tables.states)))
    by_objects = np.argsort([sum(state.heaps) for state in tables.states], kind="stable")
    for seat in (0, 1):
        for at in by_objects:
            if not tables.over[at]:
                chances = (policy if tables.mover[at] == seat else theirs)[at]
                after = tables.successor[at][chances > 0]
                lasting[seat, at] = 1 + chances[chances > 0] @ lasting[seat, after]
    return float(lasting[:, 0].mean())


@pytest.mark.slow
def test_those_bred_for_long_games_play_longer_ones() -> None:
    recipe = "es-rules:population=30,generations=20,opponents=random+self"
    assert mean_plies(f"{recipe},fitness=longer") > mean_plies(f"{recipe},fitness=shorter")


@pytest.mark.parametrize("chosen", ["random", "random+self", "random:by=heap+nim-sum:leave=zero"])
def test_opponents_of_a_training_are_one_or_several(chosen: str) -> None:
    brain = finish(training(SMALL, f"es-rules:population=8,generations=3,opponents={chosen}"))
    assert brain.parameters["opponents"] == chosen


def test_an_attempt_ends_after_so_many_generations() -> None:
    _, options = read_agent("es-rules:until=random>0.5,restart=10", load_game(SMALL))
    restarts = Restarts.of(OPPONENTS, load_game(SMALL), options)
    assert list(restarts.stretches(7, 15)) == [(7, 3), (10, 10), (20, 2)]
    assert [at for at in range(25) if restarts.begins_attempt(at)] == [10, 20]
    _, usual = read_agent("es-rules", load_game(SMALL))
    assert Restarts.of(OPPONENTS, load_game(SMALL), usual).every == NEVER


IN_VAIN = "es-rules:population=6,generations=12,restart=4,until=nim-expert>0.999"
AT_ONCE = "es-rules:population=6,generations=12,restart=4,until=random>0.01"


def test_an_evolution_begins_anew_until_it_wins_enough_and_then_stays_as_it_is() -> None:
    tried, passed = (finish(training(SMALL, spec)) for spec in (IN_VAIN, AT_ONCE))
    once = finish(training(SMALL, "es-rules:population=6,generations=4"))
    assert (tried.arrays["passed"].item(), passed.arrays["passed"].item()) == (0, 4)
    assert (passed.arrays["population"] == once.arrays["population"]).all()
    ancestors = dict(zip(tried.arrays["generation"], tried.arrays["ancestors"], strict=True))
    assert (ancestors[2] != ancestors[5]).any()


@pytest.mark.parametrize("spec", [IN_VAIN, AT_ONCE])
def test_restarts_repeat_themselves_from_any_point(spec: str) -> None:
    whole = list(training(SMALL, spec))
    assert {later.step > earlier.step for earlier, later in pairwise(whole)} == {True}
    for checkpoint in whole[:-1]:
        resumed = finish(training(SMALL, spec, resume=checkpoint.brain))
        assert resumed.digest == whole[-1].brain.digest


@pytest.mark.parametrize("until", ["random", "random>", "random>1", "random>x", ">0.5", "a>0.1+"])
def test_a_condition_that_cannot_be_read_is_said(until: str) -> None:
    with pytest.raises(InvalidSpecError, match="no agent with a share below 1"):
        read_until(until)


def test_conditions_name_agents_with_one_option_at_most() -> None:
    found = read_until("random:by=heap>0.65+nim-sum:leave=nonzero>0.4")
    assert found == (("random:by=heap", 0.65), ("nim-sum:leave=nonzero", 0.4))


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ("opponents=mcts", UnsuitableAgentError, "thinks too long"),
        ("until=mcts>0.5", UnsuitableAgentError, "thinks too long"),
        ("opponents=random+nobody", InvalidSpecError, "nobody"),
        ("until=nobody>0.5", InvalidSpecError, "nobody"),
    ],
)
def test_whom_it_cannot_train_against_is_said_at_once(settings, error, words) -> None:
    game = load_game(SMALL)
    entry, options = read_agent(f"es-rules:{settings}", game)
    for asked in (entry.suits, lambda *given: entry.train(*given, 1, None)):
        with pytest.raises(error, match=words):
            asked(game, options)


def test_each_opponent_adds_to_the_time() -> None:
    seconds = es_rules.RuleEvolution(OPPONENTS).seconds
    game = load_game("nim")
    specs = ["es-rules", "es-rules:opponents=self+random", "es-rules:opponents=self+random+random"]
    times = [seconds(game, read_agent(spec, game)[1]) for spec in specs]
    assert times == sorted(set(times))


def test_as_published_is_a_setting_with_a_name() -> None:
    game = load_game("nim")
    _, options = read_agent("es-rules:preset=published", game)
    assert (options["mutants"], options["plays"]) == ("survivors", "best")
    assert read_until(options.text("until")) == (
        (HEAPS, 0.65),
        ("nim-sum:leave=nonzero", 0.4),
    )
    asked = {
        claim.opponent: claim for claim in CLAIMS if claim.agent == "es-rules:preset=published"
    }
    assert {spec: claim.target for spec, claim in asked.items()} == dict(
        read_until(options.text("until"))
    )
    assert find_agent("es-rules").presets[0].name == "published"
