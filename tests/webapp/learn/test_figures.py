"""Every figure of every lesson, computed again."""

from pathlib import Path

import pytest

from agents.perfect import quixo4
from engine.errors import ZermeloError
from webapp.learn.figures import FIGURES, SIZES, compute
from webapp.learn.markup import UnknownFigureError, figure_value, stored

FOUR_BY_FOUR = "value quixo:size=4"  # known by a table that has to be solved first


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(stored()) - {FOUR_BY_FOUR}))
def test_a_figure_is_what_the_project_computes(name: str) -> None:
    assert compute(name) == stored()[name]


@pytest.mark.soak
def test_who_wins_on_four_by_four_is_what_its_table_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    quixo4.solved.cache_clear()
    quixo4.build(path=tmp_path / quixo4.FILE)
    assert compute(FOUR_BY_FOUR) == stored()[FOUR_BY_FOUR]


def test_every_kind_of_figure_is_used() -> None:
    assert {name.partition(" ")[0] for name in stored()} >= {*FIGURES, *SIZES}


def test_the_pay_of_an_evolution_more_than_doubles_as_lesson_8_says() -> None:
    points = stored()["points ea-table nim right wins"]
    assert points[-1][1]["right"] > 2 * points[0][1]["right"]


def test_no_move_wins_from_marienbad_as_lesson_2_says() -> None:
    assert compute("winning nim:heaps=1-3-5-7,last=wins") == "0"


@pytest.mark.parametrize("name", ["luck", "value chess", "nodes", "winning", "curve wins"])
def test_a_figure_that_means_nothing_is_refused(name: str) -> None:
    with pytest.raises(ZermeloError):
        compute(name)


def test_a_figure_that_was_not_computed_says_how() -> None:
    with pytest.raises(UnknownFigureError, match="run `python -m"):
        figure_value("value tictactoe xxo/oox/x.. x")
