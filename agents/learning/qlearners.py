"""The Q-learner: a table for small games, a dictionary for others, and its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.core import Agent
from agents.entry import Entry, Technique
from agents.errors import UnsuitableAgentError
from agents.learner import Learner
from agents.learning.common import UNMET, alpha_option, epsilon_option, gamma_option
from agents.learning.qlearning import KEY, SHAPES, QTable
from agents.learning.qsparse import QDictionary
from agents.search.guided import search_option
from agents.tabular.tables import why_too_many
from agents.training.brains import Brain
from agents.training.loop import Callbacks, Points, games_option
from agents.training.opponents import Opponents, opponent_option
from agents.training.shipped import SHIPPED
from engine.core import Game
from engine.entry import Preset
from engine.options import Kind, Option, Values

MAX_STATES = 50_000  # of a game for a table: more would take too long to train
PUBLISHED = (
    ("games", "100000"),
    ("opponent", "random"),
    ("alpha", "0.5"),
    ("half", "1000000000"),  # the learning rate stays
    ("gamma", "0.7"),
    ("epsilon", "0.1"),
    ("shape", "squares"),
    ("draw_first", "0.01"),
    ("draw_second", "0.09"),
    ("starts", "start"),
    ("unmet", "random"),
)


def _why_too_large(game: Game[Any, Any]) -> str | None:
    """Why the game is too large for a table, found without tabulating it."""
    return why_too_many(game, MAX_STATES, "learn")


def _draw(seat: str) -> Option:
    what = f"what a draw pays it as {seat}, where a win pays 1 and a loss -1"
    title = f"What a draw pays, as {seat}"
    return Option(f"draw_{seat}", Kind.NUMBER, 0.0, what, low=-1.0, high=1.0, title=title)


def _is_large_quixo(game: Game[Any, Any]) -> bool:
    return game.key == "quixo" and _why_too_large(game) is not None


def _bonus(name: str, what: str) -> Option:
    what = f"Quixo on 4×4 and 5×5: what {what} pays at once"
    return Option(name, Kind.NUMBER, 0.0, what, low=0.0, high=1.0)


@dataclass(frozen=True)
class QLearners(Learner):
    """A table for small games, a dictionary for others."""

    key = KEY
    remembered = (UNMET.name,)

    def _for(self, game: Game[Any, Any]) -> Learner:
        return (QDictionary if _why_too_large(game) else QTable)(self.opponents)

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        return self._for(game).callbacks(game, options, seed, brain)

    def plan(self, game: Game[Any, Any], options: Values) -> tuple[int, Points]:
        return self._for(game).plan(game, options)

    def reference_for(self, game: Game[Any, Any]) -> str:
        return self._for(game).reference_for(game)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        return self._for(game).seconds(game, options)

    def suits(self, game: Game[Any, Any], options: Values) -> None:
        """Raises for bonuses that the game has no use for."""
        if (options.number("four") or options.number("broken")) and not _is_large_quixo(game):
            raise UnsuitableAgentError("four and broken are for Quixo on 4×4 and 5×5 alone")

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> Agent[Any, Any]:
        return self._for(game).agent(game, brain, options)


def entry(opponents: Opponents) -> Entry:
    learner = QLearners(opponents)
    return learner.entry(
        title="Q-learner",
        technique=Technique.LEARNING,
        order=1,
        description=(
            "Played itself over and over and remembers how each move turned out. "
            "Small games it has mastered; on a big board it hardly ever meets a position twice."
        ),
        options=(
            games_option(None, what="; none is as many as suit the game"),
            opponent_option("self"),
            alpha_option(0.5),
            Option(
                "half",
                Kind.NUMBER,
                50_000.0,
                "against an opponent: games after which alpha has come down to a half",
                low=1.0,
                high=1e9,
                title="Games until alpha is halved",
            ),
            gamma_option(0.95),
            epsilon_option(0.4),
            Option(
                "shape",
                Kind.CHOICE,
                "end",
                "rewards: all at the end, spread over the moves and larger towards the end, or the "
                "same as squares of which the last is 1",
                choices=tuple(SHAPES),
                title="When it is rewarded",
            ),
            _draw("first"),
            _draw("second"),
            Option(
                "starts",
                Kind.CHOICE,
                "anywhere",
                "where training games begin: the start, or (small games) every other one anywhere",
                choices=("start", "anywhere"),
            ),
            _bonus("four", "making all of a line but one"),
            _bonus("broken", "breaking such a line of the opponent's"),
            UNMET,
            search_option(),
        ),
        refuses=lambda game: None if (game.spec, KEY) in SHIPPED else _why_too_large(game),
        suits=learner.suits,
        presets=(Preset("published", "as the course published it", PUBLISHED),),
    )
