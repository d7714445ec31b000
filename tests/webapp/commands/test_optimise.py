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


def test_a_cover_has_this_shape_and_covers_the_instance_of_the_spec():
    spec = "set-cover:things=20,sets=40,density=0.2,seed=3"
    report = document("optimise", spec, "astar:estimate=gain")
    assert list(report) == COVER
    problem = load_problem(spec)
    assert (report["problem"], report["instance"]["things"]) == (spec, 20)
    assert report["instance"]["sets"] == [list(found) for found in problem.sets]
    assert problem.missing(report["sets"]) == 0
    assert (report["size"], report["optimal"]) == (len(report["sets"]), True)


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


def test_a_search_without_a_cover_yet_says_so():
    report = document("optimise", "set-cover", "breadth-first", "--calls", 10)
    assert (report["sets"], report["size"], report["optimal"]) == ([], None, None)


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
        (
            ["set-cover:sets=1000000", "greedy"],
            "sets must be a whole number from 1 to 1,000, not '1000",
        ),
        (
            ["set-cover:density=-0.3", "greedy"],
            "density must be a number from 0.001 to 1, not '-0.3'",
        ),
        (
            ["black-box", "probe", "--calls", "200001"],
            "--calls must be a whole number from 1 to 200,000",
        ),
        (["black-box", "probe", "--runs", "0"], "--runs must be a whole number from 1 to 1,000"),
        (["black-box", "probe", "--seed", "-1"], "--seed must be a whole number of at least 0"),
        (["🐙", "probe"], "unknown problem '🐙': there is set-cover, black-box"),
        (["x" * 5001, "probe"], "a spec has at most 5,000 characters"),
        (["set-cover", LONG], "a spec has at most 500 characters"),
        (["own-cover:sets=1-2.4", "greedy"], "thing 3 is in none of the sets"),
        (["set-cover"], "missing argument 'SEARCH...': see zermelo optimise --help"),
    ],
)
def test_bad_input_is_one_line_that_says_what_would_be_right(arguments, why):
    assert_one_line(zermelo("optimise", *arguments), why)


def test_a_search_of_ones_own_stands_beside_ours(tmp_path):
    path = tmp_path / "search.py"
    path.write_text(
        "def search(problem, ones=3):\n"
        "    print('not in the document')\n"
        "    for count in range(ones):\n"
        "        problem([1] * count + [0] * (1000 - count))\n"
    )
    mine, ours = document("optimise", "black-box", f"{path}:search(9)", "probe")
    assert list(mine) == list(ours) == BOX
    assert (mine["calls"], mine["best"], mine["curve"][-1]) == (9, 0.008, [9, 0.008])


def test_a_search_that_is_no_file_is_refused_in_one_line():
    assert_one_line(zermelo("optimise", "black-box", "./nowhere.py"), "./nowhere.py is no file")
