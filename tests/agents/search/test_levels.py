"""The levels of quixo-deep."""

from random import Random

import pytest

from agents import Limit, load_agent
from agents.contest.arena import Terms
from agents.contest.ratings import Score
from agents.contest.series import play_all
from agents.roster import find_agent
from agents.search.quixo.deep import FULL_STRENGTH, LEVELS, Level
from engine import load_game

GAME = load_game("quixo")


def test_they_run_from_first_steps_to_full_strength() -> None:
    assert LEVELS[0].title == "First steps"
    assert (LEVELS[-1].name, LEVELS[-1].title) == (FULL_STRENGTH, "Full strength")
    assert LEVELS[-1].limit == Limit()
    option = next(o for o in find_agent("quixo-deep").options if o.name == "level")
    assert option.choices == tuple(level.name for level in LEVELS)


@pytest.mark.slow
@pytest.mark.parametrize("at", range(2, 6), ids=lambda at: LEVELS[at].name)
def test_a_level_beats_the_one_two_below(at: int) -> None:
    one, two = (f"quixo-deep:level={level.name}" for level in (LEVELS[at], LEVELS[at - 2]))
    games = play_all(Terms(GAME.spec, (one, two), 24, seed=1, opening=4).fixtures())
    assert sum((game.score(0) for game in games), Score()).rate > 0.7


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_every_level_has_a_line_about_it_and_plays(level: Level) -> None:
    agent = load_agent(f"quixo-deep:level={level.name}", GAME)
    analysis = agent.analyse(GAME.start, limit=Limit(nodes=2_000), rng=Random(1))
    assert analysis.choice in GAME.start.legal_moves()
    assert level.description.endswith(".")
    assert analysis.effort.depth <= (level.limit.depth or 60)


def test_a_level_that_slips_says_so_when_it_does() -> None:
    agent = load_agent("quixo-deep:level=first-steps", GAME)
    reasons = [agent.analyse(GAME.start, rng=Random(seed)).reason for seed in range(20)]
    assert {"at random on purpose" in reason for reason in reasons} == {True, False}
