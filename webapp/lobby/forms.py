"""The form that sets up a match, read and checked."""

from __future__ import annotations

import secrets
from typing import Any

from agents.roster import find_agent, player_spec, ready_spec
from engine import Game, load_game
from engine.catalog import find_entry
from engine.options import Option, parse_spec, read_options, write_spec
from webapp.lobby.opponents import default_agent
from webapp.replays.models import BOT_PREFIX, INVITED, PERSON
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Fields
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

CUSTOM = "custom"
MODES = (("play", "Play yourself"), ("watch", "Watch two machines"))
STARTS = (("you", "You"), ("opponent", "Opponent"), ("lot", "By lot"))


def chosen_game(fields: Fields) -> Game[Any, Any]:
    """The chosen variant; raises InvalidSpecError."""
    entry = find_entry(fields.get("game", ""))
    preset = fields.get("preset") or entry.presets[0].name
    if preset != CUSTOM:
        return entry.load({"preset": preset})
    return load_game(entry.load(_texts(fields, entry.key, entry.options)).spec)


def chosen_seats(fields: Fields, game: Game[Any, Any]) -> tuple[str, str]:
    """The players of both seats; raises for an opponent that cannot play this variant."""
    opponent = chosen_agent(fields, "opponent", game)
    if fields.get("mode") == "watch":
        if opponent in (PERSON, INVITED):
            raise InvalidFormError(opponent, "watching takes two machines: choose one as the first")
        return opponent, chosen_agent(fields, "rival", game)
    starts = fields.get("starts") or "you"
    if starts not in dict(STARTS):
        raise InvalidFormError(starts, "either you start, or the opponent, or the lot decides")
    if starts == "lot":
        starts = secrets.choice(("you", "opponent"))
    return (PERSON, opponent) if starts == "you" else (opponent, PERSON)


def chosen_agent(fields: Fields, role: str, game: Game[Any, Any]) -> str:
    """The spec of the agent in that role with its options, or PERSON, INVITED or a bot."""
    text = fields.get(role) or default_agent(role, game)
    if text in (PERSON, INVITED) and role == "opponent":
        return text
    if text.startswith(BOT_PREFIX):  # whether it is here is known when the match is stored
        return text
    key, texts = parse_spec(text)
    entry = find_agent(key)
    given = _texts(fields, f"{role}.{key}", entry.all_options)
    values = read_options(key, entry.all_options, texts | given)
    spec = player_spec(write_spec(key, entry.all_options, values), game)
    return ready_spec(spec, game, MAX_INLINE_TRAINING_S)


def _texts(fields: Fields, prefix: str, options: tuple[Option, ...]) -> dict[str, str]:
    """The fields `prefix.name` of these options; empty ones stand for the default."""
    given = {option.name: fields.get(f"{prefix}.{option.name}", "").strip() for option in options}
    return {name: text for name, text in given.items() if text}
