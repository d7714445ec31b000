"""Quixo's endgames: their counts, and their definition on every board."""

import hashlib
from math import comb
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from agents import Limit, load_agent
from agents.errors import CorruptTableError
from agents.perfect import endgame_kernel
from agents.perfect import endgames as worked_out
from agents.perfect.endgame_kernel import OPEN, first_code
from agents.perfect.endgames import (
    EndgameSummary,
    mask_of,
    rules,
    solve_endgames,
    solve_layer,
)
from agents.perfect.oracles import EndgameOracle
from agents.quixo.bitboard import blanks_of, has_line, masks_of, masks_of_lines, slid, slides_of
from agents.quixo.endgames import (
    BOARD,
    CELLS,
    DIGESTS,
    DRAWN,
    LOST,
    PLACES,
    SIZES,
    WON,
    Blanks,
    endgames,
    folding,
    number_of,
    plies_of,
)
from engine.core import Verdict
from engine.quixo import QuixoState
from tests.agents.perfect.boards import GAME, any_board, masks_without, open_board
from tests.soaking import SHORT, lessened

TOTALS = {
    0: (20_073_427, 13_326_948, 154_057),
    1: (251_945_445, 159_558_801, 7_926_154),
    2: (1_503_035_960, 922_844_064, 90_702_376),
}
LONGEST = {0: 70, 1: 75, 2: 158}


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
                    quickest = min(quickest, plies_of(code))
                else:
                    slowest = max(slowest, plies_of(code))
        if has_line(own, lines):
            expected = 1, 0
        elif has_line(other, lines):
            expected = -1, 0
        elif quickest < 255:
            expected = 1, quickest + 1
        else:
            expected = (0, 0) if saved else (-1, slowest + 1)
        code = codes[number_of(own, other, fold)]
        told = (-1 if code >= LOST else 1, plies_of(code)) if code != DRAWN else (0, 0)
        wrong += told != expected
    return wrong


def wrong_codes(place: Blanks, every: int = 1) -> int:
    """Of the boards with these blanks, or every so many of them."""
    slides, lines = slides_of(5), masks_of_lines(5)
    masks = masks_without(place, every)
    return int(undefined(mask_of(place), masks, endgames().codes, folding(), slides, lines))


def totals(summary: EndgameSummary) -> tuple[int, int, int]:
    return summary.wins, summary.losses, summary.draws


def boards_of(summary: EndgameSummary) -> list[int]:
    """Of every class: how many boards it has."""
    return [each.wins + each.losses + each.draws for each in summary.classes]


@pytest.mark.soak
def test_full_boards_are_counted_as_published(full_boards: Path) -> None:
    summary = solve_endgames(0)
    assert totals(summary) == TOTALS[0]
    assert boards_of(summary) == [comb(CELLS, own) for own in range(CELLS + 1)]
    assert summary.longest == LONGEST[0]


@pytest.fixture
def _counting_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that ends of full boards are found both ways."""
    monkeypatch.setattr(endgame_kernel, "COUNTED", 40)


@pytest.mark.soak
@pytest.mark.usefixtures("_counting_ends_early")
def test_ends_are_the_same_whether_moves_are_counted_or_looked_at() -> None:
    codes = np.zeros(SIZES[0], np.uint8)
    assert all(0 <= share <= 1 for share in solve_layer(0, codes))
    assert hashlib.sha256(codes.data).hexdigest() == DIGESTS[0]


@pytest.mark.soak
@pytest.mark.usefixtures("_counting_ends_early")
def test_an_end_too_far_away_for_a_code_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worked_out, "FARTHEST", 60)
    with pytest.raises(CorruptTableError, match="an end 61 plies away has no code"):
        list(solve_layer(0, np.zeros(SIZES[0], np.uint8)))


@pytest.mark.soak
def test_where_parity_does_not_tell_who_wins_nothing_is_made_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endgame_kernel, "COUNTED", 0)  # where a mover may have a line already
    with pytest.raises(CorruptTableError, match="parity does not tell who wins in 0 plies"):
        list(solve_layer(0, np.zeros(SIZES[0], np.uint8)))


@pytest.mark.soak
def test_three_thousand_full_boards_follow_from_what_the_engines_moves_lead_to(
    full_boards: Path,
) -> None:
    follow(0, 3_000)


@pytest.mark.soak
def test_one_full_board_in_sixteen_obeys_the_definition(full_boards: Path) -> None:
    assert wrong_codes((), 16) == 0


@pytest.mark.soak
def test_every_full_board_obeys_the_definition(full_boards: Path) -> None:
    assert wrong_codes(()) == 0


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
@pytest.mark.parametrize("place", PLACES[1])
def test_every_board_with_one_blank_obeys_the_definition(one_blank: Path, place: Blanks) -> None:
    assert wrong_codes(place, lessened(1, 8)) == 0


def first_code_of(board: QuixoState) -> int:
    """What is known of an open board with two blanks before any other such board is."""
    after = {move: board.play(move) for move in board.legal_moves()}
    fewer = [EndgameOracle().probe(child) for child in after.values() if blanks_of(child) == 1]
    lost = [verdict.plies for verdict in fewer if verdict.value < 0 and verdict.plies is not None]
    won = [verdict.plies for verdict in fewer if verdict.value > 0 and verdict.plies is not None]
    left = len(after) - len(won)
    if lost:
        return WON + min(lost) + 1
    return OPEN + left if left else LOST + max(won) + 1


@pytest.mark.soak
def test_boards_with_two_blanks_begin_with_what_is_known_of_those_with_one(one_blank: Path) -> None:
    rng = Random(4)
    boards = [open_board(2, rng) for _ in range(lessened(20_000, 2_000))]
    numbers = [number_of(*masks_of(board), folding()) for board in boards]
    codes = endgames().codes
    assert [first_code(number, codes, rules())[0] for number in numbers] == [
        first_code_of(board) for board in boards
    ]


@pytest.mark.soak
@pytest.mark.skipif(SHORT, reason="minutes to work them out, and half a gigabyte to keep them")
class TestTwoBlanks:
    def test_they_are_all_counted(self, two_blanks: Path) -> None:
        summary = solve_endgames(2)
        assert totals(summary) == TOTALS[2]
        assert boards_of(summary) == [300 * comb(CELLS - 2, own) for own in range(CELLS - 1)]
        assert summary.longest == LONGEST[2]

    def test_twenty_thousand_follow_from_what_the_engines_moves_lead_to(
        self, two_blanks: Path
    ) -> None:
        follow(2, 20_000)

    @pytest.mark.parametrize("place", PLACES[2])
    def test_every_board_obeys_the_definition(self, two_blanks: Path, place: Blanks) -> None:
        assert wrong_codes(place) == 0

    @pytest.mark.parametrize("agent", ["perfect", "quixo-deep"])
    def test_they_are_looked_up(self, two_blanks: Path, agent: str) -> None:
        rng, asked = Random(9), load_agent(agent, GAME)
        boards = [open_board(2, rng) for _ in range(30)]
        answers = [asked.analyse(board, limit=Limit(), rng=Random(1)) for board in boards]
        assert all(candidate.proven for answer in answers for candidate in answer.candidates)
        assert [
            EndgameOracle().probe(board.play(answer.choice)).seen_by_mover()
            for board, answer in zip(boards, answers, strict=True)
        ] == [EndgameOracle().probe(board) for board in boards]

    def test_a_turned_or_mirrored_board_ends_the_same(self, two_blanks: Path) -> None:
        rng = Random(10)
        boards = [any_board(2, rng) for _ in range(2_000)]
        assert all(
            len({EndgameOracle().probe(turn.state(board)) for turn in GAME.symmetries}) == 1
            for board in boards
        )

    def test_whoever_wants_fewer_blanks_looks_up_no_more(
        self, two_blanks: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert endgames().blanks == 2
        monkeypatch.setenv("ZERMELO_ENDGAMES", "1")
        assert endgames().blanks == 1
