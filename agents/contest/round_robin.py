"""Everyone against everyone: the games of an arena played, and the table they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.contest.results import Result
from agents.contest.series import Watched
from agents.contest.spreading import play_all, play_apart
from agents.contest.standings import Standings, stand
from agents.contest.terms import Terms, field_of
from agents.core import UNLIMITED, Limit
from engine.core import Game


def play_arena(
    game: Game[Any, Any],
    specs: Sequence[str],
    *,
    games: int = 100,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    opening: int = 0,
    workers: int = 1,
    watched: Watched = iter,
) -> Standings:
    """A round robin, so many games a pair; the number of workers changes no result.

    More than one worker are processes of their own: a script that asks for them does so under
    `if __name__ == "__main__"`. In these an agent that never answers, or takes its process down,
    forfeits its game; played here it would keep the script waiting. Raises what `load_agent`
    does, and InvalidSpecError for a field of fewer than two or with an agent in it twice.
    """
    terms = Terms(game.spec, field_of(game, specs), games, seed, limit, opening)
    apart = min(workers, terms.total) > 1
    played = play_apart(terms.fixtures(), workers) if apart else play_all(terms.fixtures())
    return stand(terms, map(Result.of, watched(played)))
