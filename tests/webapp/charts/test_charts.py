"""Charts: lines within the frame, names apart, a table with the same figures."""

from itertools import pairwise

import pytest

from webapp.charts import BOTTOM, TOP, Axis, ChartLink, Curve, chart
from webapp.charts.curves import playback

RISING = Curve("wins", "win", ((1, 0.2), (10, 0.6), (100, 0.9)))
FALLING = Curve("losses", "loss", ((1, 0.8), (10, 0.4), (100, 0.1)))


def places(drawn):
    return [tuple(map(float, place.split(","))) for place in drawn.points.split()]


def test_steps_by_powers_of_ten_stand_evenly():
    shown = chart("", [RISING], x_name="games", log=True)
    assert [x for x, _ in places(shown.lines[0])] == [0, 50, 100]
    assert [(tick.label, tick.at) for tick in shown.across] == [("1", 0), ("10", 50), ("100", 100)]


def test_more_stands_higher_and_all_within_the_frame():
    shown = chart("", [RISING, FALLING], x_name="games")
    heights = [y for line in shown.lines for _, y in places(line)]
    assert (max(heights), min(heights)) == (BOTTOM, TOP)
    rising = [y for _, y in places(shown.lines[0])]
    assert rising == sorted(rising, reverse=True)


def test_names_at_the_ends_of_lines_stand_apart():
    close = [Curve(name, "first", ((0, 0.5), (1, 0.5))) for name in "abcd"]
    ends = sorted(line.end for line in chart("", close, x_name="games").lines)
    assert min(after - before for before, after in pairwise(ends)) >= 7.9
    assert TOP <= ends[0] <= ends[-1] <= BOTTOM


@pytest.mark.parametrize("heights", [(0.0, 0.01, 0.02), (0.98, 0.99, 1.0), (0.5, 0.5, 0.5)])
def test_a_long_name_takes_two_lines_of_text_and_the_room_that_they_need(heights):
    names = ("against a random player", "against a perfect player", "lost")
    lines = [
        Curve(name, "first", ((0, 0.0), (1, height), (2, 1.0), (3, height)))
        for name, height in zip(names, heights, strict=True)
    ]
    shown = chart("", lines, x_name="games")
    assert shown.lines[0].name_lines == ("against a", "random player")
    assert shown.lines[2].name_lines == ("lost",)
    assert shown.room >= max(len(text) for line in shown.lines for text in line.name_lines)
    ends = sorted(line.end for line in shown.lines)
    assert min(after - before for before, after in pairwise(ends)) >= 13.9
    assert TOP <= ends[0] <= ends[-1] <= BOTTOM


def test_two_names_of_two_lines_are_apart_as_far_as_a_projector_needs():
    lines = [
        Curve(f"{name} 100.0 %", "first", ((1, 0.9), (2, 1.0)))
        for name in ("right with search", "right alone")
    ]
    ends = sorted(line.end for line in chart("", lines, x_name="games").lines)
    assert ends[1] - ends[0] > 20  # 58 of 288 px, for two lines of 24 px


def test_names_stand_in_the_order_of_their_lines_also_below_a_ceiling():
    ends = {"highest": 0.94, "middle": 0.91, "lowest": 0.90}
    lines = [Curve(name, "first", ((0, 0.7), (1, end))) for name, end in ends.items()]
    drawn = chart("", lines, x_name="games", ceilings=(("nobody wins more", 0.96),)).lines
    assert [line.name for line in sorted(drawn, key=lambda line: line.end)] == list(ends)


def test_areas_lie_on_each_other_and_fill_the_whole():
    halves = [Curve(name, "first", ((0, 0.5), (1, 0.5))) for name in "ab"]
    lower, upper = chart("", halves, x_name="generations", stacked=True).areas
    assert {y for _, y in places(lower)} == {BOTTOM, (BOTTOM + TOP) / 2}
    assert {y for _, y in places(upper)} == {(BOTTOM + TOP) / 2, TOP}


def test_a_ceiling_stands_where_its_figure_is():
    shown = chart("", [RISING], x_name="games", ceilings=[("at most 95 %", 0.95)])
    assert shown.ceilings == (("at most 95 %", TOP),)


def test_what_can_be_pressed_stands_on_its_line():
    shown = chart("", [RISING], x_name="games", presses=[ChartLink(10, 0.6, "/there", "after 10")])
    assert [(shown.presses[0].x, shown.presses[0].y)] == [places(shown.lines[0])[1]]


def test_the_table_and_the_summary_have_the_figures():
    shown = chart("", [RISING, FALLING], x_name="games")
    assert shown.columns == ("games", "wins", "losses")
    assert shown.rows[0] == ("1", "20.0 %", "80.0 %")
    assert shown.summary.startswith("wins: 20.0 % at 1 games, 90.0 % at 100; losses: 80.0 %")


@pytest.mark.parametrize(
    ("figures", "log", "labels"),
    [
        ([0.0, 1.0], False, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([3.0, 3.0], False, ["2", "2.5", "3", "3.5", "4"]),
        ([-1.0, 1.0], False, ["−1", "−0.5", "0", "0.5", "1"]),
        ([1.0, 2_000_000.0], False, ["500,000", "1,000,000", "1,500,000", "2,000,000"]),
        ([1, 2_000_000], True, ["1", "10", "100", "1k", "10k", "100k", "1M"]),
    ],
)
def test_the_marks_of_an_axis_are_round_figures_and_short(figures, log, labels):
    assert [tick.label for tick in Axis.over(figures, log=log).ticks] == labels


def test_a_playback_goes_to_the_stops_around_and_no_further():
    def at(step):
        found = playback([1, 10, 100], step, str, "", [(400, "quick"), (900, "slow")])
        return found.first, found.previous, found.next, found.last

    assert at(1) == (None, None, "10", "100")
    assert at(50) == ("1", "10", "100", "100")
    assert at(100) == ("1", "10", None, None)


def test_a_name_stands_where_its_line_ends_outside_the_plot_and_so_clear_of_a_ceiling():
    line = Curve("won", "win", ((1, 0.2), (10, 0.9)))
    for ceilings in ((), [("best", 0.95)]):
        (drawn,) = chart("t", [line], x_name="games", ceilings=ceilings).lines
        assert drawn.end == float(drawn.points.rpartition(",")[2])
