"""What an agent knows as a whole: its source, its table, the seats in which it can be beaten."""

from __future__ import annotations

from dataclasses import dataclass

from agents.export import export_source
from agents.knowledge import knowledge_csv
from agents.perfect.oracles import oracle_for
from agents.roster import pinned_spec
from agents.tabular.exact import beatable_seats
from agents.tabular.tables import tabulate
from engine import Seat, load_game
from webapp.workers.analyses import loaded_agent
from webapp.workers.requests import Answer, ResultRequest

MAX_KNOWN_MOVES = 100_000  # about 5 MB, which a page reads through


@dataclass(frozen=True, slots=True)
class SourceRequest(ResultRequest[str]):
    """An agent as the source of a Python file."""

    game: str
    agent: str

    @property
    def key(self) -> tuple[str, str]:
        return f"{self.agent} as source", self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> str:
        return export_source(self.agent, load_game(self.game))

    def answer(self, result: str) -> Answer[str]:
        return Answer(result, weight=len(result))


@dataclass(frozen=True, slots=True)
class KnowledgeRequest(ResultRequest[str]):
    """What a table learner knows, as CSV."""

    game: str
    agent: str

    @property
    def key(self) -> tuple[str, str]:
        return f"knowledge of {self.agent.partition(':')[0]}", self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> str:
        return knowledge_csv(self.agent, load_game(self.game), MAX_KNOWN_MOVES)

    def answer(self, result: str) -> Answer[str]:
        return Answer(result, weight=len(result))


@dataclass(frozen=True, slots=True)
class Weakness:
    """The seats (their marks) in which an agent can be beaten, and the one that is lost anyway."""

    beaten: tuple[str, ...]
    lost: str  # empty where the game is a draw


@dataclass(frozen=True, slots=True)
class WeaknessRequest(ResultRequest[Weakness]):
    """Whether anyone can beat an agent: every reply to every move of it, in a small game."""

    game: str
    agent: str

    @property
    def key(self) -> tuple[str, str]:
        return f"weakness of {self.agent.partition(':')[0]}", self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> Weakness:
        game = load_game(self.game)
        tables = tabulate(game)
        policy = tables.policy(loaded_agent(pinned_spec(self.agent, game), game.spec))
        lost = {1: Seat.SECOND.mark, 0: "", -1: Seat.FIRST.mark}
        beaten = tuple(seat.mark for seat in beatable_seats(tables, policy))
        return Weakness(beaten, lost[oracle_for(game).probe(game.start).value])
