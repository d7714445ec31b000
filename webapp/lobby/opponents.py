"""The choice of opponents: every agent of the roster, weakest first by measured strength."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.contest.ladder import LEVEL_OPTION, Rung, by_step, ladder
from agents.contest.strength import measured_fields, strongest_agent
from agents.entry import Entry
from agents.roster import agent_spec, agent_title, agents_for, find_agent
from engine import Game
from engine.errors import ZermeloError
from engine.options import Option, Role, parse_spec
from webapp.charts.meter import Meter, strength_meter
from webapp.jobs.brain_store import OfferedBrain
from webapp.replays.models import INVITED, PERSON
from webapp.web.forms import Choice, Fields, OptionField, option_fields

PEOPLE = {
    PERSON: ("A friend, on this screen", "Two people take turns at one screen."),
    INVITED: (
        "A friend, on another device",
        "You get a link, and a code for a phone; whoever opens it takes the other seat.",
    ),
}
LABELS = {"opponent": ("Opponent", "First machine"), "rival": ("Second machine",) * 2}
UNMEASURED = "Not measured:"


@dataclass(frozen=True, slots=True)
class OpponentGroup:
    """Opponents of about the same strength, weakest group first."""

    title: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class OpponentPicker:
    """A <select> of opponents, with the description and options of the chosen one."""

    name: str  # of the field: opponent or rival
    label: str  # Opponent, First machine, Second machine
    groups: tuple[OpponentGroup, ...]
    description: str
    strength: Meter | None = None
    unmeasured: str = ""  # shown if an agent's strength was not measured
    fields: tuple[OptionField, ...] = ()


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
    return ladder(game.spec)[0].value


def picker(
    role: str, fields: Fields, game: Game[Any, Any], brains: Sequence[OfferedBrain]
) -> OpponentPicker:
    """The select of opponents; one that cannot play is replaced by the default."""
    rungs = [*ladder(game.spec), *_brains(game, brains)]
    watching = fields.get("mode") == "watch"
    label = LABELS[role][watching]
    friendly = role == "opponent" and not watching
    text = fields.get(role, "")
    if friendly and text in PEOPLE:
        return OpponentPicker(role, label, _groups(rungs, text, friendly=True), PEOPLE[text][1])
    key, texts = _parse(text)
    if key not in {rung.entry.key for rung in rungs}:
        key, texts = _parse(default_agent(role, game))
    entry = find_agent(key)
    value = _value(entry, texts)
    chosen = next((rung for rung in rungs if rung.value == value), None)
    if chosen is None:  # settings that no form offers, such as a brain of one's own
        chosen = _unmeasured(entry, value, _title(entry, value, game))
        rungs.append(chosen)
    return OpponentPicker(
        name=role,
        label=label,
        groups=_groups(rungs, value, friendly=friendly),
        description=chosen.description,
        strength=strength_meter(chosen.measured),
        unmeasured="" if chosen.measured else UNMEASURED,
        fields=option_fields(own_options(entry), fields, f"{role}.{key}", texts),
    )


def own_options(entry: Entry) -> tuple[Option, ...]:
    """The options shown to players, besides the level."""
    return tuple(option for option in entry.all_options if _is_for_players(entry, option))


def _is_for_players(entry: Entry, option: Option) -> bool:
    """Whether an option is neither technical, nor the level, nor fixed by training."""
    if option.technical or (entry.levels and option.name == LEVEL_OPTION):
        return False
    return entry.train is None or option.role is Role.PLAYING


def _groups(rungs: Sequence[Rung], value: str, *, friendly: bool) -> tuple[OpponentGroup, ...]:
    groups = [
        OpponentGroup(
            title, tuple(Choice(rung.value, rung.label, rung.value == value) for rung in found)
        )
        for title, found in by_step(rungs)
    ]
    if friendly:
        people = tuple(Choice(each, title, each == value) for each, (title, _) in PEOPLE.items())
        groups.append(OpponentGroup("No machine", people))
    return tuple(groups)


def _brains(game: Game[Any, Any], brains: Sequence[OfferedBrain]) -> Iterator[Rung]:
    """Opponents with trained brains: this visitor's and those of the command line."""
    entries = {entry.key: entry for entry in agents_for(game)}
    for brain in brains:
        if (entry := entries.get(brain.agent)) is not None:
            label = f"{'Your brain' if brain.mine else 'Brain of this machine'}: {brain.name}"
            yield _unmeasured(entry, brain.spec, label)


def _unmeasured(entry: Entry, value: str, title: str) -> Rung:
    return Rung(entry, value, value, title, title, title, entry.description, None, 0.0)


def _title(entry: Entry, value: str, game: Game[Any, Any]) -> str:
    try:
        return agent_title(agent_spec(value, game), game.spec)
    except ZermeloError:  # reported when the match is started
        return entry.title


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
