"""Eleven genes for Nim: the kernel against the plain rules, and what evolution makes of them."""

from random import Random

import numpy as np
import pytest

from agents.core import Limit
from agents.evolution.rules_fitness import ANY
from agents.evolution.trait_kernel import (
    GENES,
    NAMES,
    choices,
    traits_of,
    traits_of_move,
    win_shares,
)
from agents.evolution.trait_rules import SAYS, trait_policy
from agents.roster import OPPONENTS, load_agent, read_agent
from agents.tabular.exact import chances
from agents.tabular.graph import graph_of
from agents.training.brain_files import brain_path, save
from agents.training.trainer import finish
from engine import load_game
from engine.core import Seat
from engine.nim import Take
from tests.positions import reachable_states

NIM = load_game("nim")
SMALL = load_game("nim:heaps=1-2-3")
SPEC = "es-rules:genes=traits"


def genome(seed):
    return np.random.default_rng(seed).random(GENES)


def state_of(heaps):
    """A position with these heaps, reached by taking emptied ones away."""
    texts = heaps.split("-")
    state = load_game(f"nim:heaps={'-'.join(text if text != '0' else '9' for text in texts)}").start
    for at, text in enumerate(texts):
        if text == "0":
            state = state.play(Take(at, 9))
    return state


@pytest.mark.parametrize(
    ("heaps", "move", "has"),
    [
        ("1-3-2", Take(0, 1), {"all"}),  # leaves 3-2
        ("1-3-2", Take(1, 2), set()),  # 1-1-2
        ("3-4-5", Take(2, 1), {"equal"}),  # 3-4-4
        ("1-3-3", Take(0, 1), {"zero", "equal", "all"}),  # 3-3
        ("1-0-4", Take(2, 4), {"ones", "plain", "all"}),  # 1
        ("1-1-4", Take(2, 3), {"ones", "plain", "equal"}),  # 1-1-1
    ],
)
def test_a_move_has_the_traits_of_what_it_leaves(heaps, move, has):
    found = zip(NAMES, traits_of_move(state_of(heaps), move), strict=True)
    assert {name for name, yes in found if yes} == has


@pytest.mark.parametrize("seed", range(3))
def test_the_kernel_chooses_what_the_agent_does(seed):
    graph, found = graph_of(SMALL), genome(seed)
    by_edge = choices(graph.board, traits_of(SMALL), found)
    weights = 2 * found[:-1] - 1
    for at, state in enumerate(graph.tables.states):
        if graph.tables.over[at]:
            continue
        late = sum(n > 1 for n in state.heaps) / len(state.heaps) <= found[-1]
        own = weights[len(NAMES) :] if late else weights[: len(NAMES)]
        sums = [own @ np.array(traits_of_move(state, move), float) for move in state.legal_moves()]
        best = [abs(total - max(sums)) < 1e-12 for total in sums]
        expected = [chosen / sum(best) for chosen in best]
        assert by_edge[graph.edges(at)].tolist() == pytest.approx(expected)


def test_the_share_of_wins_is_that_of_the_exact_solver():
    graph, genomes = graph_of(SMALL), np.array([genome(1), genome(2)])
    policy = OPPONENTS.policy("random:by=heap", SMALL)
    found = win_shares(graph.board, traits_of(SMALL), graph.by_edge(policy), genomes, ANY)
    for share, each in zip(found, genomes, strict=True):
        ours = trait_policy(SMALL, each)
        exact = [chances(graph.tables, ours, policy, seat).wins for seat in Seat]
        assert share == pytest.approx(sum(exact) / 2)


@pytest.mark.slow
def test_ten_evolutions_pass_both_goals_that_three_genes_cannot_reach():
    """By self-play alone: no opponent that knows a winning rule, and no rule in the genome."""
    rates = {"random:by=heap": [], "nim-sum:leave=nonzero": []}
    entry, options = read_agent(f"{SPEC},generations=30", NIM)
    for seed in range(1, 11):
        brain = finish(entry.train(NIM, options, seed, None))
        policy = trait_policy(NIM, brain.arrays["population"][0])
        for opponent, found in rates.items():
            found.append(OPPONENTS.results(opponent, NIM, policy)["wins"])
    assert min(rates["random:by=heap"]) >= 0.75
    assert min(rates["nim-sum:leave=nonzero"]) >= 0.48


def test_its_exhibit_says_what_each_gene_does_and_which_spoke():
    agent = load_agent(SPEC, NIM)
    rng = Random(1)
    for state in reachable_states(NIM, 12, 5):
        analysis = agent.analyse(state, limit=Limit(), rng=rng, show=True)
        genes = analysis.exhibit.genes
        assert len(genes) == GENES
        for name in NAMES:
            told = [gene.says for gene in genes if gene.name.endswith(f" {name}")]
            assert [SAYS[name] in says for says in told] == [True, True]
        traits = dict(zip(NAMES, traits_of_move(state, analysis.choice), strict=True))
        spoke = {gene.name.split()[1] for gene in genes[:-1] if gene.spoke}
        assert spoke == {name for name, has in traits.items() if has}
        assert genes[-1].name == "end game"


def test_a_brain_of_eleven_genes_plays_whatever_the_option_says(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    entry, options = read_agent(f"{SPEC},generations=2,population=10", SMALL)
    save(finish(entry.train(SMALL, options, 1, None)), brain_path("eleven"))
    agent = load_agent("es-rules:brain=eleven", SMALL)
    analysis = agent.analyse(SMALL.start, limit=Limit(), rng=Random(1), show=True)
    assert len(analysis.exhibit.genes) == GENES
