"""Whatever is sent as a brain: never an error of ours, never a huge page, never much memory."""

import resource

import pytest

from tests.soak import lessened
from tests.webapp.lab.mutants import mutant
from tests.webapp.lab.test_brains import sends
from tests.webapp.serving.process import ROOT

LARGEST_PAGE = 1 << 20  # bytes
MOST_MEMORY = 400 << 10  # kB that the process may grow by
REFUSED = (400, 413, 422)
PAGES = ("", "/download")
AROUND = ("/brains", "/?game=tictactoe", "/arena?game=tictactoe", "/class", "/lab")


def test_no_mutant_of_a_brain_breaks_a_page(visitor, services, brain):
    holds(visitor, brain, range(120))


@pytest.mark.parametrize(
    ("shipped", "number"), [("menace", 1371), ("es-mix", 1365), ("es-rules", 1450)]
)
def test_settings_of_another_type_are_shown_in_the_lobby(visitor, services, shipped, number):
    """Found by chance: the lobby of whoever plays such a brain failed."""
    file = min((ROOT / "agents/brains_shipped").glob(f"{shipped}.*.npz"))
    for each in range(number - 12, number + 1):
        answer = sends(visitor, mutant(file.read_bytes(), each), "mutant")
        if answer.status_code == 303:
            assert visitor.post(f"{answer.location}/play").status_code == 303
            assert visitor.get("/").status_code == 200


@pytest.mark.stores
@pytest.mark.soak
@pytest.mark.parametrize("shipped", ["menace", "es-mix", "es-rules", "state-value"])
def test_none_of_thousands_of_mutants_breaks_a_page(visitor, services, shipped):
    """Of learners that keep different things: beads, mixtures, rules, values."""
    file = min((ROOT / "agents/brains_shipped").glob(f"{shipped}.*.npz"))
    holds(visitor, file.read_bytes(), range(1_000, 1_000 + lessened(500, 100)))


def holds(visitor, brain, numbers):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = 0
    for number in numbers:
        answer = sends(visitor, mutant(brain, number), "mutant")
        assert answer.status_code == 303 or answer.status_code in REFUSED, (number, answer.text)
        assert len(answer.data) < LARGEST_PAGE, number
        if answer.status_code == 303:
            taken += 1
            for page in (*(f"{answer.location}{part}" for part in PAGES), *AROUND, train(answer)):
                shown = visitor.get(page)
                assert shown.status_code == 200, (number, page, shown.text)
                assert len(shown.data) < LARGEST_PAGE, (number, page)
            assert visitor.post(f"{answer.location}/play").status_code == 303
            visitor.post(f"{answer.location}/delete")
    assert 0 < taken < len(numbers) / 2  # some are harmless, most are not
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY


def train(answer):
    return f"/train?origin={answer.location.rpartition('/')[2]}"
