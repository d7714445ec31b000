"""`zermelo optimise`: the documents it prints, what a person reads, how it stops."""

import pytest

from engine.problems import load_problem
from engine.problems.black_box import read_genome
from tests.webapp.commands.command_line import assert_one_line, document, zermelo
from tests.webapp.commands.test_errors import LONG

COVER = [
    *["problem", "search", "seed", "sets", "size", "optimal"],
    *["expanded", "generated", "frontier", "seconds", "instance"],
]
BOX = ["problem", "search", "seed", "best", "calls", "genome", "curve", "seconds"]


def test_a_cover_has_this_shape_and_covers():
    report = document("optimise", "set-cover:seed=7", "astar:estimate=gain")
    assert list(report) == COVER
    assert list(report["instance"]) == ["things", "sets"]
    things = {thing for at in report["sets"] for thing in report["instance"]["sets"][at]}
    assert things == set(range(report["instance"]["things"]))
    assert (report["size"], report["optimal"]) == (len(report["sets"]), True)


def test_the_instance_is_that_of_the_spec():
    report = document("optimise", "set-cover:things=20,sets=40,density=0.2,seed=3", "greedy")
    problem = load_problem(report["problem"])
    assert report["problem"] == "set-cover:things=20,sets=40,density=0.2,seed=3"
    assert report["instance"]["sets"] == [list(found) for found in problem.sets]


def test_a_box_has_this_shape_and_its_genome_gives_its_number():
    report = document("optimise", "black-box:groups=5,seed=1,sealed=yes", "probe", "--seed", 4)
    assert list(report) == BOX
    assert len(report["genome"]) == 250
    value = load_problem(report["problem"]).value(read_genome(report["genome"]))
    assert report["best"] == value == 1.0
    assert report["curve"][-1] == [report["calls"], report["best"]]
    assert report["seed"] == 4


@pytest.mark.parametrize(
    ("arguments", "many"),
    [
        (("greedy", "depth-first"), 2),
        (("greedy", "--runs", "3"), 3),
        (("greedy", "--runs", "1"), 1),
        (("greedy",), None),
    ],
)
def test_several_searches_or_runs_are_a_list(arguments, many):
    report = document("optimise", "set-cover", *arguments)
    assert (len(report) if isinstance(report, list) else None) == many


def test_runs_take_the_seeds_that_follow():
    reports = document("optimise", "set-cover", "greedy", "--seed", 5, "--runs", 2)
    assert [(one["seed"], one["problem"]) for one in reports] == [
        (5, "set-cover:seed=5"),
        (6, "set-cover:seed=6"),
    ]


def test_a_search_without_a_cover_yet_says_so():
    report = document("optimise", "set-cover", "breadth-first", "--calls", 10)
    assert (report["sets"], report["size"], report["optimal"]) == ([], None, None)


def test_calls_are_never_passed():
    report = document("optimise", "black-box:groups=10", "genetic", "--calls", 123)
    assert report["calls"] == 123


def test_the_same_seed_gives_the_same_document():
    arguments = ("optimise", "black-box:sealed=yes", "islands", "--calls", 500, "--seed", 2)
    one, again = (document(*arguments) | {"seconds": 0} for _ in range(2))
    assert one == again


def test_covers_as_a_person_reads_them():
    lines = zermelo("optimise", "set-cover:preset=projector", "greedy", "exact").stdout.splitlines()
    assert lines[0] == "set-cover:things=20,sets=40,density=0.2"
    assert lines[2].split() == ["search", "sets", "optimal", "expanded", "waiting", "seconds"]
    assert [line.split()[0] for line in lines[3:5]] == ["greedy", "exact"]


def test_one_cover_is_told_with_its_sets():
    shown = zermelo("optimise", "set-cover", "exact").stdout.splitlines()[-1]
    sets = [int(word) for word in shown.removeprefix("sets ").split()]
    assert load_problem("set-cover").missing(sets) == 0


def test_boxes_as_a_person_reads_them():
    lines = zermelo("optimise", "black-box:groups=2", "weigh", "probe").stdout.splitlines()
    assert lines[2].split() == ["search", "best", "calls", "seconds"]
    assert [line.split()[1] for line in lines[3:]] == ["1.000000", "1.000000"]


@pytest.mark.parametrize(
    ("problem", "search"), [("set-cover", "breadth-first"), ("black-box:groups=5", "tabu")]
)
def test_many_runs_are_shown_by_their_quartiles(problem, search):
    result = zermelo("optimise", problem, search, "--runs", 4, "--calls", 40)
    assert "4 seeds: quartiles" in result.stdout
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["set-cover:sets=1000000", "greedy"], "sets is a whole number from 1 to 1000, not '1000"),
        (["set-cover:density=-0.3", "greedy"], "density is a number from 0.001 to 1, not '-0.3'"),
        (["set-cover:things=0", "greedy"], "things is a whole number from 1 to 200"),
        (["set-cover", "gredy"], "unknown search 'gredy': did you mean 'greedy'?"),
        (["set-cover", "greedy", "probe"], "probe is for a box, and set-cover is a cover"),
        (["black-box:groups=65", "probe"], "groups is a whole number from 1 to 64, not '65'"),
        (["black-box", "probe", "--calls", "200001"], "--calls is a whole number from 1 to 200000"),
        (["black-box", "probe", "--runs", "0"], "--runs is a whole number from 1 to 1000"),
        (["black-box", "probe", "--seed", "-1"], "--seed is a whole number of at least 0"),
        (["blackbox", "probe"], "unknown problem 'blackbox': did you mean 'black-box'?"),
        (["🐙", "probe"], "unknown problem '🐙': there is set-cover, black-box"),
        (["x" * 5001, "probe"], "a spec has at most 5,000 characters"),
        (["set-cover", LONG], "a spec has at most 500 characters"),
        (["own-cover:sets=1-2.4", "greedy"], "thing 3 is in none of the sets"),
        (["set-cover"], "missing argument 'SEARCH...': see zermelo optimise --help"),
    ],
)
def test_bad_input_is_one_line_that_says_what_would_be_right(arguments, why):
    assert_one_line(zermelo("optimise", *arguments), why)
