"""Choosing an opponent: everyone in the roster, gentlest first, each with a line about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agents.entry import Entry, Strength
from agents.roster import agents_for, strongest_agent
from engine import Game
from engine.errors import ZermeloError
from engine.options import Option, parse_spec
from webapp.lobby.views import OpponentChoice, OpponentGroup, OpponentPicker
from webapp.play.records import PERSON
from webapp.web.fields import Fields, option_fields

GROUPS = {
    Strength.GENTLE: "Gentle: anyone can win",
    Strength.CASUAL: "Casual: makes mistakes",
    Strength.STRONG: "Strong: hard to beat",
    Strength.PERFECT: "Perfect: never goes wrong",
}
FRIEND = "A friend, on this screen"
ABOUT_FRIEND = "Two people take turns at one screen."
LEVEL = "level"


def default_agent(role: str, game: Game[Any, Any]) -> str:
    """For a first match someone who makes mistakes; to watch it, someone who does not."""
    if role == "rival":
        return strongest_agent(game.spec)
    entries = agents_for(game)
    casual = (entry.key for entry in entries if entry.strength is Strength.CASUAL)
    return next(casual, entries[0].key)


def picker(role: str, fields: Fields, game: Game[Any, Any]) -> OpponentPicker:
    """The choice of an opponent as the form has it; one that cannot play gives way."""
    entries = {entry.key: entry for entry in agents_for(game)}
    text = fields.get(role, "")
    if role == "opponent" and text == PERSON:
        return OpponentPicker(role, _groups(role, entries, text), "", ABOUT_FRIEND, ())
    key, texts = _read(text)
    if key not in entries:
        text = default_agent(role, game)
        key, texts = _read(text)
    entry = entries[key]
    value = _value(entry, texts.get(LEVEL))
    strength, chosen = next(
        (strength, choice) for strength, choice in _choices(entry, value) if choice.chosen
    )
    return OpponentPicker(
        name=role,
        groups=_groups(role, entries, value),
        strength=strength.capitalize(),
        description=chosen.description,
        fields=option_fields(own_options(entry), fields, f"{role}.{key}", texts),
    )


def own_options(entry: Entry) -> tuple[Option, ...]:
    """What can be set besides the choice itself, which names the level already."""
    hidden = LEVEL if entry.levels else None
    return tuple(option for option in entry.all_options if option.name != hidden)


def _groups(role: str, entries: Mapping[str, Entry], value: str) -> tuple[OpponentGroup, ...]:
    offered = [found for entry in entries.values() for found in _choices(entry, value)]
    groups = [
        OpponentGroup(title, choices)
        for strength, title in GROUPS.items()
        if (choices := tuple(choice for rank, choice in offered if rank is strength))
    ]
    if role == "opponent":
        friend = OpponentChoice(PERSON, FRIEND, ABOUT_FRIEND, chosen=value == PERSON)
        groups.append(OpponentGroup("No machine", (friend,)))
    return tuple(groups)


def _choices(entry: Entry, value: str) -> Iterator[tuple[Strength, OpponentChoice]]:
    """The agent, or each of its levels: the last is as strong as it can be, the first gentle."""
    if not entry.levels:
        chosen = value == entry.key
        yield (
            entry.strength,
            OpponentChoice(entry.key, entry.title, entry.description, chosen=chosen),
        )
    ranks = list(Strength)
    most = ranks.index(entry.strength)
    for at, level in enumerate(entry.levels):
        rank = ranks[round(at * most / max(1, len(entry.levels) - 1))]
        spec = _value(entry, level.name)
        label = f"{entry.title} · {level.title}"
        yield rank, OpponentChoice(spec, label, level.description, chosen=value == spec)


def _value(entry: Entry, level: str | None) -> str:
    """What the <select> sends: the agent's key, with the level where it has any."""
    if not entry.levels:
        return entry.key
    names = [known.name for known in entry.levels]
    return f"{entry.key}:{LEVEL}={level if level in names else names[-1]}"


def _read(spec: str) -> tuple[str, dict[str, str]]:
    try:
        return parse_spec(spec)
    except ZermeloError:
        return "", {}
