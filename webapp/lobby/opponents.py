"""Choosing an opponent: everyone in the roster, weakest first by what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agents.contest.strength import (
    STEPS,
    Strength,
    measured_fields,
    strength_of,
    usual_strength,
)
from agents.entry import Entry
from agents.roster import agent_spec, agent_title, agents_for, strongest_agent
from engine import Game
from engine.errors import ZermeloError
from engine.options import Option, Role, parse_spec
from webapp.charts.meter import strength_meter
from webapp.lobby.page import OpponentChoice, OpponentGroup, OpponentPicker
from webapp.replays.models import INVITED, PERSON
from webapp.services import services
from webapp.web.cookies import current_player
from webapp.web.forms import Fields, option_fields

FRIEND = "A friend, on this screen"
ABOUT_FRIEND = "Two people take turns at one screen."
AWAY = "A friend, on another device"
ABOUT_AWAY = "You get a link, and a code for a phone; whoever opens it takes the other seat."
PEOPLE = {PERSON: ABOUT_FRIEND, INVITED: ABOUT_AWAY}
LEVEL = "level"
LABELS = {"opponent": ("Opponent", "First machine"), "rival": ("Second machine",) * 2}
UNMEASURED = "Not measured:"


@dataclass(frozen=True, slots=True)
class Opponent:
    """One opponent that can be chosen: an agent, or one of its levels."""

    entry: Entry
    value: str  # what the <select> sends
    label: str
    description: str
    strength: Strength | None
    merit: float  # to sort by, weakest first; a guess from other variants where not measured


def default_agent(role: str, game: Game[Any, Any]) -> str:
    """For a first match whom a newcomer beats about half of the time; beside it, the strongest.

    In a variant that was not measured: who that is in the game as it is usually played, else the
    weakest.
    """
    if role == "rival":
        return strongest_agent(game.spec)
    keys = {entry.key for entry in agents_for(game)}
    for spec in (game.spec, game.key):
        field = measured_fields().get(spec)
        if field is not None and field.even_opponent.partition(":")[0] in keys:
            return field.even_opponent
    return opponents(game)[0].value


def opponents(game: Game[Any, Any]) -> list[Opponent]:
    """Everyone who plays this variant, weakest first."""
    found = [offer for entry in agents_for(game) for offer in _opponents(entry, game)]
    return sorted(found, key=lambda offer: offer.merit)


def picker(role: str, fields: Fields, game: Game[Any, Any]) -> OpponentPicker:
    """The choice of an opponent as the form has it; one that cannot play gives way."""
    everyone = [*opponents(game), *_brains(game)]
    watching = fields.get("mode") == "watch"
    label = LABELS[role][watching]
    friendly = role == "opponent" and not watching
    by_key = {offer.entry.key: offer.entry for offer in everyone}
    text = fields.get(role, "")
    if friendly and text in PEOPLE:
        groups = _groups(everyone, text, friendly=True)
        return OpponentPicker(role, label, groups, None, "", PEOPLE[text], ())
    key, texts = _read(text)
    if key not in by_key:
        key, texts = _read(default_agent(role, game))
    entry = by_key[key]
    value = _value(entry, texts)
    chosen = next((offer for offer in everyone if offer.value == value), None)
    if chosen is None:  # set as no form does it: with a brain of one's own
        chosen = _set_otherwise(entry, value, game)
        everyone = [*everyone, chosen]
    return OpponentPicker(
        name=role,
        label=label,
        groups=_groups(everyone, value, friendly=friendly),
        strength=strength_meter(chosen.strength),
        unmeasured="" if chosen.strength else UNMEASURED,
        description=chosen.description,
        fields=option_fields(own_options(entry), fields, f"{role}.{key}", texts),
    )


def _brains(game: Game[Any, Any]) -> Iterator[Opponent]:
    """What machines have learned, this visitor's and those of the command line."""
    entries = {entry.key: entry for entry in agents_for(game)}
    for brain in services().brains.offered(current_player(), game.spec):
        if (entry := entries.get(brain.agent)) is not None:
            label = f"{'Your brain' if brain.mine else 'Brain of this machine'}: {brain.name}"
            yield Opponent(entry, brain.spec, label, entry.description, None, 0.0)


def own_options(entry: Entry) -> tuple[Option, ...]:
    """What a player may want to set besides the choice itself, which names the level already."""
    return tuple(option for option in entry.all_options if _matters_in_play(entry, option))


def _matters_in_play(entry: Entry, option: Option) -> bool:
    """How it learned is settled in its brain, and what only tunes it is not for players."""
    if option.technical or (entry.levels and option.name == LEVEL):
        return False
    return entry.train is None or option.role is Role.PLAYING


def _groups(everyone: list[Opponent], value: str, *, friendly: bool) -> tuple[OpponentGroup, ...]:
    groups = [
        OpponentGroup(f"Strength {step} of {STEPS}", choices)
        for step in range(1, STEPS + 1)
        if (choices := _choices(everyone, value, step))
    ]
    if choices := _choices(everyone, value, None):
        groups.append(OpponentGroup("Not measured", choices))
    if friendly:
        friend = OpponentChoice(PERSON, FRIEND, ABOUT_FRIEND, chosen=value == PERSON)
        away = OpponentChoice(INVITED, AWAY, ABOUT_AWAY, chosen=value == INVITED)
        groups.append(OpponentGroup("No machine", (friend, away)))
    return tuple(groups)


def _choices(everyone: list[Opponent], value: str, step: int | None) -> tuple[OpponentChoice, ...]:
    return tuple(
        OpponentChoice(offer.value, offer.label, offer.description, chosen=offer.value == value)
        for offer in everyone
        if (offer.strength.step if offer.strength else None) == step
    )


def _opponents(entry: Entry, game: Game[Any, Any]) -> Iterator[Opponent]:
    """The agent, or each of its levels."""
    if not entry.levels:
        yield _opponent(entry, entry.key, entry.title, entry.description, game)
    for level in entry.levels:
        value = _value(entry, {LEVEL: level.name})
        yield _opponent(entry, value, f"{entry.title} · {level.title}", level.description, game)


def _opponent(
    entry: Entry, value: str, label: str, description: str, game: Game[Any, Any]
) -> Opponent:
    spec = agent_spec(value, game)
    merit = usual_strength(spec, game.spec)
    strength = strength_of(spec, game.spec)
    return Opponent(entry, value, label, description, strength, 0.0 if merit is None else merit)


def _set_otherwise(entry: Entry, value: str, game: Game[Any, Any]) -> Opponent:
    try:
        label = agent_title(agent_spec(value, game), game.spec)
    except ZermeloError:  # said when the match is to begin
        label = entry.title
    return Opponent(entry, value, label, entry.description, None, 0.0)


def _value(entry: Entry, texts: dict[str, str]) -> str:
    """What the <select> sends: the agent's key, its level, and what no field of the form shows."""
    shown = {option.name for option in own_options(entry)}
    kept = {name: text for name, text in texts.items() if name not in shown}
    if entry.levels:
        names = [level.name for level in entry.levels]
        kept[LEVEL] = kept[LEVEL] if kept.get(LEVEL) in names else names[-1]
    told = ",".join(f"{name}={text}" for name, text in kept.items())
    return f"{entry.key}:{told}" if told else entry.key


def _read(spec: str) -> tuple[str, dict[str, str]]:
    try:
        return parse_spec(spec)
    except ZermeloError:
        return "", {}
