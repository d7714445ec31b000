"""Puzzles from a game: what a player missed comes first, and each is proven."""

from agents.puzzles.check import check_puzzles
from agents.puzzles.difficulty import depth_of
from agents.puzzles.mistakes import puzzles_of
from engine import Match, Seat, load_game


def played(spec: str, moves: str) -> Match:
    game = load_game(spec)
    return Match.replay(game, [game.parse_move(text) for text in moves.split()])


def test_what_was_missed_comes_first_and_is_proven() -> None:
    match = played("tictactoe", "a1 b1 b2 c1 c3")  # a corner is answered in the centre, or lost
    found = puzzles_of(match, [Seat.SECOND], 3)
    assert [each.missed for each in found] == sorted((e.missed for e in found), reverse=True)
    assert found[0].missed
    assert found[0].puzzle.state == str(match.states[1])
    assert found[0].puzzle.solutions == ("b2",)
    assert check_puzzles([each.puzzle for each in found]) == []


def test_the_other_seat_missed_nothing_there() -> None:
    match = played("tictactoe", "a1 b1 b2 c1 c3")
    states = {each.puzzle.state for each in puzzles_of(match, [Seat.FIRST], 3) if each.missed}
    assert str(match.states[1]) not in states


def test_at_most_so_many_with_a_level_by_depth() -> None:
    match = played("nim", "a1 b3 c5 d7 e8 e1")
    found = puzzles_of(match, [Seat.FIRST], 2)
    assert len(found) <= 2
    for each in found:
        assert each.puzzle.depth == depth_of(each.puzzle, 5)
        assert each.puzzle.level == (each.puzzle.depth or 5)
        assert each.puzzle.missed is None
