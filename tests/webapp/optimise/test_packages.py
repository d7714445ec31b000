"""Problems of installed packages have the same pages."""

from dataclasses import dataclass
from statistics import median

import pytest

from agents.optimisers.runs import optimise
from engine.entry import Preset
from engine.problems import SetCover
from engine.problems.catalog import load_problem, problems
from engine.problems.entry import ProblemEntry, ProblemShape
from tests.engine.packages import installing
from tests.webapp.jobs.working import worked_off
from webapp.jobs.store import JobStore
from webapp.services import NAME


@dataclass(frozen=True)
class Parity:
    """As many ones as possible, of twelve."""

    spec: str
    bits: int = 12
    goal: float = 12.0

    def value(self, genome):
        return float(genome.bit_count())


PRESETS = (Preset("usual", "Usual", ()),)
TWO = ProblemEntry(
    key="two",
    title="Two things",
    summary="Three sets.",
    shape=ProblemShape.COVER,
    options=(),
    presets=PRESETS,
    make=lambda spec, options: SetCover.of(spec, 2, [[0], [1], [0, 1]]),
)
TWELVE = ProblemEntry(
    key="twelve",
    title="Twelve bits",
    summary="As many ones as possible.",
    shape=ProblemShape.BOX,
    options=(),
    presets=PRESETS,
    make=lambda spec, options: Parity(spec),
)


@pytest.fixture
def installed():
    with installing(problems) as install:
        install(TWO, TWELVE)
        load_problem.cache_clear()
        yield
    load_problem.cache_clear()


@pytest.mark.slow
def test_a_cover_of_a_package_has_a_board_and_machines(installed, visitor):
    assert "/optimise/set-cover?problem=two" in visitor.get("/optimise").text
    visitor.get("/optimise/set-cover?problem=two&taken=3&compare=exact")
    cover = visitor.seen["cover"]
    assert cover.about == "Two things: Three sets."
    assert cover.verdict == "Everything is covered, and no cover has fewer sets."


@pytest.mark.slow
def test_a_box_of_a_package_is_searched_and_has_curves(installed, app, visitor):
    assert visitor.get("/optimise/black-box?problem=twelve").status_code == 200
    fields = {"problem": "twelve", "search": ["one-plus-one"], "seeds": "2", "calls": "300"}
    path = visitor.post("/optimise/runs", fields).headers["Location"]
    worked_off(app.extensions[NAME][JobStore], seconds=900)
    assert visitor.get(path).status_code == 200
    (row,) = visitor.seen["box"].run.rows
    found = [one.run.best for one in optimise("twelve", "one-plus-one", runs=2, calls=300)]
    assert row.best == f"{median(found):.3f}"
    assert row.reached == f"{found.count(12.0)} of 2"
    assert visitor.seen["box"].genome is None
