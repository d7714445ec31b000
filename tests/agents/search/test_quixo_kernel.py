"""The Quixo kernel against the engine, and its search against plain minimax."""

from random import Random

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from agents.quixo.bitboard import (
    CELLS,
    is_repetition,
    masks_of,
    pushed,
    slid,
)
from agents.quixo.evaluation import course_evaluation, evaluate
from agents.search.quixo import kernel as kernels
from agents.search.quixo.branches import key_of, marked_cubes
from agents.search.quixo.kernel import WIN, Workspace
from agents.search.quixo.root import new_search, path_to
from engine import Match, load_game
from engine.quixo import Push, QuixoState
from tests.positions import random_match
from tests.soak import lessened

SIZES = (3, 4, 5)


def search_at(size: int, states: list[QuixoState], draw: int = 0) -> Workspace:
    """A search at the last of the states, after the others."""
    blank = new_search(size, course_evaluation(size), slots=1 << 14)
    path = path_to(states[-1], states[:-1])
    return blank._replace(path=path, draw=draw, plies=1000, exact=True)


def run_of(states: list[QuixoState]) -> int:
    """The reversible plies up to the last state, which took no blank cube."""
    blanks = [marked_cubes(state) == marked_cubes(states[-1]) for state in reversed(states)]
    return [*blanks, False].index(False) - 1


@numba.njit  # type: ignore[untyped-decorator]
def minimax(
    own: int, other: int, depth: int, ply: int, at: int, path: NDArray[np.int64], s: Workspace
) -> int:
    """Plain minimax, without window, table and move order: any repetition is a draw."""
    key = own | other << CELLS
    draw = -s.draw if ply % 2 else s.draw
    if ply > 0:
        for back in range(at - 2, -1, -2):
            if path[back] == key:
                return draw
    if depth == 0:
        return evaluate(own, other, s.lines, s.worth, WIN)
    path[at] = key
    best = -WIN - 1
    for slide in s.slides:
        if other & slide[0]:
            continue
        after, left = slid(own, slide) | slide[5], slid(other, slide)
        value = -evaluate(left, after, s.lines, s.worth, WIN)
        if abs(value) == WIN:
            value -= (ply + 1) * (1 if value > 0 else -1)
        else:
            value = -minimax(left, after, depth - 1, ply + 1, at + 1, path, s)
        best = max(best, value)
    return best


def minimax_value(states: list[QuixoState], depth: int, draw: int) -> int:
    search = search_at(states[-1].table.size, states, draw)
    path = search.path.copy()
    return int(minimax(*masks_of(states[-1]), depth, 0, len(states) - 1, path, search))


def searched_value(states: list[QuixoState], depth: int, draw: int) -> int:
    """Iterative deepening, so that the table has entries of shallower searches."""
    search = search_at(states[-1].table.size, states, draw)
    values = [
        kernels.negamax(*masks_of(states[-1]), deeper, -WIN - 1, WIN + 1, 0, run_of(states), search)
        for deeper in range(1, depth + 1)
    ]
    return int(values[-1])


def live_matches(size: int, count: int, seed: int) -> list[list[QuixoState]]:
    """The states of random matches that are not over, from the start to late."""
    game, rng = load_game(f"quixo:size={size}"), Random(seed)
    matches = (random_match(game, rng.randrange(70), rng) for _ in range(50 * count))
    live = (list(match.states) for match in matches if match.outcome() is None)
    return [next(live) for _ in range(count)]


def random_pushes(size: int, count: int) -> list[tuple[QuixoState, Push]]:
    """At least that many positions of random play, each with the push that was played."""
    game, rng = load_game(f"quixo:size={size}"), Random(size)
    pushes: list[tuple[QuixoState, Push]] = []
    while len(pushes) < count:
        match = random_match(game, 200, rng)
        pushes += zip(match.states, match.moves, strict=False)
    return pushes


def by_engine(state: QuixoState, push: Push) -> tuple[tuple[int, int], int | None]:
    """The masks after the push, and who has won."""
    after = state.play(push)
    outcome = after.outcome()
    return masks_of(after), None if outcome is None else outcome.score(after.to_move)


def by_kernel(
    state: QuixoState, push: Push, search: Workspace
) -> tuple[tuple[int, int], int | None]:
    own, other = masks_of(state)
    slide = search.slides[list(state.table.slides).index(push)]
    after = pushed(own, other, slide)
    value = evaluate(*after, search.lines, search.worth, WIN)
    return after, value // WIN if abs(value) == WIN else None


@pytest.mark.parametrize(
    ("depth", "ways"), [(1, 44), (2, 1_836), (3, 76_596), (4, 3_018_100)], ids=str
)
def test_perft_is_as_published(depth: int, ways: int) -> None:
    assert kernels.perft(0, 0, depth, search_at(5, [load_game("quixo").start])) == ways


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_moves_and_ends_are_the_engines_on_a_hundred_thousand_positions(size: int) -> None:
    played = random_pushes(size, 100_000 // len(SIZES) + 1)
    search = search_at(size, [played[0][0]])
    assert [by_kernel(*push, search) for push in played] == [by_engine(*push) for push in played]


@pytest.mark.parametrize(
    ("size", "depth", "count", "draw"),
    [
        *((size, depth, 110, 0) for size in SIZES for depth in (1, 2)),
        *(pytest.param(size, 3, 110, 0, marks=pytest.mark.slow) for size in SIZES),
        # Contempt counts for the side to move at the root.
        pytest.param(5, 3, 110, -40, marks=pytest.mark.slow),
        pytest.param(5, 4, lessened(300, 100), 0, marks=pytest.mark.soak),
    ],
)
def test_a_fixed_depth_gives_the_value_of_plain_minimax(
    size: int, depth: int, count: int, draw: int
) -> None:
    matches = live_matches(size, count, seed=depth)
    found = [searched_value(states, depth, draw) for states in matches]
    assert found == [minimax_value(states, depth, draw) for states in matches]


def test_44_moves_at_the_start_lead_to_16_positions_and_a_flag_ends_a_search() -> None:
    search = search_at(5, [load_game("quixo").start])
    assert kernels.expand(0, 0, 0, kernels.NO_MOVE, search)[0] == 16
    search.stop[1] = 1
    kernels.negamax(0, 0, 20, -WIN, WIN, 0, 0, search)
    assert search.counts[0] == 1


def test_completing_the_opponents_line_loses_even_with_a_line_of_ones_own() -> None:
    state = load_game("quixo").parse_state("xxxxx/ooooo/...../...../..... x")
    own, other = masks_of(state)
    search = search_at(5, [state])
    assert evaluate(own, other, search.lines, search.worth, WIN) == WIN


def test_a_repetition_is_found_among_the_reversible_plies() -> None:
    game = load_game("quixo")
    match = Match.replay(game, map(game.parse_move, ("a1-a5", "e1-e5", "a5-a1", "e5-e1")))
    same = match.play(game.parse_move("a1-a5")).play(game.parse_move("e1-e5"))
    keys = [key_of(state) for state in same.states]
    path = np.array(keys, np.int64)
    assert run_of(list(same.states)) == 4
    assert is_repetition(keys[-1], len(keys) - 1, 4, path)
    assert not is_repetition(keys[-1], len(keys) - 1, 3, path)


def test_the_table_returns_what_was_stored_unless_another_thread_wrote_half_of_it() -> None:
    table = np.zeros((1 << 10, 2), np.int64)
    kernels.store(12345, 7, -29_990, kernels.UPPER, 43, table)
    assert kernels.recall(12345, table) == (7, -29_990, kernels.UPPER, 43)
    assert kernels.recall(54321, table)[0] == -1
    table[kernels.slot_of(12345, table), 1] ^= 1 << 16  # of another depth
    assert kernels.recall(12345, table)[0] == -1
