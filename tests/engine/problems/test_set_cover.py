"""Set cover: instances as their seeds name them, and what is refused."""

import pickle
from itertools import product

import pytest

from engine.errors import InvalidTextError
from engine.problems import SetCover, load_problem
from engine.problems.catalog import MAX_PROBLEM_CHARS, shape_of
from engine.problems.entry import ImpossibleProblemError, InvalidChoiceError, ProblemShape
from engine.problems.set_cover import members


@pytest.mark.parametrize(
    "spec",
    [
        *(f"set-cover:things=25,sets=6,density=0.1,seed={seed}" for seed in range(20)),
        "set-cover:things=200,sets=1,density=0.001",  # the sparsest is soon drawn
    ],
)
def test_every_thing_of_an_instance_is_in_some_set(spec: str) -> None:
    problem = load_problem(spec)
    assert {thing for found in problem.sets for thing in found} == set(range(problem.things))


def test_the_same_seed_is_the_same_instance_and_another_seed_another() -> None:
    again, other = (load_problem.__wrapped__(f"set-cover:seed={seed}") for seed in (7, 8))
    assert again == load_problem("set-cover:seed=7")
    assert again.masks != other.masks


def test_an_instance_is_the_same_on_every_machine() -> None:
    """Written down when the generator was; whoever changes it changes every published figure."""
    problem = load_problem("set-cover:things=6,sets=5,density=0.4,seed=3")
    assert problem.sets == ((1, 4), (1, 5), (2, 4), (0, 1), (1, 2, 3, 4, 5))


def test_sets_are_as_full_as_the_density_says() -> None:
    masks = load_problem("set-cover:things=200,sets=1000,density=0.3").masks
    share = sum(mask.bit_count() for mask in masks) / 200_000
    assert share == pytest.approx(0.3, abs=0.005)


def test_a_thing_drawn_again_is_as_if_all_had_been_drawn_until_covered() -> None:
    """Two things, two sets, even odds: the nine coverings come alike."""
    seen = [
        load_problem(f"set-cover:things=2,sets=2,density=0.5,seed={seed}").masks
        for seed in range(1800)
    ]
    covering = [pair for pair in product(range(4), repeat=2) if pair[0] | pair[1] == 3]
    assert len(covering) == 9
    assert all(150 < seen.count(pair) < 250 for pair in covering)


def test_the_default_is_the_courses_and_a_preset_is_for_projectors() -> None:
    course, projector = load_problem("set-cover"), load_problem("set-cover:preset=projector")
    assert (course.things, len(course.masks)) == (30, 150)
    assert projector.spec == "set-cover:things=20,sets=40,density=0.2"


SMALL = SetCover.of("small", 4, [[0, 1], [1, 2], [3], [0, 3]])


def test_what_is_missing_follows_from_what_was_taken() -> None:
    left = [tuple(members(SMALL.missing(taken))) for taken in ([], [1], [1, 3])]
    assert left == [(0, 1, 2, 3), (0, 3), ()]


@pytest.mark.parametrize("choice", [-1, 4, 10**9])
def test_a_set_that_there_is_not_is_named(choice: int) -> None:
    with pytest.raises(InvalidChoiceError, match=rf"no set {choice}: .* 0 to 3") as caught:
        SMALL.missing([0, choice])
    assert pickle.loads(pickle.dumps(caught.value)).choice == choice


@pytest.mark.parametrize(
    ("things", "sets", "why"),
    [
        (3, [[0], [2]], "cannot be covered: thing 1 is in none"),
        (3, [[0, 1, 3]], "has thing 3: there are 3"),
        (3, [[0, -1]], "has thing -1"),
        (0, [[]], "has 0 things: a set cover has 1 to 200"),
        (201, [range(201)], "has 201 things"),
        (2, [], "has 0 sets: a set cover has 1 to 1,000"),
        (1, [[0]] * 1001, "has 1,001 sets"),
    ],
)
def test_an_impossible_instance_says_why(things: int, sets: list[list[int]], why: str) -> None:
    with pytest.raises(ImpossibleProblemError, match=why):
        SetCover.of("mine", things, sets)


@pytest.mark.parametrize("mask", [0b1000, -1])
def test_a_mask_with_things_beyond_is_refused(mask: int) -> None:
    with pytest.raises(ImpossibleProblemError, match="things beyond 0 to 2"):
        SetCover("mine", 3, (0b111, mask))


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("set-cover:sets=1000000", "sets must be a whole number from 1 to 1,000, not '1000000'"),
        ("set-cover:things=201", "things must be a whole number from 1 to 200"),
        ("set-cover:density=-0.3", "density must be a number from 0.001 to 1, not '-0.3'"),
        ("set-cover:density=0", "density must be a number from 0.001 to 1, not '0'"),
        ("set-cover:density=nan", "density must be a number from 0.001 to 1"),
        ("set-cover:preset=huge", "unknown preset of set-cover 'huge': there is course, proj"),
        ("set-cover:colour=red", "unknown option of set-cover 'colour'"),
        ("sat-cover", "unknown problem 'sat-cover': did you mean 'set-cover'?"),
        ("own-cover:sets=1-2.4", "thing 3 is in none of the sets"),
        ("own-cover:sets=", "a thing is a number from 1 to 200, not ''"),
        ("own-cover:sets=1-x", "not 'x'"),
        ("own-cover:sets=0-1", "not '0'"),
        ("own-cover:sets=201", "not '201'"),
        ("own-cover:sets=" + "1." * 1000 + "1", "1,001 sets: a set cover has 1 to 1,000"),
        ("own-cover:sets=" + "1." * MAX_PROBLEM_CHARS, "a spec has at most 5,000 characters"),
    ],
)
def test_a_spec_that_names_nothing_says_what_would_be_right(spec: str, why: str) -> None:
    with pytest.raises((InvalidTextError, ImpossibleProblemError)) as caught:
        load_problem(spec)
    assert why in str(caught.value)


def test_sets_that_are_written_out_have_their_things_numbered_from_1() -> None:
    problem = load_problem("own-cover:sets=1-2.2-3.1-3")
    assert (problem.things, problem.sets) == (3, ((0, 1), (1, 2), (0, 2)))
    assert load_problem(problem.spec) == problem
    assert shape_of(problem.spec) is ProblemShape.COVER
    every = "-".join(map(str, range(1, 201)))
    assert load_problem(f"own-cover:sets={every}").things == 200
