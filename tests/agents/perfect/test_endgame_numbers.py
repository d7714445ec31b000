"""Quixo's endgames: every board has a number, and every end a code."""

from random import Random

import pytest

from agents.perfect import endgame_kernel
from agents.perfect.endgame_builder import arrivals_of, bounds_of, mask_of, rules
from agents.perfect.endgame_kernel import OPEN
from agents.perfect.endgame_kernel import masks_of as masks_of_number
from agents.quixo.bitboard import masks_of, slides_of
from agents.quixo.endgame_tables import (
    BOARD,
    DRAWN,
    FARTHEST,
    LOST,
    MAX_BLANKS,
    PLACES,
    SIZES,
    WON,
    code_beyond,
    folding,
    number_of,
    plies_of,
)
from engine.quixo import QuixoState
from tests.agents.perfect.boards import GAME, any_board, masks_without


@pytest.mark.parametrize("blanks", range(MAX_BLANKS + 1))
def test_every_board_has_one_number_in_its_part_of_the_table(blanks: int) -> None:
    first, last = bounds_of(blanks)
    numbers = [
        number_of(own, BOARD & ~own & ~mask_of(place), folding())
        for place in PLACES[blanks]
        for own in map(int, masks_without(place, 1 << 16))
    ]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) == first
    assert max(numbers) < last


@pytest.mark.parametrize("blanks", range(MAX_BLANKS + 1))
def test_a_number_tells_its_board(blanks: int) -> None:
    first, last = bounds_of(blanks)
    numbers = [Random(seed).randrange(first, last) for seed in range(300)]
    boards = [masks_of_number(number, rules()) for number in numbers]
    assert [number_of(own, BOARD & ~(own | blank), folding()) for own, blank in boards] == numbers


def test_turned_and_mirrored_blanks_share_their_numbers() -> None:
    rng = Random(3)

    def images(board: QuixoState) -> int:
        turned = (turn.state(board) for turn in GAME.symmetries)
        return len({number_of(*masks_of(each), folding()) for each in turned})

    # A blank off, on an axis, in the centre; of two, 4: opposite ends of an axis.
    assert {images(any_board(1, rng)) for _ in range(300)} == {1, 2, 8}
    assert {images(any_board(2, rng)) for _ in range(300)} == {1, 2, 4}


@pytest.mark.parametrize("blanks", range(MAX_BLANKS + 1))
def test_every_move_that_keeps_the_blanks_is_undone_exactly_once(blanks: int) -> None:
    moves = sum(
        1
        for place in PLACES[blanks]
        for slide in slides_of(5).tolist()
        if not slide[0] & mask_of(place)  # a blank is not one's own
    )
    assert sum(len(arrivals_of(place)) for place in PLACES[blanks]) == moves
    assert len(PLACES[blanks]) == (1, 6, 49)[blanks]
    assert SIZES[blanks] == sum((1, 6, 49)[each] << 25 - each for each in range(blanks + 1))


def test_every_end_has_a_code_of_its_own_that_tells_how_far_away_it_is() -> None:
    near = {(first, plies): first + plies for first in (WON, LOST) for plies in range(81)}
    far = {
        (WON if plies % 2 else LOST, plies): code_beyond(plies) for plies in range(81, FARTHEST + 1)
    }
    codes = near | far
    assert len({DRAWN, *codes.values()}) == 1 + 2 * 81 + (FARTHEST - 80)
    assert max(codes.values()) <= 255
    assert {
        end: (LOST if code >= LOST else WON, plies_of(code)) for end, code in codes.items()
    } == {end: end for end in codes}
    most = 2 * 4 + 3 * 12  # moves of a mover who has every cube on the rim, while being solved
    assert LOST + endgame_kernel.COUNTED < OPEN <= 255 - most
