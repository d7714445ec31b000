"""What Monte Carlo tries most as it plays out more and more games."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from agents.core import Limit
from agents.formats import counted
from agents.roster import load_agent
from engine import load_game
from webapp.questions.arguments import Arguments
from webapp.questions.errors import UnknowableError
from webapp.questions.facts import MovesFact, PossibleAnswer
from webapp.questions.posed import PosedQuestion
from webapp.questions.words import joined

MOST_GAMES = 500
SEED = 1

# [(games, [(moves that lead to the same board, games tried, mean result, proven), …]), …]
Stages = tuple[tuple[int, tuple[tuple[str, int, float, str], ...]], ...]


def preferred(posed: PosedQuestion, arguments: Arguments) -> MovesFact:
    """Which move was tried most after so many games; those that lead to the same board are one."""
    games = arguments.count(arguments.words[0], "the number of games", 1, MOST_GAMES)
    stages = dict(sampled(posed.game, str(posed.match.state)))
    if games not in stages:
        known = joined([str(stage) for stage in stages])
        raise UnknowableError(f"nobody looked after {counted(games, 'game', 'games')}, but {known}")
    tried = sorted(stages[games], key=lambda one: -one[1])
    answers = tuple(
        PossibleAnswer(move, one == tried[0], counted(one[1], "game", "games"))
        for one in tried
        for move in one[0].split()
    )
    counts = joined([f"{_either(one[0])} {one[1]}" for one in tried[:3]])
    sentence = f"Of {counted(games, 'game', 'games')} it tried {counts}."
    return MovesFact(answers, sentence, "Monte Carlo itself, asked here", tried[0][0].split()[0])


def _either(moves: str) -> str:
    """`b1 or c2`."""
    return " or ".join(moves.split())


@lru_cache(maxsize=32)
def sampled(game: str, state: str) -> Stages:
    """What it had tried at each of its stages."""
    rules = load_game(game)
    agent: Any = load_agent(f"mcts:simulations={MOST_GAMES}", rules)
    said = agent.analyse(rules.parse_state(state), limit=Limit(), rng=Random(SEED), show=True)
    return tuple(
        (
            games,
            tuple((one.move, one.visits, round(one.mean, 4), one.proven) for one in stage),
        )
        for games, stage in said.exhibit.stages
    )
