"""The door for what only one technique has to show."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from agents import Analysis, Limit
from agents.core import ask
from agents.roster import load_agent, roster
from agents.rules.baselines import UniformRandom
from agents.wrappers import Skilled
from engine import Match, load_game
from engine.core import State
from webapp.workers import requests
from webapp.workers.requests import AnalysisRequest

GAME = load_game("tictactoe")


@dataclass(frozen=True)
class Dice:
    """What a random player could show."""

    faces: int
    kind: str = "dice"


@dataclass(frozen=True)
class Showing:
    """A random player that shows its dice."""

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        said = UniformRandom().analyse(state, limit=limit, rng=rng)
        return replace(said, exhibit=Dice(len(said.candidates))) if show else said


def asked(agent: Any, *, show: bool) -> Analysis[Any]:
    return ask(agent, Match.begin(GAME), Limit(), Random(1), show=show)


def test_an_exhibit_is_made_only_when_asked_for() -> None:
    assert asked(Showing(), show=True).exhibit == Dice(9)
    assert asked(Showing(), show=False).exhibit is None


def test_showing_changes_nothing_else() -> None:
    assert replace(asked(Showing(), show=True), exhibit=None) == asked(Showing(), show=False)


def test_an_agent_that_slips_still_shows() -> None:
    assert asked(Skilled(Showing(), 0.5), show=True).exhibit == Dice(9)


@pytest.mark.parametrize("shows", [True, False])
def test_only_agents_whose_entry_says_so_are_asked_to_show(
    shows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    entry = replace(roster()[0], shows=shows)
    monkeypatch.setattr(requests, "find_agent", lambda key: entry)
    monkeypatch.setattr(requests, "ask", lambda *args, show: seen.append(show))
    requests.think(AnalysisRequest("tictactoe", None, (), "random", "seed", show=True), 5.0)
    assert seen == [shows]


def test_an_agent_without_anything_to_show_is_called_as_ever() -> None:
    assert asked(load_agent("random", GAME), show=False).exhibit is None
