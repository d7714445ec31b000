"""Setting up a match: the forms made from catalogue and roster, and what they send read back."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from flask import url_for

from agents.entry import Entry as AgentEntry
from agents.entry import Strength
from agents.roster import agent_spec, agents_for, find_agent
from engine import Game, load_game
from engine.catalog import Entry, find_entry
from engine.errors import ZermeloError
from engine.options import Kind, Option, parse_spec, read_options, write_spec
from webapp.boards import preview_for
from webapp.errors import InvalidFormError, sentence
from webapp.lobby_view import (
    OpponentChoice,
    OpponentGroup,
    OpponentPicker,
    OptionField,
    SetupView,
)
from webapp.records import PERSON
from webapp.titles import option_label, strongest_agent
from webapp.view import Choice, Level, Message

CUSTOM = "custom"
FRIEND = OpponentChoice(
    PERSON, "A friend, on this screen", "Two people take turns at one screen.", chosen=False
)
GROUPS = {
    Strength.GENTLE: "Gentle: anyone can win",
    Strength.CASUAL: "Casual: makes mistakes",
    Strength.STRONG: "Strong: hard to beat",
    Strength.PERFECT: "Perfect: never goes wrong",
}
STARTS = (("you", "You"), ("opponent", "Opponent"), ("lot", "By lot"))

Fields = Mapping[str, str]


def chosen_game(fields: Fields) -> Game[Any, Any]:
    """The variant these fields name; raises InvalidSpecError."""
    entry = find_entry(fields.get("game", ""))
    preset = fields.get("preset") or entry.presets[0].name
    if preset != CUSTOM:
        return entry.load({"preset": preset})
    return load_game(entry.load(_texts(fields, entry.key, entry.options)).spec)


def chosen_seats(fields: Fields, game: Game[Any, Any]) -> tuple[str, str]:
    """Who sits first and who second; raises for an opponent that cannot play this."""
    opponent = chosen_agent(fields, "opponent", game)
    if fields.get("mode") == "watch":
        if opponent == PERSON:
            raise InvalidFormError(PERSON, "watching takes two AIs: choose one as the opponent")
        return opponent, chosen_agent(fields, "rival", game)
    starts = fields.get("starts") or "you"
    if starts not in dict(STARTS):
        raise InvalidFormError(starts, "either you start, or the opponent, or the lot decides")
    if starts == "lot":
        starts = secrets.choice(("you", "opponent"))
    return (PERSON, opponent) if starts == "you" else (opponent, PERSON)


def chosen_agent(fields: Fields, role: str, game: Game[Any, Any]) -> str:
    """The spec of the agent in that role, its own fields included; or PERSON."""
    text = fields.get(role) or default_agent(role, game)
    if text == PERSON and role == "opponent":
        return PERSON
    key, texts = parse_spec(text)
    entry = find_agent(key)
    given = _texts(fields, f"{role}.{key}", entry.all_options)
    values = read_options(key, entry.all_options, texts | given)
    return agent_spec(write_spec(key, entry.all_options, values), game)


def default_agent(role: str, game: Game[Any, Any]) -> str:
    """For a first match someone who makes mistakes; to watch it, someone who does not."""
    if role == "rival":
        return strongest_agent(game)
    entries = agents_for(game)
    kind = (entry.key for entry in entries if entry.strength is Strength.CASUAL)
    return next(kind, entries[0].key)


def setup_view(entry: Entry, fields: Fields, message: Message | None = None) -> SetupView:
    """The form for one game with these choices made; what cannot be read is said and left out."""
    fields = fields if fields.get("game") == entry.key else {"game": entry.key}
    game = load_game(entry.key)
    try:
        game = chosen_game(fields)
    except ZermeloError as error:
        message = message or Message(Level.ERROR, sentence(str(error)))
    preset = fields.get("preset") or entry.presets[0].name
    return SetupView(
        game=entry.key,
        title=entry.title,
        summary=entry.summary,
        preview=preview_for(entry),
        url=url_for("lobby.show"),
        play_url=url_for("matches.create"),
        presets=_presets(entry, preset),
        custom=_fields(entry.options, fields, entry.key, {}) if preset == CUSTOM else (),
        opponent=_picker("opponent", fields, game),
        rival=_picker("rival", fields, game),
        starts=tuple(
            Choice(value, label, chosen=value == (fields.get("starts") or "you"))
            for value, label in STARTS
        ),
        more=fields.get("more") == "1",
        message=message,
    )


def _texts(fields: Fields, prefix: str, options: tuple[Option, ...]) -> dict[str, str]:
    """The options given as `prefix.name`; an empty field stands for the default."""
    given = {option.name: fields.get(f"{prefix}.{option.name}", "").strip() for option in options}
    return {name: text for name, text in given.items() if text}


def _presets(entry: Entry, chosen: str) -> tuple[Choice, ...]:
    named = [(preset.name, preset.title) for preset in entry.presets]
    if entry.options:
        named.append((CUSTOM, "Your own…"))
    return tuple(Choice(name, title, chosen=name == chosen) for name, title in named)


def _picker(role: str, fields: Fields, game: Game[Any, Any]) -> OpponentPicker:
    entries = agents_for(game)
    keys = [entry.key for entry in entries]
    text = fields.get(role, "")
    key, _, rest = text.partition(":")
    if key not in keys and not (text == PERSON and role == "opponent"):
        key, rest = default_agent(role, game), ""
    groups = [
        OpponentGroup(title, choices)
        for strength, title in GROUPS.items()
        if (choices := _choices(entries, strength, key))
    ]
    if role == "opponent":
        friend = OpponentChoice(PERSON, FRIEND.label, FRIEND.description, chosen=key == PERSON)
        groups.append(OpponentGroup("No machine", (friend,)))
    if key == PERSON:
        return OpponentPicker(role, tuple(groups), "", FRIEND.description, ())
    entry = entries[keys.index(key)]
    texts = _spec_texts(f"{key}:{rest}")
    return OpponentPicker(
        name=role,
        groups=tuple(groups),
        strength=entry.strength.capitalize(),
        description=entry.description,
        fields=_fields(entry.all_options, fields, f"{role}.{key}", texts),
    )


def _choices(
    entries: tuple[AgentEntry, ...], strength: Strength, chosen: str
) -> tuple[OpponentChoice, ...]:
    return tuple(
        OpponentChoice(entry.key, entry.title, entry.description, chosen=entry.key == chosen)
        for entry in entries
        if entry.strength is strength
    )


def _spec_texts(spec: str) -> dict[str, str]:
    try:
        return parse_spec(spec)[1]
    except ZermeloError:
        return {}


def _fields(
    options: tuple[Option, ...], fields: Fields, prefix: str, texts: Mapping[str, str]
) -> tuple[OptionField, ...]:
    return tuple(_field(option, fields, prefix, texts.get(option.name)) for option in options)


def _field(option: Option, fields: Fields, prefix: str, text: str | None) -> OptionField:
    name = f"{prefix}.{option.name}"
    usual = "" if option.default is None else option.write(option.default)
    value = fields.get(name) or text or usual
    answers = ("yes", "no") if option.kind is Kind.SWITCH else option.choices
    number = option.kind in (Kind.INTEGER, Kind.NUMBER)
    return OptionField(
        name=name,
        id=name.replace(".", "-").replace("_", "-"),
        option=option,
        label=option_label(option),
        value=value,
        choices=tuple(Choice(answer, answer, chosen=answer == value) for answer in answers),
        input="select" if answers else "number" if number else "text",
        step={Kind.INTEGER: "1", Kind.NUMBER: "any"}.get(option.kind),
        low=f"{option.low:g}" if number and option.low is not None else None,
        high=f"{option.high:g}" if number and option.high is not None else None,
    )
