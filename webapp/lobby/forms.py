"""The form that sets up a match, built from catalogue and roster, and its parser."""

from __future__ import annotations

import secrets
from typing import Any

from flask import url_for

from agents.roster import find_agent, player_spec, ready_spec
from engine import Game, load_game
from engine.catalog import find_entry
from engine.entry import GameEntry
from engine.errors import ZermeloError, sentence
from engine.options import Option, parse_spec, read_options, write_spec
from webapp.boards import preview_for
from webapp.lobby.opponents import default_agent, picker
from webapp.lobby.page import SetupView
from webapp.replays.models import INVITED, PERSON
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice, Fields, option_fields
from webapp.web.messages import Message, Tone
from webapp.web.navigation import rules_address
from webapp.workers.requests import ON_THE_SPOT

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
    """The spec of the agent in that role with its options, or PERSON, or INVITED."""
    text = fields.get(role) or default_agent(role, game)
    if text in (PERSON, INVITED) and role == "opponent":
        return text
    key, texts = parse_spec(text)
    entry = find_agent(key)
    given = _texts(fields, f"{role}.{key}", entry.all_options)
    values = read_options(key, entry.all_options, texts | given)
    spec = player_spec(write_spec(key, entry.all_options, values), game)
    return ready_spec(spec, game, ON_THE_SPOT)


def setup_view(entry: GameEntry, fields: Fields, message: Message | None = None) -> SetupView:
    """The form of one game filled with these fields; invalid ones cause a message."""
    fields = fields if fields.get("game") == entry.key else {"game": entry.key}
    game = load_game(entry.key)
    try:
        game = chosen_game(fields)
    except ZermeloError as error:
        message = message or Message(Tone.ERROR, sentence(str(error)))
    preset = fields.get("preset") or entry.presets[0].name
    mode = "watch" if fields.get("mode") == "watch" else "play"
    opponent = picker("opponent", fields, game)
    rival = picker("rival", fields, game) if mode == "watch" else None
    return SetupView(
        game=entry.key,
        title=entry.title,
        summary=entry.summary,
        preview=preview_for(entry),
        url=url_for("lobby.show"),
        play_url=url_for("lobby.begin"),
        rules_url=rules_address(game.spec),
        presets=_presets(entry, preset),
        custom=option_fields(entry.options, fields, entry.key, {}) if preset == CUSTOM else (),
        modes=tuple(Choice(value, label, chosen=value == mode) for value, label in MODES),
        opponent=opponent,
        rival=rival,
        players=(opponent, rival) if rival else (opponent,),
        starts=tuple(
            Choice(value, label, chosen=value == (fields.get("starts") or "you"))
            for value, label in STARTS
        ),
        more=fields.get("more") == "1",
        message=message,
    )


def _texts(fields: Fields, prefix: str, options: tuple[Option, ...]) -> dict[str, str]:
    """The fields `prefix.name` of these options; empty ones stand for the default."""
    given = {option.name: fields.get(f"{prefix}.{option.name}", "").strip() for option in options}
    return {name: text for name, text in given.items() if text}


def _presets(entry: GameEntry, chosen: str) -> tuple[Choice, ...]:
    named = [(preset.name, preset.title) for preset in entry.presets]
    if entry.options:
        named.append((CUSTOM, "Your own…"))
    return tuple(Choice(name, title, chosen=name == chosen) for name, title in named)
