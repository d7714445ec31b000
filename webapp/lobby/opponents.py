"""The choice of opponents: every agent of the roster, weakest first by measured strength."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agents.contest.strength import (
    STEPS,
    Strength,
    measured_fields,
    strength_of,
    strongest_agent,
    usual_strength,
)
from agents.entry import Entry
from agents.roster import agent_spec, agent_title, agents_for
from engine import Game
from engine.errors import ZermeloError
from engine.options import Option, Role, parse_spec
from webapp.charts.meter import strength_meter
from webapp.jobs.brain_store import BrainStore
from webapp.lobby.page import OpponentChoice, OpponentGroup, OpponentPicker
from webapp.replays.models import INVITED, PERSON
from webapp.services import service
from webapp.web.cookies import current_player
from webapp.web.forms import Fields, option_fields

FRIEND_HERE = "A friend, on this screen"
ABOUT_FRIEND_HERE = "Two people take turns at one screen."
FRIEND_REMOTE = "A friend, on another device"
ABOUT_FRIEND_REMOTE = (
    "You get a link, and a code for a phone; whoever opens it takes the other seat."
)
PEOPLE = {PERSON: ABOUT_FRIEND_HERE, INVITED: ABOUT_FRIEND_REMOTE}
LEVEL_OPTION = "level"
LABELS = {"opponent": ("Opponent", "First machine"), "rival": ("Second machine",) * 2}
UNMEASURED = "Not measured:"


@dataclass(frozen=True, slots=True)
class Opponent:
    """An agent or one of its levels."""

    entry: Entry
    value: str  # of the <option>
    label: str
    description: str
    strength: Strength | None
    merit: float  # sort key; estimated from other variants if not measured


def default_agent(role: str, game: Game[Any, Any]) -> str:
    """The opponent that a newcomer beats half of the time; as rival, the strongest agent.

    In a variant that was not measured, that of the game's default variant, else the weakest.
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
    """All opponents that play this variant, weakest first."""
    found = [offer for entry in agents_for(game) for offer in _opponents(entry, game)]
    return sorted(found, key=lambda offer: offer.merit)


def picker(role: str, fields: Fields, game: Game[Any, Any]) -> OpponentPicker:
    """The select of opponents; one that cannot play is replaced by the default."""
    offers = [*opponents(game), *_brains(game)]
    watching = fields.get("mode") == "watch"
    label = LABELS[role][watching]
    friendly = role == "opponent" and not watching
    by_key = {offer.entry.key: offer.entry for offer in offers}
    text = fields.get(role, "")
    if friendly and text in PEOPLE:
        groups = _groups(offers, text, friendly=True)
        return OpponentPicker(role, label, groups, None, "", PEOPLE[text], ())
    key, texts = _parse(text)
    if key not in by_key:
        key, texts = _parse(default_agent(role, game))
    entry = by_key[key]
    value = _value(entry, texts)
    chosen = next((offer for offer in offers if offer.value == value), None)
    if chosen is None:  # settings that no form offers, such as a brain of one's own
        chosen = _custom_opponent(entry, value, game)
        offers = [*offers, chosen]
    return OpponentPicker(
        name=role,
        label=label,
        groups=_groups(offers, value, friendly=friendly),
        strength=strength_meter(chosen.strength),
        unmeasured="" if chosen.strength else UNMEASURED,
        description=chosen.description,
        fields=option_fields(own_options(entry), fields, f"{role}.{key}", texts),
    )


def _brains(game: Game[Any, Any]) -> Iterator[Opponent]:
    """Opponents with trained brains: this visitor's and those of the command line."""
    entries = {entry.key: entry for entry in agents_for(game)}
    for brain in service(BrainStore).offered(current_player(), game.spec):
        if (entry := entries.get(brain.agent)) is not None:
            label = f"{'Your brain' if brain.mine else 'Brain of this machine'}: {brain.name}"
            yield Opponent(entry, brain.spec, label, entry.description, None, 0.0)


def own_options(entry: Entry) -> tuple[Option, ...]:
    """The options shown to players, besides the level."""
    return tuple(option for option in entry.all_options if _is_for_players(entry, option))


def _is_for_players(entry: Entry, option: Option) -> bool:
    """Whether an option is neither technical, nor the level, nor fixed by training."""
    if option.technical or (entry.levels and option.name == LEVEL_OPTION):
        return False
    return entry.train is None or option.role is Role.PLAYING


def _groups(offers: list[Opponent], value: str, *, friendly: bool) -> tuple[OpponentGroup, ...]:
    groups = [
        OpponentGroup(f"Strength {step} of {STEPS}", choices)
        for step in range(1, STEPS + 1)
        if (choices := _choices(offers, value, step))
    ]
    if choices := _choices(offers, value, None):
        groups.append(OpponentGroup("Not measured", choices))
    if friendly:
        friend = OpponentChoice(PERSON, FRIEND_HERE, ABOUT_FRIEND_HERE, chosen=value == PERSON)
        away = OpponentChoice(INVITED, FRIEND_REMOTE, ABOUT_FRIEND_REMOTE, chosen=value == INVITED)
        groups.append(OpponentGroup("No machine", (friend, away)))
    return tuple(groups)


def _choices(offers: list[Opponent], value: str, step: int | None) -> tuple[OpponentChoice, ...]:
    return tuple(
        OpponentChoice(offer.value, offer.label, offer.description, chosen=offer.value == value)
        for offer in offers
        if (offer.strength.step if offer.strength else None) == step
    )


def _opponents(entry: Entry, game: Game[Any, Any]) -> Iterator[Opponent]:
    """The agent, or each of its levels."""
    if not entry.levels:
        yield _opponent(entry, entry.key, entry.title, entry.description, game)
    for level in entry.levels:
        value = _value(entry, {LEVEL_OPTION: level.name})
        yield _opponent(entry, value, f"{entry.title} · {level.title}", level.description, game)


def _opponent(
    entry: Entry, value: str, label: str, description: str, game: Game[Any, Any]
) -> Opponent:
    spec = agent_spec(value, game)
    merit = usual_strength(spec, game.spec)
    strength = strength_of(spec, game.spec)
    return Opponent(entry, value, label, description, strength, 0.0 if merit is None else merit)


def _custom_opponent(entry: Entry, value: str, game: Game[Any, Any]) -> Opponent:
    try:
        label = agent_title(agent_spec(value, game), game.spec)
    except ZermeloError:  # reported when the match is started
        label = entry.title
    return Opponent(entry, value, label, entry.description, None, 0.0)


def _value(entry: Entry, texts: dict[str, str]) -> str:
    """The value of the <option>: key, level, and options without a field of their own."""
    shown = {option.name for option in own_options(entry)}
    kept = {name: text for name, text in texts.items() if name not in shown}
    if entry.levels:
        names = [level.name for level in entry.levels]
        kept[LEVEL_OPTION] = kept[LEVEL_OPTION] if kept.get(LEVEL_OPTION) in names else names[-1]
    options = ",".join(f"{name}={text}" for name, text in kept.items())
    return f"{entry.key}:{options}" if options else entry.key


def _parse(spec: str) -> tuple[str, dict[str, str]]:
    try:
        return parse_spec(spec)
    except ZermeloError:
        return "", {}
