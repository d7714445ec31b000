"""Measured rows on disk: a run that was stopped goes on, and what changed is measured again."""

from dataclasses import dataclass

import pytest

from benchmarks.results import rows as module
from benchmarks.results.rows import Rows, fingerprint


@dataclass(frozen=True)
class Row:
    value: float
    interval: tuple[float, float] | None = None


class Measurement:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Row:
        self.times += 1
        return Row(self.times / 4, (0.1, 0.2))


@pytest.fixture
def measurement() -> Measurement:
    return Measurement()


def test_a_row_is_measured_once_and_then_read(tmp_path, measurement) -> None:
    rows = Rows(tmp_path / "rows")
    first = rows.row(Row, "a", "same", measurement)
    assert rows.row(Row, "a", "same", measurement) == first == Row(0.25, (0.1, 0.2))
    assert measurement.times == 1


def test_a_row_is_measured_again_when_its_inputs_changed_or_it_is_asked_for(
    tmp_path, measurement
) -> None:
    rows = Rows(tmp_path)
    rows.row(Row, "a", "old", measurement)
    assert rows.row(Row, "a", "new", measurement).value == 0.5
    assert Rows(tmp_path, again=True).row(Row, "a", "new", measurement).value == 0.75
    assert rows.row(Row, "a", "new", measurement).value == 0.75


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"fingerprint": "same"}'])
def test_a_damaged_row_is_measured_again(tmp_path, measurement, content) -> None:
    rows = Rows(tmp_path)
    rows.row(Row, "a", "same", measurement)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert rows.row(Row, "a", "same", measurement).value == 0.5


def test_a_fingerprint_changes_with_the_sources_of_its_agents_and_of_no_others(
    monkeypatch,
) -> None:
    def both() -> tuple[str, str]:
        module._imported.cache_clear()
        module._imports.cache_clear()
        return (
            fingerprint("x", specs=("nim", "nim-sum:leave=nonzero")),
            fingerprint("x", specs=("nim", "random")),
        )

    before = both()
    sources = dict(module._sources())
    sources["agents.rules.nim_sum"] += "\n# changed\n"
    monkeypatch.setattr(module, "_sources", lambda: sources)
    after = both()
    assert after[0] != before[0]
    assert after[1] == before[1]
    sources["engine.nim"] += "\n# changed\n"
    assert all(one != two for one, two in zip(both(), after, strict=True))


def test_a_fingerprint_follows_imports_and_the_agents_that_options_name() -> None:
    trained = fingerprint("x", specs=("qlearning:opponent=random",))
    assert trained != fingerprint("x", specs=("qlearning",))
    assert "agents.learning.qlearning" in module._imported(frozenset({"agents.learning.qlearners"}))
