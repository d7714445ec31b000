"""Set cover: by hand, by searches, step by step; every step has a URL."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from werkzeug.datastructures import MultiDict

from agents.optimisers.runs import optimise
from agents.optimisers.set_cover.run import optimum
from agents.optimisers.snapshots import cover_figures, cover_moment
from engine.problems import load_problem
from engine.problems.set_cover import members
from tests.webapp.visitor import HTMX, Never, Visitor
from webapp.optimise.cover_page import CoverPage
from webapp.optimise.cover_searches import CoverAnswers, sets_text
from webapp.optimise.query import CoverQuery, check_cover, set_numbers

DEFAULT_PROBLEM = "set-cover:things=20,sets=28,density=0.2,seed=3"
SIX = ("breadth-first", "depth-first", "greedy", "astar", "course", "exact")


def address(**args):
    pairs = [(name, one) for name, v in args.items() for one in ([v] if isinstance(v, str) else v)]
    return "/optimise/set-cover?" + "&".join(f"{name}={value}" for name, value in pairs)


def seen(visitor, **args):
    answer = visitor.get(address(**args))
    assert answer.status_code == 200, answer.text
    return visitor.seen["cover"]


def test_the_lab_leads_to_both_problems(visitor):
    assert "/optimise" in visitor.get("/lab").text
    page = visitor.get("/optimise").text
    assert "/optimise/set-cover" in page
    assert "/optimise/black-box" in page
    assert 'aria-current="true">Lab' in page


def page(**sent):
    """The page of what was sent, before any search has answered; no app is needed."""
    return CoverPage("/cover", check_cover(CoverQuery.parse(sent)), CoverAnswers({}))


def answered(*compared, walk=None, step=1, taken="", problem=DEFAULT_PROBLEM):
    """The page once every search has answered."""
    sent = {"problem": problem, "compare": compared, "walk": walk or "", "step": str(step)}
    query = check_cover(CoverQuery.parse(MultiDict(sent | {"taken": taken})))
    figures = {spec: cover_figures(query.problem, spec) for spec in (*compared, walk) if spec}
    moment = cover_moment(query.problem, walk, step) if walk else None
    return CoverPage("/cover", query, CoverAnswers(figures, moment))


def test_the_board_shows_the_instance_and_what_is_missing():
    cover = page(problem=DEFAULT_PROBLEM, taken="5.12.20")
    problem = load_problem(DEFAULT_PROBLEM)
    left = problem.missing([4, 11, 19])
    assert [missing for *_, missing in cover.board.rows] == [
        bool(left >> at & 1) for at in range(20)
    ]
    assert cover.board.status == f"You: 3 sets, {20 - left.bit_count()} of 20 covered"
    for column, mask in zip(cover.board.columns, problem.masks, strict=True):
        drawn = column.own + column.missing + column.covered
        assert drawn.count("M") == mask.bit_count()
        assert column.missing.count("M") == (0 if column.taken else (mask & left).bit_count())
    assert [column.number for column in cover.board.columns if column.taken] == [5, 12, 20]


def test_a_press_takes_a_set_and_another_puts_it_back():
    assert page(taken="5").board.columns[11].following == "5.12"
    assert page(taken="5.12").board.columns[4].following == "12"


def test_covered_by_hand_to_the_optimum_is_said_only_once_it_is_known():
    best, more = (
        ".".join(set_numbers(next(optimise(DEFAULT_PROBLEM, search)).run.sets))
        for search in ("exact", "greedy")
    )
    assert "Ask the machines" in page(taken=best).verdict
    proven = answered("exact", taken=best).verdict
    assert proven == "Everything is covered, and no cover has fewer sets."
    assert "with 5" in answered("exact", taken=more).verdict


@pytest.mark.slow
def test_the_table_says_what_the_command_line_says(visitor):
    cover = seen(visitor, problem=DEFAULT_PROBLEM, compare=SIX)
    runs = [found.run for found in optimise(DEFAULT_PROBLEM, *SIX)]
    fewest = optimum(load_problem(DEFAULT_PROBLEM))
    assert [(row.sets, row.looked, row.mark) for row in cover.machines] == [
        (
            str(run.size),
            f"{run.expanded:,}",
            "✓" if run.size == fewest else f"+{run.size - fewest}",
        )
        for run in runs
    ]
    assert not cover.is_pending
    assert cover.unfinished == ()


def test_what_no_moment_is_long_enough_for_says_so_and_goes_on_as_a_job():
    hard = "set-cover:things=20,sets=28,density=0.2,seed=5"  # 299,864 steps of the course's
    cover = answered("course", "exact", problem=hard)
    assert "not done yet" in cover.machines[0].note
    assert cover.unfinished == ("course",)
    assert cover.machines[1].mark == "✓"


def test_a_page_is_built_from_answers_alone_and_says_whom_it_waits_for():
    (run,) = optimise(DEFAULT_PROBLEM, "greedy")
    sent = {"problem": DEFAULT_PROBLEM, "taken": "5", "walk": "astar", "step": "2", "present": "1"}
    query = replace(check_cover(CoverQuery.parse(sent)), compared=("greedy", "exact"))
    figures = {"greedy": run.run, "astar": None}
    cover = CoverPage("/cover", query, CoverAnswers(figures))
    assert [row.sets for row in cover.machines] == [str(run.run.size), "–"]
    assert [row.note for row in cover.machines] == ["", "is at it"]
    assert cover.is_pending
    assert cover.walk.takes == "It could not be asked this time"
    links = parse_qs(urlsplit(cover.poll_url).query)
    assert links == {name: [value] for name, value in sent.items()} | {
        "compare": ["greedy", "exact"]
    }


def test_a_step_is_that_of_the_search():
    walk = answered(walk="astar", step=2).walk
    (found,) = optimise(DEFAULT_PROBLEM, "astar")
    assert walk.title == f"A*, step 2 of {found.run.expanded + 1}"
    assert walk.sum.startswith("f = g + h = 1 + ")
    assert answered(walk="astar", step=3).walk.takes == f"It takes up {walk.front[0][0]}"
    last = answered(walk="astar", step=99999).walk
    assert last.why == f"Nothing is missing: a cover of {found.run.size} sets."
    assert (last.step, last.steps.next) == (found.run.expanded + 1, None)


@pytest.mark.parametrize("search", [*SIX, "astar:estimate=average", "astar:branch=rarest"])
def test_every_search_can_be_walked_through(search):
    walk, step = answered(walk=search, step=5).walk, cover_moment(DEFAULT_PROBLEM, search, 5).step
    assert sets_text(step.sets) in walk.takes or not step.sets
    assert walk.why.startswith(f"Missing {len(step.missing)} things")


def test_the_promise_in_a_step_adds_up():
    walk = answered(walk="astar").walk
    gains = sorted((mask.bit_count() for mask in load_problem(DEFAULT_PROBLEM).masks), reverse=True)
    needed = next(n for n in range(1, 21) if sum(gains[:n]) >= 20)
    assert walk.sum == f"f = g + h = 0 + {needed}"
    assert str(gains[0]) in walk.why


@pytest.mark.slow
def test_every_link_on_the_page_opens_it(visitor):
    compared = ["greedy", "astar"]
    shown = seen(
        visitor, problem=DEFAULT_PROBLEM, taken="5", compare=compared, walk="astar", step="5"
    )
    urls = [row.walk_url for row in shown.machines] + [shown.machines[0].lay_url]
    urls += [shown.walk.steps.next, shown.walk.lay_url, *(url for _, _, url in shown.links)]
    urls += [url for _, url in shown.others]
    assert {url: visitor.get(url).status_code for url in urls} == dict.fromkeys(urls, 200)


def test_sets_of_ones_own_are_taken_as_anyone_writes_them():
    cover = page(text="1, 2\n{2 3}\n3-1.4")
    assert cover.query.problem == "own-cover:sets=1-2.2-3.3-1.4"
    assert load_problem(cover.query.problem).sets == ((0, 1), (1, 2), (0, 2), (3,))
    assert cover.own_sets == "1 2\n2 3\n3 1\n4"


def test_a_large_instance_is_left_to_the_machines():
    cover = answered("greedy", problem="set-cover:things=200,sets=1000")
    assert cover.board is None
    assert int(cover.machines[0].sets) > 0


@pytest.mark.slow
def test_pages_stay_small(visitor):
    usual = visitor.get(address(problem=DEFAULT_PROBLEM, compare=SIX, walk="astar"))
    course = visitor.get(address(problem="set-cover", compare=SIX, walk="astar"))
    assert len(usual.data) < 60_000
    assert len(course.data) < 100_000


def test_the_page_waits_for_nobody(start):
    visitor = Visitor(start(make_pool=Never))
    answer = visitor.get(address(problem=DEFAULT_PROBLEM, compare=["astar"], walk="astar"))
    cover = visitor.seen["cover"]
    assert answer.status_code == 200
    assert cover.is_pending
    assert "data-poll data-follow" in answer.text
    assert 'hx-trigger="load delay:400ms, every 400ms, look"' in answer.text
    assert visitor.get(cover.poll_url, **HTMX).text.lstrip().startswith('<div id="cover"')


def test_a_step_lies_on_the_board_by_its_address():
    walk = answered(walk="astar", step=30).walk
    taken = parse_qs(urlsplit(walk.lay_url).query)["taken"][0]
    board = page(taken=taken).board
    shown = {column.number for column in board.columns if column.taken}
    assert shown == {int(part) for part in taken.split(".")}
    left = load_problem(DEFAULT_PROBLEM).missing([number - 1 for number in shown])
    assert f"Missing {left.bit_count()} things" in walk.why
    assert list(members(left)) == [number - 1 for number, _, missing in board.rows if missing]
