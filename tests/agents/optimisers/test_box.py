"""Searches on a box: what holds for all of them, and for some."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.compute.rng import Stream, new_stream
from agents.optimisers.black_box.batches import answering
from agents.optimisers.black_box.course import flip_chance, shuffled_children, winner
from agents.optimisers.black_box.genomes import (
    distance,
    diversity,
    from_int,
    packed,
    random_genomes,
    to_int,
    unpacked,
)
from agents.optimisers.black_box.local_search import adapted
from agents.optimisers.black_box.run import BoxRun, BoxSession
from agents.optimisers.black_box.variation import UNIFORM, cross, mutate
from agents.optimisers.entry import IDLE, Answers, Arrays, BrokenSearchError, Genomes, Patient
from agents.optimisers.roster import load_search, searches_for
from agents.optimisers.runs import optimise, run_slice
from engine.problems import load_problem
from engine.problems.entry import ProblemShape
from tests.agents.optimisers.enumeration import seeded_rng

KEYS = [entry.key for entry in searches_for(ProblemShape.BOX)]
SEALED = [f"black-box:groups={groups},sealed=yes" for groups in (1, 2, 5, 10)]
CALLS = 700


def session(ask: Callable[[Genomes], Answers], search: str, seed: int = 1) -> BoxSession:
    return BoxSession(ask, 1000, 1.0, load_search(search, "black-box")[1], seed)


class Recorded:
    """Answers like the box of a problem and records the genomes asked about."""

    __slots__ = ("__ask", "asked")

    def __init__(self, problem: str) -> None:
        self.__ask = answering(load_problem(problem))
        self.asked: list[int] = []

    def __call__(self, genomes: Genomes) -> Answers:
        self.asked += [to_int(genome, 1000) for genome in genomes]
        return self.__ask(genomes)


@pytest.mark.slow
@pytest.mark.parametrize("groups", [1, 2, 3, 5, 10, 17, 64])
@pytest.mark.parametrize("sealed", ["no", "yes"])
def test_a_batch_gives_the_values_of_single_calls(groups: int, sealed: str) -> None:
    box = load_problem(f"black-box:groups={groups},seed=2,sealed={sealed}")
    genomes = np.concatenate([random_genomes(50, 1000, seeded_rng()), packed(np.eye(3, 1000) > 0)])
    values = [box.value(to_int(genome, 1000)) for genome in genomes]
    assert answering(box)(genomes).tolist() == values


@pytest.mark.parametrize("search", KEYS)
@pytest.mark.parametrize("problem", ["black-box:groups=2", "black-box:groups=5,sealed=yes"])
def test_a_search_needs_nothing_but_numbers_and_every_call_is_counted_in_its_curve(
    problem: str, search: str
) -> None:
    box = Recorded(problem)
    run = session(box, search).advance(BoxRun(), CALLS, seconds=600)
    values = [load_problem(problem).value(genome) for genome in box.asked]
    assert run.calls == len(box.asked) <= CALLS
    assert run.genome in box.asked
    assert run.best == max(values) == load_problem(problem).value(run.genome)
    calls, bests = zip(*run.curve, strict=True)
    assert list(calls) == sorted(set(calls))
    assert list(bests) == [max(values[:by]) for by in calls]
    assert (calls[-1], bests[-1]) == (run.calls, run.best)
    with pytest.raises((AttributeError, TypeError)):  # there is no place to keep a box
        load_search(search, "black-box")[1].box = box


@pytest.mark.parametrize("search", KEYS)
def test_the_same_seed_asks_the_same_however_a_run_is_cut(search: str) -> None:
    whole, parts, other = (Recorded(SEALED[2]) for _ in range(3))
    run = session(whole, search, 4).advance(BoxRun(), 300, seconds=600)
    session(other, search, 5).advance(BoxRun(), 300, seconds=600)
    cut, cut_session = BoxRun(), session(parts, search, 4)
    while not cut.ended:
        cut = cut_session.advance(cut, 300, seconds=0)  # after every round
    assert cut == run
    assert whole.asked == parts.asked != other.asked


POPULATION = (0.5, 0.0, 0.1)  # about where it begins, and between which it ends
RECENT = (0.0, 0.0, 0.25)  # of a search with one genome: its recent ones


@pytest.mark.parametrize(
    ("search", "begins", "low", "high"),
    [
        *((key, *POPULATION) for key in ("course-first", "course-second", "genetic")),
        *((key, *POPULATION) for key in ("islands", "crowding")),
        *((key, *RECENT) for key in ("annealing", "tabu", "one-plus-one", "one-plus-lambda")),
    ],
)
def test_a_population_differs_in_half_of_its_bits_and_grows_alike(
    search: str, begins: float, low: float, high: float
) -> None:
    (one,) = optimise("black-box", search, calls=20_000 if begins else 2_000)
    spread = [share for _, share in one.run.diversity]
    assert spread[0] == pytest.approx(begins, abs=0.02 if begins else high)
    assert low <= min(spread) <= spread[-1] < high
    assert min(spread) < max(spread) < (0.52 if begins else high)


def test_diversity_is_the_mean_over_all_pairs() -> None:
    genomes = random_genomes(5, 1000, seeded_rng())
    bits = unpacked(genomes, 1000)
    pairs = [(a, b) for a in range(5) for b in range(a)]
    apart = [(bits[a] != bits[b]).sum() for a, b in pairs]
    assert [distance(genomes[a], genomes[b]) for a, b in pairs] == apart
    assert diversity(genomes, 1000) == pytest.approx(np.mean(apart) / 1000)
    for without in ("probe", "weigh"):
        assert next(optimise("black-box", without)).run.diversity == ()


class FixedSearch:
    """Proposes the same genomes every round."""

    def __init__(self, genomes: Genomes) -> None:
        self.genomes = genomes

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        return self.genomes

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        return {"seen": answers}

    def living(self, state: Arrays) -> Genomes:
        return np.zeros((0, 16), np.int64)


def test_a_batch_is_cut_to_the_calls_that_are_left() -> None:
    box = Recorded("black-box:groups=10")
    one = BoxSession(box, 1000, 1.0, FixedSearch(random_genomes(70, 1000, seeded_rng())), 1)
    run = one.advance(BoxRun(), 100, 600)
    assert (run.calls, len(box.asked), run.ended) == (100, 100, True)
    assert len(run.state["seen"]) == 30


@pytest.mark.parametrize(
    "genomes",
    [
        np.zeros((3, 15), np.int64),
        np.zeros((3, 17), np.int64),
        np.zeros(16, np.int64),
        np.zeros((3, 16), np.float64),
        np.ones((3, 16), np.int64),
    ],
)
def test_a_genome_of_another_length_is_not_asked(genomes: Genomes) -> None:
    box = Recorded("black-box")
    one = BoxSession(box, 1000, 1.0, FixedSearch(genomes), 1)
    with pytest.raises(BrokenSearchError, match="1,000 bits"):
        one.advance(BoxRun(), 100, 600)
    assert box.asked == []


@pytest.mark.slow
def test_the_courses_second_search_lives_on_all_ones_being_the_answer() -> None:
    (open_box,) = optimise("black-box:groups=2", "course-second")
    (sealed,) = optimise("black-box:groups=2,sealed=yes", "course-second")
    assert open_box.run.best == 1.0
    assert sealed.run.best < 0.8
    assert sealed.run.calls == 30_010


def test_the_courses_first_search_stops_when_nothing_is_gained() -> None:
    (one,) = optimise("black-box:groups=10", "course-first")
    assert one.run.calls < 200_000
    assert (one.run.calls - 10) % 5 == 0
    idle = [calls for calls, best in one.run.curve if best < one.run.best - 0.001]
    assert one.run.calls - idle[-1] >= 10_000


def test_a_gaussian_of_a_fifth_flips_one_bit_in_eighty() -> None:
    rng = np.random.default_rng(1)
    noise = np.round(rng.normal(0, 0.2, 1_000_000)) % 2
    assert flip_chance(0.2) == pytest.approx(noise.mean(), rel=0.05)
    assert flip_chance(0.2) == pytest.approx(0.0124, abs=1e-4)
    assert flip_chance(0.0) == 0.0


def test_at_one_success_in_five_the_rate_stays() -> None:
    assert adapted(0.01, 0.2, 1000) == pytest.approx(0.01)
    assert adapted(0.01, 0.5, 1000) > 0.01 > adapted(0.01, 0.1, 1000)
    assert adapted(0.001, 0.0, 1000) == 0.001


@given(st.integers(0, (1 << 1000) - 1))
def test_a_genome_is_the_same_as_an_integer_as_words_and_as_places(genome: int) -> None:
    words = from_int(genome, 1000)
    places = unpacked(words[None], 1000)
    assert to_int(words, 1000) == genome
    assert [int(place) for place in f"{genome:01000b}"] == places[0].astype(int).tolist()
    assert (packed(places)[0] == words).all()


def children(many: int, make: Callable[[Genomes, Stream], None]) -> np.ndarray:
    rng, made = seeded_rng(7), np.zeros((many, 16), np.int64)
    for child in made:
        make(child, rng)
    return unpacked(made, 1000)


def test_mutation_flips_each_bit_as_often_as_it_says() -> None:
    seen = children(3000, lambda child, rng: mutate(child, 0.02, 1000, rng))
    assert seen.mean() == pytest.approx(0.02, rel=0.03)
    assert seen.sum(axis=0).min() > 20
    assert not children(50, lambda child, rng: mutate(child, 0.0, 1000, rng)).any()


@pytest.mark.parametrize("cuts", [1, 2, 5])
def test_crossover_at_points_changes_over_so_often_at_most(cuts: int) -> None:
    other = from_int((1 << 1000) - 1, 1000)
    seen = children(200, lambda child, rng: cross(child, other, cuts, 1000, rng))
    changes = (seen[:, 1:] != seen[:, :-1]).sum(axis=1) + seen[:, 0]
    assert changes.max() == cuts
    uniform = children(500, lambda child, rng: cross(child, other, UNIFORM, 1000, rng))
    assert uniform.mean() == pytest.approx(0.5, abs=0.01)  # each bit from either


@pytest.mark.parametrize(
    ("options", "population", "children"),
    [("", 10, 5), (":population=20", 20, 5), (":population=4,children=9", 4, 9)],
)
def test_the_courses_first_search_has_as_many_as_it_is_told(options, population, children) -> None:
    _, search = load_search(f"course-first{options}", "black-box")
    rng = seeded_rng(1)
    asked = search.propose({}, 1000, rng)
    assert len(asked) == population
    state = search.accept({}, asked, np.arange(population, dtype=float), rng)
    asked = search.propose(state, 1000, rng)
    assert len(asked) == children
    state = search.accept(state, asked, np.full(children, -1.0), rng)
    assert len(search.living(state)) <= population
    assert to_int(search.living(state)[0], 1000)  # the best lives on


# --- the course's second search, and patience


def test_with_fewer_alive_than_a_tournament_draws_the_best_is_always_a_parent() -> None:
    rng = new_stream()
    assert {winner(299, 300, rng) for _ in range(50)} == {0}
    drawn = [winner(300, 300, rng) for _ in range(4000)]
    expected = 1 - (1 - 1 / 300) ** 300  # that the best is among as many draws
    assert drawn.count(0) / len(drawn) == pytest.approx(expected, abs=0.03)
    assert len({winner(10, 1, rng) for _ in range(400)}) == 10


@pytest.mark.parametrize(
    ("chances", "ones"), [((1, 0, 0), {3}), ((0, 1, 0), {2, 4}), ((0, 0, 1), {3}), ((0, 0, 0), {3})]
)
def test_each_operator_does_what_it_says(chances, ones) -> None:
    bits = 20
    parent = from_int(0b111, bits)[None]
    children = shuffled_children(parent, 200, 1, np.array(chances, float), bits, new_stream())
    assert {to_int(child, bits).bit_count() for child in children} == ones
    assert (children == parent).all() == (not any(chances[:2]))


@pytest.mark.parametrize("search", [entry.key for entry in searches_for(ProblemShape.BOX)])
def test_every_search_ends_when_nothing_is_gained_any_more(search: str) -> None:
    box = "black-box:groups=10,sealed=yes"
    (patient,) = optimise(box, f"{search}:patience=3,gain=0.5", calls=20_000)
    (other,) = optimise(box, search, calls=patient.run.calls)
    assert patient.run.ended
    assert patient.run.rounds == 4  # the first, and three without such a gain
    assert patient.run.best == other.run.best  # up to there nothing is different


def test_a_patient_search_is_the_same_however_it_is_cut() -> None:
    (whole,) = optimise("black-box:groups=5", "genetic:patience=20,population=20")
    state, ended = None, False
    while not ended:
        part = run_slice(
            "black-box:groups=5", "genetic:patience=20,population=20", 0, state, seconds=0
        )
        state, ended = part.state, part.run.ended
    assert part.run == whole.run


def test_a_gain_is_counted_from_the_last_one_that_was_enough() -> None:
    answers = [0.2, 0.25, 0.31, 0.35, 0.36]
    search, state, idle = (
        Patient(FixedSearch(np.zeros((1, 1), np.int64)), patience=9, gain=0.1),
        {},
        [],
    )
    for answer in answers:
        state = search.accept(state, np.zeros((1, 1), np.int64), np.array([answer]), new_stream())
        idle.append(int(state[IDLE]))
    assert idle == [0, 1, 0, 1, 2]
