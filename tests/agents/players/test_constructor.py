"""What a player's constructor is given."""

import pytest

from agents.players.guest.constructor import construct, guessed_arguments
from agents.players.guest.errors import UnplayableError


class Game:
    pass


class Player:
    pass


def nothing(): ...
def player_id(player_id): ...
def default(player: int = 0): ...
def unknown_default(me=None): ...
def optional(idx: int | None = None): ...
def number(depth, playerNumber: "int"): ...
def both(player_id, opponent_id): ...
def opponents(enemy_player: int = 1, player: int = 0): ...
def kept(depth=4, verbose=True, name="me", symbol="X", players=2): ...
def objects(game, other: "Game", max_depth: int): ...
def keyword(*args, player_idx, **options): ...


@pytest.mark.parametrize(
    ("made", "given"),
    [
        (nothing, {}),
        (player_id, {"player_id": 1}),
        (default, {"player": 1}),
        (unknown_default, {"me": 1}),
        (optional, {"idx": 1}),
        (number, {"depth": 2, "playerNumber": 1}),
        (both, {"player_id": 1, "opponent_id": 0}),
        (opponents, {"enemy_player": 0, "player": 1}),
        (kept, {}),
        (objects, {"game": "a game", "other": "a game", "max_depth": 2}),
        (keyword, {"player_idx": 1}),
    ],
)
def test_seat_depth_and_game_are_passed_where_they_are_taken(made, given):
    assert guessed_arguments(made, 1, lambda: "a game") == given


def partner(player: Player): ...
def rival(opponent): ...
def table(q_table, player_id): ...
def flag(player_id, is_player_one: bool): ...


@pytest.mark.parametrize(
    ("made", "missing"),
    [(partner, "player"), (rival, "opponent"), (table, "q_table"), (flag, "is_player_one")],
)
def test_anything_else_has_to_be_told(made, missing):
    why = rf"{made.__name__} also wants {missing}: tell it as {made.__name__}\(…\)"
    with pytest.raises(UnplayableError, match=why):
        guessed_arguments(made, 0, Game)


def test_what_is_told_is_passed_as_it_is():
    def made(*values, **named):
        return values, named

    assert construct(made, "2, SEAT, name='a'", 1, Game) == ((2, 1), {"name": "a"})
    assert construct(made, "", 1, Game) == ((), {})
