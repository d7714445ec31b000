"""Quixo's endgames: their counts, their definition on every board, and files that are trusted."""

import lzma
import os
import shutil
import signal
import subprocess
import sys
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from agents import Limit, load_agent
from agents.arrays.endgames import (
    BOARD,
    CELLS,
    DRAWN,
    FULL_BOARDS,
    LOST,
    SIZES,
    SPOTS,
    WON,
    folding,
    number_of,
)
from agents.arrays.mapping import endgames, mapped, table_path
from agents.arrays.masks import has_line, slid
from agents.arrays.quixo import masks_of, masks_of_lines, slides_of
from agents.core import Measure
from agents.perfect import endgames as worked_out
from agents.perfect.endgame_rules import arrivals_of
from agents.perfect.endgames import EndgameSummary, ensure, packed_path, solve_endgames
from agents.perfect.oracles import EndgameOracle
from agents.roster import agents_for, analysts_for
from engine import load_game
from engine.core import Verdict
from engine.quixo import QuixoState
from tests.soaking import lessened

GAME = load_game("quixo")
TOTALS = {
    0: (20_073_427, 13_326_948, 154_057),
    1: (251_945_445, 159_558_801, 7_926_154),
}
LONGEST = {0: 70, 1: 75}


def any_board(blanks: int, rng: Random) -> QuixoState:
    """Any board with so many blanks, over or not, whoever moves."""
    marks = ["."] * blanks + [rng.choice("xo") for _ in range(CELLS - blanks)]
    rng.shuffle(marks)
    rows = "/".join("".join(marks[at : at + 5]) for at in range(0, CELLS, 5))
    return GAME.parse_state(f"{rows} {rng.choice('xo')}")  # type: ignore[no-any-return]


def open_board(blanks: int, rng: Random) -> QuixoState:
    return next(
        board for board in iter(lambda: any_board(blanks, rng), None) if board.outcome() is None
    )


def rederived(state: QuixoState) -> Verdict:
    """The verdict that the engine's moves and the verdicts on what they lead to add up to."""
    outcome = state.outcome()
    if outcome is not None:
        return Verdict(outcome.score(state.to_move), 0)
    replies = [EndgameOracle().probe(state.play(move)) for move in state.legal_moves()]
    lost = [reply.plies for reply in replies if reply.value < 0 and reply.plies is not None]
    won = [reply.plies for reply in replies if reply.value > 0 and reply.plies is not None]
    if lost:
        return Verdict(1, min(lost) + 1)
    return Verdict(-1, max(won) + 1) if len(won) == len(replies) else Verdict(0, None)


def follow(blanks: int, count: int) -> None:
    rng = Random(blanks)
    boards = [any_board(blanks, rng) for _ in range(count)]
    assert [EndgameOracle().probe(board) for board in boards] == [rederived(b) for b in boards]


@numba.njit  # type: ignore[untyped-decorator]
def undefined(
    blank: int,
    masks: NDArray[np.int64],
    codes: NDArray[np.uint8],
    fold: NDArray[np.int32],
    slides: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> int:
    """How many of these masks of the mover's make a board, that cell being blank, whose code does
    not follow from those of the boards its moves lead to."""
    wrong = 0
    for own in masks:
        other = BOARD & ~(own | blank)
        quickest, slowest, saved = 255, -1, False
        for slide in slides:
            if other & slide[0] == 0:
                left, after = slid(other, slide), slid(own, slide) | slide[5]
                code = codes[number_of(left, after, fold)]
                if code == DRAWN:
                    saved = True
                elif code >= LOST:
                    quickest = min(quickest, code - LOST)
                else:
                    slowest = max(slowest, code - WON)
        if has_line(own, lines):
            expected = WON
        elif has_line(other, lines):
            expected = LOST
        elif quickest < 255:
            expected = WON + quickest + 1
        else:
            expected = DRAWN if saved else LOST + slowest + 1
        wrong += codes[number_of(own, other, fold)] != expected
    return wrong


def wrong_codes(blank: int, masks: NDArray[np.int64]) -> int:
    slides, lines = slides_of(5), masks_of_lines(5)
    return int(undefined(blank, masks, endgames().codes, folding(), slides, lines))


def masks_without(cell: int) -> NDArray[np.int64]:
    squeezed = np.arange(1 << CELLS - 1)
    below = (1 << cell) - 1
    return (squeezed & below) | (squeezed & ~below) << 1


def totals(summary: EndgameSummary) -> tuple[int, int, int]:
    return summary.wins, summary.losses, summary.draws


def boards_of(summary: EndgameSummary) -> list[int]:
    """Of every class: how many boards it has."""
    return [each.wins + each.losses + each.draws for each in summary.classes]


def test_every_board_has_one_number_below_the_size_of_its_table() -> None:
    numbers = [
        number_of(own, BOARD & ~own & ~(1 << cell), folding())
        for cell in SPOTS
        for own in map(int, masks_without(cell)[:: 1 << 16])
    ]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) >= FULL_BOARDS
    assert max(numbers) < SIZES[1]


def test_turned_and_mirrored_blanks_share_their_numbers() -> None:
    rng = Random(3)
    boards = [any_board(1, rng) for _ in range(300)]
    corner = [
        {number_of(*masks_of(turn.state(b)), folding()) for turn in GAME.symmetries} for b in boards
    ]
    assert all(len(numbers) <= 8 for numbers in corner)
    assert {len(numbers) for numbers in corner} == {
        1,
        2,
        8,
    }  # a blank off, on an axis, in the centre


def test_every_move_that_keeps_the_blanks_is_undone_exactly_once() -> None:
    moves = sum(
        1
        for cell in SPOTS
        for slide in slides_of(5).tolist()
        if not slide[0] & 1 << cell  # a blank is not one's own
    )
    assert sum(len(arrivals_of(cell)) for cell in SPOTS) == moves


@pytest.mark.slow
def test_full_boards_are_counted_as_published(full_boards: Path) -> None:
    summary = solve_endgames(0)
    assert totals(summary) == TOTALS[0]
    assert boards_of(summary) == [comb(CELLS, own) for own in range(CELLS + 1)]
    assert summary.longest == LONGEST[0]


@pytest.mark.slow
def test_three_thousand_full_boards_follow_from_what_the_engines_moves_lead_to(
    full_boards: Path,
) -> None:
    follow(0, 3_000)


@pytest.mark.slow
def test_every_full_board_obeys_the_definition(full_boards: Path) -> None:
    assert wrong_codes(0, np.arange(FULL_BOARDS)) == 0


@pytest.mark.soak
def test_boards_with_one_blank_are_counted_as_published(one_blank: Path) -> None:
    summary = solve_endgames(1)
    assert totals(summary) == TOTALS[1]
    assert boards_of(summary) == [CELLS * comb(CELLS - 1, own) for own in range(CELLS)]
    assert summary.longest == LONGEST[1]


@pytest.mark.soak
@pytest.mark.parametrize("blanks", [0, 1])
def test_twenty_thousand_boards_follow_from_what_the_engines_moves_lead_to(
    one_blank: Path, blanks: int
) -> None:
    follow(blanks, lessened(20_000, 5_000))


@pytest.mark.soak
@pytest.mark.parametrize("cell", SPOTS)
def test_every_board_with_one_blank_obeys_the_definition(one_blank: Path, cell: int) -> None:
    masks = masks_without(cell)
    assert wrong_codes(1 << cell, masks[:: lessened(1, 8)]) == 0


@pytest.fixture
def copied(full_boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of the test's own with copies of the files in it."""
    shutil.copytree(full_boards, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def _never_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(*_: object) -> None:
        raise AssertionError("it was solved again")

    monkeypatch.setattr(worked_out, "solve_layer", solve)


def changed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"not a table"),
        lambda path: path.write_bytes(b""),
        changed,
    ],
    ids=["truncated", "foreign", "empty", "one byte changed"],
)
def test_a_table_that_is_not_what_was_written_is_not_trusted(copied: Path, spoil: Any) -> None:
    spoil(table_path(0))
    assert mapped(table_path(0)) is None
    assert endgames().blanks == -1


@pytest.mark.slow
@pytest.mark.usefixtures("_never_solved")
def test_a_table_that_was_damaged_is_unpacked_again(copied: Path) -> None:
    changed(table_path(0))
    assert ensure(0).blanks == 0
    assert endgames().blanks == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [b"", b"not a table", lzma.compress(b"\0" * FULL_BOARDS, preset=0)],
    ids=["empty", "foreign", "another table"],
)
def test_a_packed_file_that_is_not_what_was_written_is_not_trusted(
    copied: Path, content: bytes
) -> None:
    codes = np.zeros(SIZES[0], np.uint8)
    packed_path(0).write_bytes(content)
    assert not worked_out.unpack(0, codes)


@pytest.mark.slow
def test_a_truncated_packed_file_is_not_trusted(copied: Path) -> None:
    packed_path(0).write_bytes(packed_path(0).read_bytes()[:-100])
    assert not worked_out.unpack(0, np.zeros(SIZES[0], np.uint8))


@pytest.mark.slow
@pytest.mark.usefixtures("_never_solved")
def test_what_a_killed_build_left_is_cleared_away(copied: Path) -> None:
    left = copied / ".quixo-5x5-0.table-abc"
    left.write_bytes(b"half of it")
    table_path(0).unlink()
    ensure(0)
    assert not left.exists()
    assert mapped(table_path(0)) is not None


@pytest.mark.slow
def test_a_build_that_is_killed_leaves_nothing_that_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "from agents.perfect.endgames import ensure; "
        "ensure(0, lambda share: print(share, flush=True))"
    )
    environment = os.environ | {"ZERMELO_DATA": str(tmp_path)}
    build = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert build.stdout is not None
    assert build.stdout.readline()
    build.send_signal(signal.SIGKILL)
    build.communicate()
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    monkeypatch.setenv("ZERMELO_ENDGAMES", "1")
    assert endgames().blanks == -1
    assert [path.name for path in tmp_path.iterdir() if path.suffix in (".xz", ".table")] == []


def test_without_tables_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    monkeypatch.setenv("ZERMELO_ENDGAMES", "1")
    assert endgames().blanks == -1


@pytest.mark.slow
def test_the_environment_turns_them_off(full_boards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert endgames().blanks == 0
    monkeypatch.setenv("ZERMELO_ENDGAMES", "0")
    assert endgames().blanks == -1


@pytest.mark.slow
def test_perfect_knows_a_full_board(full_boards: Path) -> None:
    rng, agent = Random(8), load_agent("perfect", GAME)
    boards = [open_board(0, rng) for _ in range(30)]
    analyses = [agent.analyse(board, limit=Limit(), rng=Random(1)) for board in boards]
    assert all(candidate.proven for analysis in analyses for candidate in analysis.candidates)
    kept = [
        EndgameOracle().probe(board.play(analysis.choice)).seen_by_mover()
        for board, analysis in zip(boards, analyses, strict=True)
    ]
    assert kept == [EndgameOracle().probe(board) for board in boards]


@pytest.mark.slow
def test_perfect_says_where_it_knows_nothing(full_boards: Path) -> None:
    state = open_board(3, Random(4))
    analysis = load_agent("perfect", GAME).analyse(state, limit=Limit(), rng=Random(1))
    assert analysis.measure is Measure.CHANCE
    assert {candidate.value for candidate in analysis.candidates} == {None}
    assert analysis.reason == (
        "It does not know this position: 3 cubes are blank, and boards with none are solved. "
        f"{analysis.choice} was drawn by lot."
    )


def test_perfect_says_how_to_have_the_tables() -> None:
    state = open_board(0, Random(4))
    reason = load_agent("perfect", GAME).analyse(state, limit=Limit(), rng=Random(1)).reason
    assert "`zermelo solve quixo --blanks 1` does" in reason


def test_perfect_can_be_asked_about_quixo_and_is_no_opponent() -> None:
    assert "perfect" in [entry.key for entry in analysts_for(GAME)]
    assert "perfect" not in [entry.key for entry in agents_for(GAME)]
