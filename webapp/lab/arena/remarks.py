"""Texts about an arena: its terms, players, results and remarks."""

from __future__ import annotations

from collections.abc import Mapping

from agents.contest.arena import Terms
from agents.contest.ratings import Rating, Score
from agents.contest.standings import Standings
from agents.contest.upsets import Cycle, Upset
from agents.core import Limit
from agents.formats import counted
from agents.roster import agent_title
from engine import Ending, load_game
from engine.catalog import variant_title
from webapp.replays.advice import RATED_NODES
from webapp.replays.models import bot_id_of, bot_name_of

NOT_REPEATED = "a limit in seconds: the same seed may give other games"


def player_names(terms: Terms, names: Mapping[str, str]) -> list[str]:
    """Names of the players, in the order of the terms."""
    return [names.get(spec) or _name(spec, terms.game) for spec in terms.players]


def _name(spec: str, game: str) -> str:
    return f"{bot_name_of(spec)} · bot" if bot_id_of(spec) else agent_title(spec, game)


def terms_text(terms: Terms) -> str:
    """`Quixo, 5×5 · everyone against everyone, 20 games a pair, seats changed · seed 3`."""
    games = counted(terms.games, "game", "games")
    parts = [
        f"{load_game(terms.game).title}, {variant_title(terms.game)}",
        f"everyone against everyone, {games} a pair, seats changed",
        limit_text(terms.limit),
    ]
    if any(map(bot_id_of, terms.players)):
        parts.append(f"against bots machines look at {RATED_NODES} positions a move")
    if terms.opening:
        plies = counted(terms.opening, "random ply", "random plies")
        parts.append(f"{plies} first, each played from both seats")
    parts.append(f"seed {terms.seed}" if terms.repeats else f"seed {terms.seed}, {NOT_REPEATED}")
    return " · ".join(parts)


def limit_text(limit: Limit) -> str:
    """`0.2 s a move`."""
    if limit.seconds is not None:
        return f"{limit.seconds:g} s a move"
    if limit.nodes is not None:
        return f"{counted(limit.nodes, 'position', 'positions')} a move"
    if limit.depth is not None:
        return f"{counted(limit.depth, 'ply', 'plies')} deep"
    return "each as it is set"


def rating_text(rating: Rating | None) -> str:
    return "–" if rating is None else _signed(rating.elo)


def interval_text(rating: Rating | None) -> str:
    """`+560 to +664`."""
    return "" if rating is None else f"{_signed(rating.low)} to {_signed(rating.high)}"


def _signed(figure: float) -> str:
    return f"{round(figure) + 0:+d}".replace("-", "−").replace("+0", "0")


def points_text(score: Score) -> str:
    """`17`, `17½`: a draw is half a point."""
    whole, half = divmod(2 * score.wins + score.draws, 2)
    return f"{whole:,}{'½' if half else ''}" if whole or not half else "½"


def counts_text(score: Score, *, draws: bool) -> str:
    """`17–2–1`; `17–1` without draws."""
    if not score.games:
        return "…"
    return f"{score.wins}–{score.draws}–{score.losses}" if draws else f"{score.wins}–{score.losses}"


def pace_text(seconds: float) -> str:
    """`0.4 ms`, `31 ms`, `1.2 s`."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.1g} ms"


def upset_text(upset: Upset, names: list[str]) -> str:
    """`Game 41: MCTS beat Evolved Quixo in 38 plies.`"""
    plies = counted(upset.plies, "ply", "plies")
    if upset.drawn:
        event = f"{names[upset.by]} held {names[upset.over]} to a draw{ending_text(upset.ending)}"
    else:
        event = f"{names[upset.by]} beat {names[upset.over]} in {plies}"
    return f"Game {upset.number}: {event}."


def ending_text(ending: str) -> str:
    """How a game ended, if unusual."""
    return {
        Ending.REPETITION.value: " by repetition",
        Ending.PLY_LIMIT.value: " by length",
    }.get(ending, "")


def cycle_text(cycle: Cycle, names: list[str]) -> str:
    """`A > B > C > A`."""
    one, two, three = (names[entrant] for entrant in cycle.entrants)
    doubt = "" if cycle.sure else " (which chance may have made)"
    return f"{one} > {two} > {three} > {one}{doubt}"


def table_notes(table: Standings) -> tuple[str, ...]:
    """Remarks on the table: ties, repeated games, unusual endings."""
    notes = []
    if table.brackets:
        ranges = ", ".join(f"{low} to {high}" for low, high in table.brackets)
        notes.append(f"These games cannot tell apart ranks {ranges}.")
    if table.different < table.played:
        repeats = table.played - table.different
        were = "was a repeat" if repeats == 1 else "were repeats"
        notes.append(
            f"{repeats:,} of the {table.played:,} games {were}, so the true uncertainty is larger."
        )
    odd = table.oddities
    endings = {
        "forfeited": odd.forfeits,
        "drawn by repetition": odd.repetitions,
        "ended by length": odd.lengths,
    }
    if any(endings.values()):
        counts = ", ".join(f"{count:,} {name}" for name, count in endings.items() if count)
        notes.append(f"Unusual ends: {counts}.")
    return tuple(notes)
