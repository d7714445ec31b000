"""The opportunist takes what wins now, and sees nothing else."""

from random import Random

import pytest

from agents import Limit, load_agent
from engine import load_game


def analyse(game_spec: str, text: str):
    game = load_game(game_spec)
    agent = load_agent("opportunist", game)
    return agent.analyse(game.parse_state(text), limit=Limit(), rng=Random(1))


@pytest.mark.parametrize(
    ("game_spec", "text", "wins"),
    [
        ("tictactoe", "xx./oo./... x", {"c3"}),
        ("tictactoe", "xx./oo./x.. o", {"c2"}),
        ("tictactoe", "x.x/.oo/xo. x", {"b3", "a2"}),
        ("nim:preset=normal", "0-2-0 x", {"b2"}),
        ("quixo:size=3", "xx./oo./... x", {"c3-a3", "c1-c3", "c2-c3"}),
    ],
)
def test_it_plays_only_moves_that_win_at_once_where_there_are_any(game_spec, text, wins):
    analysis = analyse(game_spec, text)
    assert {str(c.move) for c in analysis.candidates if c.chance > 0} == wins


@pytest.mark.parametrize(
    ("game_spec", "text"), [("tictactoe", "xx./o../... o"), ("nim", "1-3-5-7-9 x")]
)
def test_elsewhere_every_legal_move_is_as_likely_as_the_next(game_spec, text):
    analysis = analyse(game_spec, text)
    assert {c.chance for c in analysis.candidates} == {1 / len(analysis.candidates)}


def test_its_reason_tells_a_win_from_a_draw_of_lots():
    assert analyse("tictactoe", "xx./oo./... x").reason == "c3 wins at once; no other move does."
    assert "Nothing wins at once" in analyse("tictactoe", "xx./o../... o").reason
