"""4×4 Quixo, solved whole: its counts, its start, and every value against the engine's moves."""

import lzma
import shutil
from functools import cache
from pathlib import Path
from random import Random

import pytest

from agents import Limit, load_agent
from agents.perfect import quixo4
from agents.perfect.oracles import Quixo4Oracle, oracle_for
from agents.perfect.summary import solve
from agents.roster import agents_for
from engine import Match, Seat, load_game
from engine.core import Verdict
from engine.quixo import Push, QuixoState
from tests.positions import reachable_states
from tests.soaking import lessened

pytestmark = pytest.mark.soak  # solving 43 million boards takes ten seconds of two processors

GAME = load_game("quixo:size=4")


@pytest.fixture(scope="module")
def told() -> list[float]:
    """What the building of the table said about how far it was."""
    return []


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, told: list[float]) -> Path:
    """The table, built once for this module."""
    path = tmp_path_factory.mktemp("solved") / quixo4.FILE
    quixo4.build(told.append, path)
    return path


@pytest.fixture(autouse=True)
def data(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of the test's own with a copy of the table in it."""
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    quixo4.solved.cache_clear()
    copy = tmp_path / quixo4.FILE
    shutil.copy(file, copy)
    return copy


def rederived(state: QuixoState) -> Verdict:
    """The verdict that the engine's moves and the verdicts on what they lead to add up to."""
    oracle = Quixo4Oracle()
    outcome = state.outcome()
    if outcome is not None:
        return Verdict(outcome.score(state.to_move), 0)
    replies = [oracle.probe(state.play(move)) for move in state.legal_moves()]
    lost = [reply.plies for reply in replies if reply.value < 0 and reply.plies is not None]
    won = [reply.plies for reply in replies if reply.value > 0 and reply.plies is not None]
    if lost:
        return Verdict(1, min(lost) + 1)
    return Verdict(-1, max(won) + 1) if len(won) == len(replies) else Verdict(0, None)


def any_board(rng: Random) -> QuixoState:
    """Any of the 3^16 boards, over or not, whoever moves."""
    marks = [rng.choice("xo.") for _ in range(16)]
    rows = "/".join("".join(marks[at : at + 4]) for at in range(0, 16, 4))
    return GAME.parse_state(f"{rows} {rng.choice('xo')}")  # type: ignore[no-any-return]


@cache
def legal_states() -> list[QuixoState]:
    return reachable_states(GAME, 1_000, seed=4)


def follows(boards: list[QuixoState]) -> bool:
    """Whether what is said of each follows from what is said of where its moves lead."""
    return [Quixo4Oracle().probe(board) for board in boards] == [rederived(b) for b in boards]


def test_all_boards_are_counted_as_published() -> None:
    assert quixo4.solved().counts() == (26_434_489, 1_608_496, 15_003_736)


def test_the_start_is_a_win_in_21_plies_and_every_first_move_wins() -> None:
    assert oracle_for(GAME).probe(GAME.start) == Verdict(1, 21)
    verdicts = oracle_for(GAME).verdicts(GAME.start)
    assert len(verdicts) == 32
    assert {verdict.value for verdict in verdicts.values()} == {1}


def test_states_of_legal_play_follow_from_what_their_moves_lead_to() -> None:
    assert follows(legal_states())


def test_any_boards_follow_from_what_their_moves_lead_to() -> None:
    rng = Random(5)
    assert follows([any_board(rng) for _ in range(lessened(50_000, 5_000))])


def test_turned_and_mirrored_boards_have_the_same_value() -> None:
    probe = Quixo4Oracle().probe
    states = legal_states()[:300]
    images = [{probe(turn.state(state)) for turn in GAME.symmetries} for state in states]
    assert images == [{probe(state)} for state in states]


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


def test_the_summary_counts_every_board() -> None:
    summary = solve(GAME)
    assert summary.start == Verdict(1, 21)
    assert (summary.states, summary.wins, summary.draws) == (43_046_721, 26_434_489, 1_608_496)
    assert len(summary.moves) == 32


def test_a_truncated_file_is_not_trusted(data: Path) -> None:
    data.write_bytes(data.read_bytes()[:-1000])
    assert quixo4.load() is None


@pytest.mark.parametrize(
    "content", [b"", b"not a table", lzma.compress(b"\0" * 21 * 3**12)], ids=len
)
def test_a_foreign_file_is_not_trusted(data: Path, content: bytes) -> None:
    data.write_bytes(content)
    assert quixo4.load() is None


def test_a_file_with_one_changed_value_is_not_trusted(data: Path) -> None:
    code = bytearray(lzma.decompress(data.read_bytes()))
    code[1234] ^= 1
    data.write_bytes(lzma.compress(bytes(code), preset=0))
    assert quixo4.load() is None


def test_a_missing_file_is_no_error(data: Path) -> None:
    assert quixo4.is_built()
    data.unlink()
    assert not quixo4.is_built()
    assert quixo4.load() is None


def test_building_tells_how_far_it_is(told: list[float]) -> None:
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)


def test_a_directory_that_takes_no_file_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "missing" / quixo4.FILE
    quixo4.keep(b"table", path)
    assert not path.exists()


def test_the_file_is_about_a_megabyte(data: Path) -> None:
    assert data.stat().st_size < 1_300_000
