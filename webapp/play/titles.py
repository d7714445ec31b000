"""Names for people: of agents with their settings, of variants, of players and endings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agents.entry import Entry, Strength
from agents.roster import agents_for, read_agent
from engine import Ending, Match, Outcome, Seat, load_game
from engine.catalog import CATALOG, find_entry
from engine.errors import ZermeloError
from engine.options import Option, write_spec
from webapp.play.records import PERSON, Record
from webapp.play.views import Player, PlayerKind


@lru_cache(maxsize=1024)
def agent_title(spec: str, game: str) -> str:
    """`Alpha-beta · depth 6`: its title, and every setting that is not the usual one."""
    try:
        entry, values = read_agent(spec, load_game(game))
    except ZermeloError:  # of a package that was installed when the match was made
        return spec
    settings = [
        _setting(entry, option, option.write(values[option.name]))
        for option in entry.all_options
        if values[option.name] != option.default
    ]
    return " · ".join((entry.title, *settings))


def option_label(option: Option) -> str:
    """The option's name as words."""
    return option.name.replace("_", " ").capitalize()


@lru_cache(maxsize=256)
def variant_title(spec: str) -> str:
    """`Marienbad, last loses`, or the settings of a variant that has no name."""
    game = load_game(spec)
    entry = find_entry(game.key)
    for preset in entry.presets:
        if entry.load({"preset": preset.name}).spec == game.spec:
            return preset.title
    settings = write_spec("", entry.options, game.options).removeprefix(":")
    return settings.replace(",", ", ").replace("=", " ").replace("_", " ")


@lru_cache(maxsize=256)
def strongest_agent(spec: str) -> str:
    """Whom to ask for advice: the strongest, and of those one made for this game alone."""
    game = load_game(spec)
    others = [load_game(entry.key) for entry in CATALOG if entry.key != game.key]

    def merit(entry: Entry) -> tuple[int, bool]:
        alone = all(entry.refuses(other) is not None for other in others)
        return list(Strength).index(entry.strength), alone

    return max(agents_for(game), key=merit).key


def players_of(
    record: Record, match: Match[Any, Any], ply: int, *, is_owner: bool
) -> tuple[Player, Player]:
    """Both seats as this visitor sees them."""
    shown = match if ply == match.ply else match.at(ply)
    outcome = shown.outcome()

    def player(seat: Seat) -> Player:
        spec = record.seats[seat]
        kind = _kind(record, spec, is_owner=is_owner)
        return Player(
            seat=seat,
            mark=seat.mark,
            title=_player_title(record, seat, kind),
            kind=kind,
            spec=None if spec == PERSON else spec,
            to_move=outcome is None and shown.state.to_move is seat,
            won=outcome is not None and outcome.winner is seat,
        )

    return player(Seat.FIRST), player(Seat.SECOND)


def ending_text(match: Match[Any, Any], outcome: Outcome, players: tuple[Player, Player]) -> str:
    """Why it is over, where the board alone cannot say."""
    match outcome.ending:
        case Ending.RESIGNATION:
            assert outcome.winner is not None
            loser = players[outcome.winner.other]
            return f"{'you' if loser.kind is PlayerKind.YOU else loser.title} resigned"
        case Ending.REPETITION:
            return f"the same position stood {match.game.repetition} times"
        case Ending.PLY_LIMIT:
            return f"{match.game.ply_limit} moves are played"
        case _:
            return str(outcome.ending)


def result_text(outcome: Outcome, players: tuple[Player, Player], why: str) -> str:
    """`You win: three in column a`."""
    if outcome.winner is None:
        return f"A draw: {why}"
    winner = players[outcome.winner]
    return f"{says(winner, 'win')}: {why}"


def says(player: Player, verb: str) -> str:
    """`You win`, `Perfect wins`."""
    return f"{player.title} {verb if player.kind is PlayerKind.YOU else f'{verb}s'}"


def match_title(players: tuple[Player, Player]) -> str:
    """`You against Perfect`, the visitor first."""
    one, other = sorted(players, key=lambda player: player.kind is not PlayerKind.YOU)
    return f"{one.title} against {other.title}"


def _setting(entry: Entry, option: Option, text: str) -> str:
    """`depth 6`; a level has a title of its own."""
    levels = {level.name: level.title for level in entry.levels} if option.name == "level" else {}
    return levels.get(text) or f"{option.name.replace('_', ' ')} {text}"


def _kind(record: Record, spec: str, *, is_owner: bool) -> PlayerKind:
    if spec != PERSON:
        return PlayerKind.AGENT
    return PlayerKind.YOU if is_owner and len(record.people) == 1 else PlayerKind.PERSON


def _player_title(record: Record, seat: Seat, kind: PlayerKind) -> str:
    match kind:
        case PlayerKind.YOU:
            return "You"
        case PlayerKind.PERSON:
            return "A person" if len(record.people) == 1 else f"Player {seat.mark}"
        case PlayerKind.AGENT:
            return agent_title(record.seats[seat], record.game)
