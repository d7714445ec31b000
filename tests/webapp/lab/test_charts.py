"""The chart of a training, and the question about it for a class."""

import csv
import io
import re
from statistics import median
from urllib.parse import parse_qsl, urlsplit

import pytest

from agents.contest.ratings import Score
from agents.training.brains import Point
from agents.training.curve_exhibit import Ceiling
from tests.webapp.jobs.working import worked_off
from tests.webapp.lab.trainings import begun, trained, training_page
from webapp.jobs.kinds.training import TrainingFigures, TrainingPlan, TrainingRun
from webapp.jobs.store import JobStore
from webapp.lab.training.charts import chart_measure, intervals, training_chart
from webapp.questions.parser import parse_range
from webapp.questions.query import parse_question
from webapp.questions.truths import truth_of


@pytest.mark.slow
def test_steps_by_powers_of_ten_are_offered_where_games_are_counted(visitor, services):
    page = visitor.get(trained(visitor, services, length="20")).text
    assert ">Steps evenly</a>" in page
    generations = {"learner": "es-rules", "game": "nim", "length": "2"}
    page = visitor.get(trained(visitor, services, **generations)).text
    assert "2 of 2 generations" in page
    assert ">Steps " not in page


def test_several_runs_are_compared_and_asked_for_again_with_all_their_values(visitor, services):
    grid = {"grid": "win=1,3", "seeds": "2", "length": "20", "menace.draw": "2"}
    where = trained(visitor, services, **grid)
    page = visitor.get(where).text
    assert visitor.seen["training"].ask_url is None  # each has a curve of its own
    assert "median and range of the seeds" in page
    assert 'class="band first"' in page
    assert "win 1" in page
    assert "win 3" in page  # the usual one
    lines = visitor.get(f"{where}/curve.csv").text.splitlines()
    assert {line.split(",")[0] for line in lines[1:]} == {"1", "2", "3", "4"}
    (again,) = re.findall(r'href="([^"]+)">Again with', page)
    form = visitor.get(again.replace("&amp;", "&")).text
    assert re.findall('name="(seeds|grid|menace.draw)"[^>]* value="([^"]*)"', form) == [
        ("menace.draw", "2"),
        ("seeds", "2"),
        ("grid", "win=1,3"),
    ]


def measured(points):
    return [Point(step, metrics, lane=lane) for lane, step, metrics in points]


def drawn(points, *agents, game="tictactoe", ceilings=(), **options):
    """The chart of (lane, step, metrics) that were measured by runs of these agents."""
    runs = tuple(TrainingRun(agent, seed) for seed, agent in enumerate(agents or ("menace",)))
    plan, figures = TrainingPlan(game, runs, 200), TrainingFigures({}, {}, "random", ceilings)
    found = measured(points)
    return training_chart(plan, figures, found, "games", log=True, **options)


def test_a_curve_has_a_band_only_where_games_were_sampled():
    metrics = {"wins": 0.75, "draws": 0.0, "losses": 0.25}
    points = [(0, 100, metrics), (0, 200, metrics)]
    deep = drawn(points, "quixo-deep", game="quixo")
    assert [tone for tone, _ in deep.bands] == ["win"]
    assert "20 games a point" in deep.title
    low, high = Score(wins=15, losses=5).interval()
    assert intervals(measured(points), 20) == (
        (100.0, low, high),
        (200.0, low, high),
    )
    for exact in ("qlearning", "of-a-package-that-is-gone"):
        assert drawn(points, exact).bands == ()


def test_of_who_plays_somebody_perfect_the_games_not_lost_are_charted(visitor, services):
    where = trained(visitor, services, **{"menace.opponent": "perfect"})
    view, points = training_page(services, where)
    assert view.figures.reference == "perfect"
    stored = [1 - point.metrics["losses"] for point in points]
    assert len(set(stored)) > 2
    assert view.chart.columns == ("games", "not lost", "lost")
    assert [row[1] for row in view.chart.rows] == [f"{100 * share:.1f} %" for share in stored]
    assert len({ring.y for ring in view.chart.presses}) > 2
    assert [name for name, _ in view.chart.ceilings] == ["at best a draw"]
    page = visitor.get(where).text
    assert '<th scope="col">drawn</th>' in page
    assert f"<td>{100 * stored[-1]:.0f} %</td>" in page


def test_runs_against_somebody_perfect_are_compared_by_the_games_not_lost(visitor, services):
    changes = {"menace.opponent": "perfect", "seeds": "3", "length": "100"}
    where = trained(visitor, services, **changes)
    view, points = training_page(services, where)
    held = {step: [] for step in sorted({point.step for point in points})}
    for point in points:
        held[point.step].append(point.metrics["draws"])
    medians = [f"{100 * median(shares):.1f} %" for shares in held.values()]
    assert len(set(medians)) > 2
    assert [row[1] for row in view.chart.rows] == medians
    assert "games not lost, median and range" in view.chart.title
    assert [reached for *_, reached, _ in view.runs] == [f"{100 * x:.1f} %" for x in held[100]]
    assert "not lost by now" in visitor.get(where).text


def test_a_training_that_wins_is_charted_by_its_wins_while_a_part_of_it_is_shown():
    drew, won = {"wins": 0.0, "draws": 0.5, "losses": 0.5}, {"wins": 0.5, "draws": 0.5}
    points = [(0, 100, drew), (0, 200, won)]
    by_now, in_all = (chart_measure(measured(found)) for found in (points[:1], points))
    assert (by_now, in_all) == ("not lost", "wins")
    best = (Ceiling("best possible against it: 60.0%", 0.6),)
    part = drawn(points[:1], ceilings=best, measure=in_all)
    assert part.columns == ("games", "won", "drawn", "lost")
    assert part.ceilings
    assert drawn(points[:1], ceilings=best).ceilings == ()


def test_a_game_without_draws_has_no_line_of_them():
    points = [(0, step, {"wins": 0.6, "draws": 0.0, "losses": 0.4}) for step in (1, 10)]
    assert drawn(points, game="nim").columns == ("games", "won", "lost")


def test_runs_of_which_only_some_have_begun_have_no_chart_yet():
    assert drawn([(0, 100, {"wins": 0.75})], "menace", "menace") is None


def test_a_curve_of_very_many_points_is_drawn_by_some_of_them_and_its_last():
    found = drawn([(0, 500 * at, {"wins": at / 10_000}) for at in range(1, 10_001)])
    (line,) = found.lines
    assert len(line.points) < 12_000
    assert found.rows[-1] == ("5,000,000", "100.0 %")


def test_the_curve_of_a_training_that_has_ended_is_put_to_a_class(visitor, services):
    where = begun(visitor, learner="qlearning", length="2000")
    visitor.get(where)
    assert visitor.seen["training"].ask_url is None  # not known before its end
    worked_off(services[JobStore])
    visitor.get(where)
    of_training = visitor.seen["training"].ask_url
    visitor.get("/brains")
    visitor.get(f"/brains/{visitor.seen['brains'][0].record.id}")
    assert visitor.seen["brain"].ask_url == of_training
    asked = visitor.get(of_training)
    assert asked.status_code == 200, asked.text
    assert visitor.seen["ask"].question.prompt.startswith(
        "After how many games does this Q-learner "
    )


def test_what_a_class_is_asked_about_a_curve_is_worked_out_from_it(visitor, services):
    where = trained(visitor, services, learner="qlearning", length="2000")
    visitor.get(where)
    posed = parse_question(dict(parse_qsl(urlsplit(visitor.seen["training"].ask_url).query)))
    metric, least = posed.truth.removeprefix("games-until ").split(">=")
    rows = [
        (int(row["step"]), float(row[metric]))
        for row in csv.DictReader(io.StringIO(visitor.get(f"{where}/curve.csv").text))
    ]
    below = max((step for step, share in rows if share < float(least)), default=0)
    reached = min(step for step, _ in rows if step > below)
    (right,) = truth_of(posed).right
    (claim,) = (pick.claim for pick in posed.choices if pick.text == right)
    assert reached in parse_range(claim)
