"""Quixo's endgames: their counts, and their definition on every board."""

import hashlib
from itertools import islice
from math import comb
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from agents import Limit, load_agent
from agents.core import Measure
from agents.errors import CorruptTableError
from agents.perfect import endgame_builder as worked_out
from agents.perfect import endgame_kernel
from agents.perfect.endgame_builder import mask_of, rules, solve_endgames, solve_layer
from agents.perfect.endgame_kernel import OPEN, first_code
from agents.perfect.oracles import EndgameOracle
from agents.quixo.bitboard import blanks_of, has_line, masks_of, masks_of_lines, slid, slides_of
from agents.quixo.endgame_tables import (
    BOARD,
    DIGESTS,
    DRAWN,
    FARTHEST,
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
from agents.roster import agents_for, analysts_for
from engine.quixo import QuixoState
from tests.agents.perfect.boards import (
    GAME,
    any_board,
    masks_without,
    open_boards,
    wrongly_probed,
)
from tests.soak import SHORT, lessened


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
        found = (-1 if code >= LOST else 1, plies_of(code)) if code != DRAWN else (0, 0)
        wrong += found != expected
    return wrong


def wrong_codes(place: Blanks, every: int = 1) -> int:
    """Of the boards with these blanks, or every so many of them."""
    slides, lines = slides_of(5), masks_of_lines(5)
    masks = masks_without(place, every)
    return int(undefined(mask_of(place), masks, endgames().codes, folding(), slides, lines))


TWO_BLANKS = [
    pytest.mark.soak,
    pytest.mark.skipif(SHORT, reason="minutes to work them out, and half a gigabyte to keep"),
]


@pytest.fixture
def looked_up(request: pytest.FixtureRequest) -> int:
    """Look up boards with at most so many blanks."""
    blanks: int = request.param
    request.getfixturevalue(("full_boards", "one_blank", "two_blanks")[blanks])
    return blanks


def with_tables(*blanks: int) -> Any:
    marks = {0: pytest.mark.soak, 1: pytest.mark.soak, 2: TWO_BLANKS}
    cases = [pytest.param(each, marks=marks[each]) for each in blanks]
    return pytest.mark.parametrize("looked_up", cases, indirect=True)


@with_tables(0, 1, 2)
def test_all_boards_are_counted_as_published(looked_up: int) -> None:
    counts, longest = {
        0: ((20_073_427, 13_326_948, 154_057), 70),
        1: ((251_945_445, 159_558_801, 7_926_154), 75),
        2: ((1_503_035_960, 922_844_064, 90_702_376), 158),
    }[looked_up]
    summary, cubes = solve_endgames(looked_up), 25 - looked_up
    assert (summary.wins, summary.losses, summary.draws) == counts
    assert summary.longest == longest
    assert [each.wins + each.losses + each.draws for each in summary.classes] == [
        comb(25, looked_up) * comb(cubes, own) for own in range(cubes + 1)
    ]


@with_tables(0, 1, 2)
def test_twenty_thousand_boards_follow_from_what_the_engines_moves_lead_to(looked_up: int) -> None:
    rng = Random(looked_up)
    boards = [any_board(looked_up, rng) for _ in range(lessened(20_000, 5_000))]
    assert wrongly_probed(boards, EndgameOracle()) == []


@pytest.mark.parametrize(
    ("looked_up", "place"),
    [
        pytest.param(blanks, place, marks=TWO_BLANKS if blanks == 2 else pytest.mark.soak)
        for blanks, places in enumerate(PLACES)
        for place in places
    ],
    indirect=["looked_up"],
)
def test_every_board_obeys_the_definition(looked_up: int, place: Blanks) -> None:
    assert wrong_codes(place, lessened(1, 8) if looked_up else 1) == 0


@with_tables(1)
def test_boards_with_two_blanks_begin_with_what_is_known_of_those_with_one(looked_up: int) -> None:
    def first_code_of(board: QuixoState) -> int:
        """What is known of an open board with two blanks before any other such board is."""
        after = {move: board.play(move) for move in board.legal_moves()}
        fewer = [EndgameOracle().probe(child) for child in after.values() if blanks_of(child) == 1]
        lost = [verdict.plies or 0 for verdict in fewer if verdict.value < 0]
        won = [verdict.plies or 0 for verdict in fewer if verdict.value > 0]
        left = len(after) - len(won)
        if lost:
            return WON + min(lost) + 1
        return OPEN + left if left else LOST + max(won) + 1

    codes = endgames().codes
    boards = list(islice(open_boards(2, seed=4), lessened(20_000, 2_000)))
    numbers = [number_of(*masks_of(board), folding()) for board in boards]
    found = [first_code(number, codes, rules())[0] for number in numbers]
    assert found == [first_code_of(board) for board in boards]


@with_tables(0, 2)
@pytest.mark.parametrize("agent", ["perfect", "quixo-deep"])
def test_they_are_looked_up_and_what_they_are_worth_is_kept(looked_up: int, agent: str) -> None:
    asked, oracle = load_agent(agent, GAME), EndgameOracle()
    boards = list(islice(open_boards(looked_up, seed=9), 30))
    answers = [asked.analyse(board, limit=Limit(), rng=Random(1)) for board in boards]
    assert all(candidate.proven for answer in answers for candidate in answer.candidates)
    assert [
        oracle.probe(board.play(answer.choice)).seen_by_mover()
        for board, answer in zip(boards, answers, strict=True)
    ] == [oracle.probe(board) for board in boards]


@with_tables(0, 2)
def test_whoever_wants_fewer_blanks_looks_up_no_more(
    looked_up: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert endgames().blanks == looked_up
    monkeypatch.setenv("ZERMELO_ENDGAMES", str(looked_up - 1) if looked_up else "no")
    assert endgames().blanks == looked_up - 1


@with_tables(0)
def test_perfect_says_where_it_knows_nothing(looked_up: int) -> None:
    analysis = load_agent("perfect", GAME).analyse(next(open_boards(3, seed=4)))
    assert analysis.measure is Measure.CHANCE
    assert {candidate.value for candidate in analysis.candidates} == {None}
    assert analysis.reason == (
        "It does not know this position: 3 cubes are blank, and boards with none are solved. "
        f"It picked {analysis.choice} at random."
    )


def test_perfect_says_how_to_have_the_tables_and_is_no_opponent_on_quixo() -> None:
    reason = load_agent("perfect", GAME).analyse(next(open_boards(0, seed=4))).reason
    assert "`zermelo solve quixo --blanks 1` does" in reason
    assert "perfect" in [entry.key for entry in analysts_for(GAME)]
    assert "perfect" not in [entry.key for entry in agents_for(GAME)]


@pytest.mark.soak
def test_ends_are_the_same_whether_moves_are_counted_or_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endgame_kernel, "COUNTED", 40)  # ends of full boards come both ways
    codes = np.zeros(SIZES[0], np.uint8)
    assert all(0 <= share <= 1 for share in solve_layer(0, codes))
    assert hashlib.sha256(codes.data).hexdigest() == DIGESTS[0]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("counted", "farthest", "why"),
    [
        (40, 60, "an end 61 plies away has no code"),
        # Where a mover may have a line already.
        (0, FARTHEST, "parity does not tell who wins in 0 plies"),
    ],
)
def test_an_end_that_no_code_can_tell_is_an_error(
    counted: int, farthest: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgame_kernel, "COUNTED", counted)
    monkeypatch.setattr(worked_out, "FARTHEST", farthest)
    with pytest.raises(CorruptTableError, match=why):
        list(solve_layer(0, np.zeros(SIZES[0], np.uint8)))
