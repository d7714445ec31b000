"""The evolved Nim agents: exact results, evidence, ancestors and training time."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

from agents import Limit, load_agent
from agents.compute.rng import new_stream
from agents.errors import MissingBrainError, UnsuitableBrainError
from agents.evolution import ea_table, es_mix, es_rules, generations
from agents.evolution.es_move import weights_text
from agents.evolution.move_kernel import draw_count
from agents.evolution.rules_exhibit import POPULATION, generation, wins_of_genome
from agents.evolution.rules_fitness import Genome, pick, wins_of
from agents.roster import OPPONENTS, find_agent, read_agent
from agents.tabular.exact import Chances, chances, over_seats
from agents.tabular.graph import graph_of
from agents.tabular.tables import tabulate
from agents.training.brain_files import brain_path, save
from agents.training.shipped import recall
from agents.training.trainer import SEED, finish, with_length
from benchmarks.results.claims import CLAIMS
from benchmarks.results.figures import measure
from engine import Seat, load_game
from engine.errors import InvalidSpecError
from tests.agents.learning.helpers import shipped, trained, training
from tests.positions import reachable_states
from tests.soak import lessened

HEAPS = "random:by=heap"
NONZERO = "nim-sum:leave=nonzero"
NIM = load_game("nim")


def exactly(agent: str, opponent: str, seat: Seat | None = None) -> Chances:
    """The exact shares of wins and losses, from both policies tabulated."""
    own, theirs = (OPPONENTS.policy(spec, NIM) for spec in (agent, opponent))
    if seat is None:
        return over_seats(tabulate(NIM), own, theirs)
    return chances(tabulate(NIM), own, theirs, seat)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "opponent", "seat", "low", "high"),
    [
        ("nim-sum", HEAPS, Seat.FIRST, 0, 0),  # it never wins misère
        ("nim-sum", HEAPS, Seat.SECOND, 1e-12, 0.0002),  # and here hardly ever
        (NONZERO, HEAPS, None, 0.71, 0.73),  # the course's optimal
        (NONZERO, "nim-expert", None, 0, 0),
        ("nim-expert", HEAPS, Seat.FIRST, 1 - 1e-12, 1 + 1e-12),
        pytest.param("es-move", HEAPS, None, 0.95, 1, marks=pytest.mark.soak),
    ],
)
def test_a_nim_player_wins_as_often_as_it_should(agent, opponent, seat, low, high) -> None:
    assert low <= exactly(agent, opponent, seat).wins <= high


@pytest.mark.slow
def test_the_experts_traps_reach_the_limit_as_second() -> None:
    assert exactly("nim-expert", HEAPS, Seat.SECOND).losses == pytest.approx(7.4847e-9, rel=1e-4)


def best_of_all_genomes(opponent: str, steps: tuple[float, ...]) -> float:
    """The exact most that three genes can win. Only six shares of odd heaps differ."""
    tables, theirs = tabulate(NIM), OPPONENTS.policy(opponent, NIM)
    genomes = product((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), steps, steps)
    return max(
        over_seats(tables, es_rules.policy(NIM, Genome(*genes)), theirs).wins for genes in genomes
    )


@pytest.mark.soak
@pytest.mark.parametrize(("opponent", "limit"), [(HEAPS, 0.6674), (NONZERO, 0.4033)])
@pytest.mark.parametrize(
    "steps", [(0.0, 1.0), pytest.param((0.0, 0.25, 0.5, 0.75, 1.0), marks=pytest.mark.soak)]
)
def test_three_evolved_genes_come_within_two_points_of_their_limit(opponent, limit, steps) -> None:
    best = best_of_all_genomes(opponent, steps)
    assert best == pytest.approx(limit, abs=0.0001)
    assert best - 0.02 <= exactly("es-rules", opponent).wins <= best + 1e-9


@pytest.mark.parametrize("first", [0.0, 1.0])
@pytest.mark.parametrize("odd", [0.0, 0.3, 0.5, 1.0])
def test_the_kernel_picks_the_heaps_the_agent_does(odd, first) -> None:
    states = reachable_states(NIM, 60, seed=3)
    genes = np.array([odd, first, 0.5])
    picked = [pick(genes, np.array(state.heaps), new_stream()) for state in states]
    may = [Genome(odd, first, 0.5).heaps(state) for state in states]
    assert all(chances[heap] == 1 for heap, chances in zip(picked, may, strict=True))


@pytest.mark.soak
def test_the_default_table_wins_about_72_percent_of_normal_play_whatever_its_seed() -> None:
    claim = next(claim for claim in CLAIMS if claim.trainings and "ea-table" in claim.agent)
    figure = measure(replace(claim, trainings=lessened(10, 4)))
    assert figure.value == pytest.approx(0.72, abs=0.03)
    assert figure.interval is not None
    assert figure.interval[0] < 0.72 < figure.interval[1]
    # A smaller population that mutates more passes 95 per cent.
    brain = trained("nim:last=wins", "ea-table:population=100,mutation=0.7,generations=3000")
    assert brain.curve[-1].metrics["wins"] > 0.95


@pytest.mark.slow
def test_the_mixture_converges_on_the_expert_and_is_resumed_without_its_ancestors() -> None:
    brain = shipped("es-mix", NIM)
    curve = [point.metrics["expert"] for point in brain.curve]
    assert curve[0] < 0.8 < 0.95 < curve[-1]
    assert brain.curve[-1].metrics["wins"] > 0.999
    bare = replace(brain, arrays={"population": brain.arrays["population"]})  # no ancestors
    resumed = finish(training("nim", "es-mix:generations=104", resume=bare))
    assert resumed.arrays["generation"].tolist() == [102, 104]


def test_the_opponents_of_a_mixture_take_turns() -> None:
    players = np.array([OPPONENTS.odds(spec, NIM) for spec in es_mix.PLAYERS])
    expert = np.array([0.0, 0.0, 1.0])

    def won(*specs: str) -> int:
        """By an expert, of four games."""
        rivals = np.array([OPPONENTS.odds(spec, NIM) for spec in specs])
        return es_mix.games_won(graph_of(NIM).board, players, rivals, expert, 4, new_stream())

    assert won("greedy-heap") == 4
    assert won("nim-expert") == 2  # whoever moves first has won
    assert won("greedy-heap", "nim-expert") == won("nim-expert", "greedy-heap") == 3
    brain = finish(training("nim", "es-mix:generations=2,opponent=greedy-heap+nim-expert"))
    assert brain.parameters["opponent"] == "greedy-heap+nim-expert"
    with pytest.raises(InvalidSpecError):
        training("nim", "es-mix:opponent=greedy-heap+nobody")


def test_the_bred_move_shows_its_population_and_how_fit_it_became() -> None:
    state = NIM.parse_state("0-1-0-4-1 o")
    analysis = load_agent("es-move", NIM).analyse(state)
    facts = {fact.name: fact.value for fact in analysis.evidence}
    assert facts["heap a"] == "fitness -1: an empty heap"
    assert facts["heap d"] == "takes 3, fitness 3: the right heap and count"
    assert str(facts["fitness by generation"]).startswith("0: best ")
    assert "200: best 3" in str(facts["fitness by generation"])


@pytest.mark.parametrize("weights", [[1.0, 3.0], [0.0, 0.5, -2.0, 0.5], [0.0, 0.0]])
def test_a_count_is_drawn_as_often_as_its_weight_says(weights) -> None:
    draws = 3000
    counts = Counter(draw_count(np.array(weights)) for _ in range(draws))
    total = sum(max(weight, 0) for weight in weights)
    expected = [max(weight, 0) / total for weight in weights] if total else [1, 0]
    assert [counts[at] / draws for at in range(len(weights))] == pytest.approx(expected, abs=0.05)


PUBLISHED = "es-move:preset=published"


def test_as_published_only_the_fittest_heap_has_children() -> None:
    state = NIM.parse_state("0-1-2-4-1 o")
    agent = load_agent(PUBLISHED, NIM)
    assert agent.spec == "es-move:take=drawn,parents=one"
    for seed in range(20):
        analysis = agent.analyse(state, limit=Limit(), rng=Random(seed), show=True)
        facts = {fact.name: str(fact.value) for fact in analysis.evidence}
        bred = [name for name, text in facts.items() if text.startswith("takes ")]
        assert bred == [f"heap {str(analysis.choice)[0]}"]
        assert facts["heap a"] == "fitness -1: an empty heap"
        assert sum("no children" in text for text in facts.values()) == 3
        assert facts["generations"] == "200 of 5 children"
        (gene,) = analysis.exhibit.genes
        assert "Weights: take " in gene.says
        assert len(analysis.exhibit.courses[0].lines) == 1


def test_the_exhibit_shows_the_largest_weights_first() -> None:
    shown = weights_text(np.array([0.1, 0.5, -0.02, 0.3, 0.2, 0.0, 0.4]))
    largest = "take 2 0.500, take 7 0.400, take 4 0.300, take 5 0.200, take 1 0.100"
    assert shown == f"Weights: {largest} and 2 smaller."
    assert weights_text(np.array([0.25])) == "Weights: take 1 0.250."


@pytest.mark.slow
def test_as_published_it_wins_about_95_percent() -> None:
    claim = next(claim for claim in CLAIMS if claim.agent == PUBLISHED)
    figure = measure(replace(claim, seeds=lessened(20, 4)))
    assert figure.value == pytest.approx(0.955, abs=0.03)
    assert figure.spread[0] <= figure.value <= figure.spread[1]


def test_the_evolved_table_says_what_it_has_not_found_yet_and_names_no_move_there_is_not() -> None:
    assert "e9 would have been paid 19" in load_agent("ea-table", NIM).analyse(NIM.start).reason
    brain = shipped("ea-table", NIM)
    astray = replace(brain, arrays={"best": brain.arrays["best"] + 99})
    with pytest.raises(UnsuitableBrainError, match="names a move there is not"):
        ea_table.TableEvolution(OPPONENTS).agent(NIM, astray, {})


@pytest.mark.parametrize("spec", ["es-rules", "es-mix"])
def test_the_population_at_every_point_of_the_curve_is_recorded_as_bytes(spec: str) -> None:
    brain = shipped(spec, NIM)
    ancestors, population = brain.arrays["ancestors"], brain.arrays["population"]
    assert brain.arrays["generation"].tolist() == [point.step for point in brain.curve]
    assert ancestors.shape == (len(brain.curve), *population.shape)
    assert ancestors[-1] / generations.QUANTA == pytest.approx(population, abs=0.5 / 255)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["es-rules:population=20", "es-mix:parents=4,games=5"])
def test_an_ancestor_of_a_brain_with_a_name_was_one(agent, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    game = load_game("nim:heaps=1-2-3")
    entry, options = read_agent(f"{agent},generations=3", game)
    offered = {}
    for seed in (SEED, SEED + 1):
        brain = finish(entry.train(game, options, seed, None))
        save(brain, brain_path("own"))
        own = load_agent(f"{entry.key}:brain=own", game)
        analysis = own.analyse(game.start, limit=Limit(), rng=Random(1), show=True)
        offered[seed] = analysis.exhibit.ancestors
    assert offered[SEED + 1] == ()  # nobody could breed it again
    settings = dict(offered[SEED][0].settings)
    spec = ",".join(f"{name}={text}" for name, text in settings.items())
    _, again = read_agent(f"{entry.key}:{spec}", game)
    bred = recall(entry.key, game, again, entry.train, lambda *_: 0.0)
    earlier = with_length(options, int(settings["generations"]))
    assert bred.digest == finish(entry.train(game, earlier, SEED, None)).digest


WORK = [
    ("es-rules", es_rules.Genomes, "generations=1000", "population=1000"),
    ("es-mix", es_mix.MixtureEvolution, "games=5000", "parents=1000"),
    ("ea-table", ea_table.TableEvolution, "generations=20000", "children=1000"),
]


@pytest.mark.parametrize(("key", "learner", "more", "most"), WORK)
def test_every_option_that_prolongs_an_evolution_adds_to_its_time(key, learner, more, most) -> None:
    entry = find_agent(key)
    specs = (key, f"{key}:{more}", f"{key}:{more},{most}")
    usual, longer, longest = (
        learner(OPPONENTS).seconds(NIM, read_agent(spec, NIM)[1]) for spec in specs
    )
    assert 0 < usual < longer < longest
    with pytest.raises(MissingBrainError, match="takes too long to do on the spot"):
        entry.make(NIM, read_agent(specs[-1], NIM)[1])


# --- the demonstration of an evolution, bred one generation at a time

SMALL = "nim:heaps=1-3-5"


@pytest.mark.slow
def test_what_a_genome_wins_is_what_the_kernel_says() -> None:
    genes = [(0.2, 0.5, 0.0), (0.9, 0.1, 0.7), (0.0, 1.0, 0.3)]
    exact = wins_of(OPPONENTS, load_game(SMALL), "random", np.array(genes))
    assert [wins_of_genome(SMALL, Genome(*each)) for each in genes] == pytest.approx(exact.tolist())


def test_the_better_half_lives_on_and_the_best_never_gets_worse() -> None:
    before, after = generation(SMALL, 3), generation(SMALL, 4)
    survivors = [one.genome for one in after if len(one.parents) == 1]
    assert sorted(map(str, survivors)) == sorted(
        str(one.genome) for one in before[: POPULATION // 2]
    )
    assert len(after) == POPULATION
    assert after[0].wins >= before[0].wins


def test_a_gene_of_a_child_is_a_parents_or_drawn_anew_and_the_same_whenever_it_is_bred() -> None:
    before, after = generation(SMALL, 0), generation(SMALL, 1)
    generation.cache_clear()
    assert generation(SMALL, 1) == after
    children = [one for one in after if len(one.parents) == 2]
    assert len(children) == POPULATION // 2
    assert any(
        child.genome.odd in {before[parent].genome.odd for parent in child.parents}
        for child in children
    )
