"""The package in docs/adding-a-game.md, installed as written: the laws hold, and everyone plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.core import ask
from agents.roster import agents_for
from engine import Match, load_game
from engine.catalog import all_variants, find_entry
from tests.documented import install, zermelo
from tests.engine import test_laws
from tests.example_game import PAGE, importable
from tests.positions import random_match

pytestmark = pytest.mark.slow  # installs a package

LAWS = [law for law in vars(test_laws).values() if hasattr(law, "hypothesis")]
TABLES = {"perfect", "qlearning"}
RULES_ALONE = {"random", "opportunist", "minimax", "alphabeta", "mcts"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(PAGE, tmp_path_factory.mktemp("chomp"))


@pytest.fixture(scope="module", autouse=True)
def chomp(installed: Path) -> Iterator[None]:
    with importable(installed):
        yield


def test_the_laws_are_there() -> None:
    assert len(LAWS) >= 10


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_law_of_every_game_holds(law: Any) -> None:
    rng = Random(1)
    games = [game for game in all_variants() if game.key == "chomp"]
    drawn = [random_match(game, plies, rng) for game in games for plies in (0, 1, 3, 6, 60)]
    assert [law.hypothesis.inner_test(match=match) for match in drawn] == [None] * 15


def test_who_plays_follows_from_how_many_states_there_are() -> None:
    offered = {
        preset.name: {agent.key for agent in agents_for(load_game(f"chomp:preset={preset.name}"))}
        for preset in find_entry("chomp").presets
    }
    assert offered["classic"] == offered["small"] == RULES_ALONE | TABLES
    assert offered["huge"] == RULES_ALONE


@pytest.mark.parametrize("agent", sorted(RULES_ALONE | TABLES))
def test_everyone_plays_it_to_the_end(agent: str) -> None:
    game = load_game("chomp:preset=small")
    match, rng = Match.begin(game), Random(1)
    players = load_agent(agent, game), load_agent("random", game)
    while match.outcome() is None:
        match = match.play(ask(players[match.ply % 2], match, Limit(nodes=2_000), rng).choice)
    assert match.outcome() is not None


def test_whoever_begins_wins() -> None:
    """By strategy stealing: if biting the last square won nothing, what it is answered by would."""
    game = load_game("chomp")
    best = ask(load_agent("perfect", game), Match.begin(game), Limit(), Random(1)).candidates[0]
    assert (best.value, best.proven) == (1.0, True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("z9", "'z9' is no square: they run to c2"),
        ("", "'' is no square: they run to c2"),
        ("b2 b2", "'b2 b2' is no square: they run to c2"),
    ],
)
def test_a_text_that_is_no_move_is_told_apart(text: str, why: str) -> None:
    with pytest.raises(Exception, match=why):
        load_game("chomp:preset=small").parse_move(text)


@pytest.mark.parametrize("text", ["", "3-3", "1-3 x", "3-3-3 x", "4-3 x", "3-3 z", "03-3 x"])
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(Exception, match="does not look like '3-3 x'"):
        load_game("chomp:preset=small").parse_state(text)


def test_the_command_line_has_it_and_draws_it(installed: Path) -> None:
    small = ("play", "chomp:preset=small", "--against", "perfect")
    assert "  2 │ # │ # │( )│" in zermelo(installed, *small, typed="c2\nmoves\nb1\n")
