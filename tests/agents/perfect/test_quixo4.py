"""4×4 Quixo, solved whole: its counts, its start, and every value against the engine's moves."""

import lzma
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.perfect import quixo4
from agents.perfect.oracles import Quixo4Oracle
from agents.perfect.summary import solve
from agents.roster import agents_for
from engine import Match, Seat, load_game
from engine.core import Verdict
from engine.quixo import Push, QuixoState
from tests.agents.perfect.boards import drawn, wrongly_probed
from tests.positions import reachable_states
from tests.soak import lessened

pytestmark = pytest.mark.soak  # solving 43 million boards takes ten seconds of two processors

GAME = load_game("quixo:size=4")


@pytest.fixture(scope="module")
def shares() -> list[float]:
    """What the building of the table said about how far it was."""
    return []


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, shares: list[float]) -> Path:
    """The table, built once for this module."""
    path = tmp_path_factory.mktemp("solved") / quixo4.FILE
    quixo4.build(shares.append, path)
    return path


@pytest.fixture(autouse=True)
def data(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of the test's own with a copy of the table in it."""
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    quixo4.solved.cache_clear()
    copy = tmp_path / quixo4.FILE
    shutil.copy(file, copy)
    return copy


def test_all_boards_are_counted_as_published(shares: list[float], data: Path) -> None:
    summary = solve(GAME)
    assert quixo4.solved().counts() == (26_434_489, 1_608_496, 15_003_736)
    assert (summary.states, summary.wins, summary.draws) == (43_046_721, 26_434_489, 1_608_496)
    assert (summary.start, len(summary.moves)) == (Verdict(1, 21), 32)
    assert {verdict.value for _, verdict in summary.moves} == {1}  # every first move wins
    assert (shares[0], shares[-1], shares) == (0.0, 1.0, sorted(shares))
    assert data.stat().st_size < 1_300_000


def test_boards_follow_from_what_their_moves_lead_to() -> None:
    rng = Random(5)
    any_boards = [
        drawn(4, [rng.choice("xo.") for _ in range(16)], rng)
        for _ in range(lessened(50_000, 5_000))
    ]
    assert wrongly_probed(reachable_states(GAME, 1_000, seed=4), Quixo4Oracle()) == []
    assert wrongly_probed(any_boards, Quixo4Oracle()) == []


def test_completing_both_lines_loses_for_who_does_it() -> None:
    both = GAME.parse_state("xxxx/oooo/..../.... x")
    assert Quixo4Oracle().probe(both) == Verdict(1, 0)


def against_perfect(key: str) -> Match[QuixoState, Push]:
    """A match in which `perfect` has the first seat, the other one a short time to think."""
    rng, limit = Random(key), Limit(depth=3, nodes=1_000)
    perfect, other = load_agent("perfect", GAME), load_agent(key, GAME)
    match = Match.begin(GAME)
    while match.outcome() is None:
        agent = perfect if match.state.to_move is Seat.FIRST else other
        history = match.states[:-1]
        analysis = agent.analyse(match.state, limit=limit, rng=rng, history=history)
        match = match.play(analysis.choice)
    return match


@pytest.mark.parametrize("key", [entry.key for entry in agents_for(GAME)])
def test_perfect_beats_every_agent_from_the_first_seat(key: str) -> None:
    match = against_perfect(key)
    assert match.ply <= 21
    assert match.result() in ("first wins: line", "first wins: opponent's line")


def one_value_changed(whole: bytes) -> bytes:
    code = bytearray(lzma.decompress(whole))
    code[1234] ^= 1
    return lzma.compress(bytes(code), preset=0)


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda whole: b"",
        lambda whole: b"not a table",
        lambda whole: lzma.compress(b"\0" * 21 * 3**12),
        lambda whole: whole[:-1000],
        one_value_changed,
    ],
    ids=["empty", "foreign", "another table", "truncated", "one value changed"],
)
def test_a_file_that_is_not_what_was_written_is_not_trusted(data: Path, spoilt: Any) -> None:
    data.write_bytes(spoilt(data.read_bytes()))
    assert quixo4.load() is None


def test_a_missing_file_is_no_error(data: Path) -> None:
    assert quixo4.is_built()
    data.unlink()
    assert not quixo4.is_built()
    assert quixo4.load() is None


def test_a_directory_that_takes_no_file_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "missing" / quixo4.FILE
    quixo4.keep(b"table", path)
    assert not path.exists()
