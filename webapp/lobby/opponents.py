"""The choice of opponents: every agent of the roster, weakest first by measured strength."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.contest.ladder import LEVEL_OPTION, Rung, by_step, difficulties, ladder
from agents.contest.strength import strongest_agent
from agents.entry import Entry
from agents.roster import agent_spec, agent_title, agents_for, find_agent
from engine import Game
from engine.errors import ZermeloError
from engine.options import Option, Role, parse_spec
from webapp.bots.models import BotRecord
from webapp.charts.meter import Meter, strength_meter
from webapp.jobs.brain_store import OfferedBrain
from webapp.replays.models import INVITED, PERSON
from webapp.web.forms import Choice, Fields, OptionField, option_fields

PEOPLE = {
    PERSON: ("A friend, on this screen", "Two people take turns at one screen."),
    INVITED: (
        "A friend, on another device",
        "You get a link and a QR code. The first to open it plays against you.",
    ),
}
ONLY_HERE = (
    "But only this computer can open this address: for other devices start "
    "“zermelo serve --host 0.0.0.0” and open it by this computer's name."
)
LABELS = {"opponent": ("Opponent", "First machine"), "rival": ("Second machine",) * 2}
UNMEASURED = "Not measured:"


@dataclass(frozen=True, slots=True)
class OpponentGroup:
    """Opponents of about the same strength, weakest group first."""

    title: str
    choices: tuple[Choice, ...]


def default_agent(role: str, game: Game[Any, Any]) -> str:
    """The easy opponent, in a game that was not measured the weakest; as rival, the strongest."""
    if role == "rival":
        return strongest_agent(game.spec)
    offered = difficulties(game.spec)
    return offered[0].value if offered else ladder(game.spec)[0].value


class OpponentPicker:
    """A <select> of opponents, with the description and options of the chosen one.

    One that cannot play is replaced by the default.
    """

    strength: Meter | None = None
    unmeasured = ""  # shown if an agent's strength was not measured
    fields: tuple[OptionField, ...] = ()

    def __init__(
        self,
        role: str,
        fields: Fields,
        game: Game[Any, Any],
        brains: Sequence[OfferedBrain],
        bots: Sequence[BotRecord] = (),
        *,
        only_here: bool = False,
    ) -> None:
        rungs = [*ladder(game.spec), *_brains(game, brains)]
        watching = fields.get("mode") == "watch"
        self.name = role  # of the field: opponent or rival
        self.label = LABELS[role][watching]
        friendly = role == "opponent" and not watching
        text = fields.get(role, "")
        if friendly and text in PEOPLE:
            self.groups = (*_groups(rungs, text, friendly=True), *_bot_groups(bots, text))
            self.value, self.description = text, PEOPLE[text][1]
            if text == INVITED and only_here:
                self.description += f" {ONLY_HERE}"
            return
        if bot := next((bot for bot in bots if bot.seat == text), None):
            self.groups = (*_groups(rungs, text, friendly=friendly), *_bot_groups(bots, text))
            self.value = text
            self.description = (
                f"{bot.name} is a bot: it runs on the computer of the person who wrote it."
            )
            return
        key, texts = _parse(text)
        if key not in {rung.entry.key for rung in rungs}:
            key, texts = _parse(default_agent(role, game))
        entry = find_agent(key)
        self.value = value = _value(entry, texts)
        chosen = next((rung for rung in rungs if rung.value == value), None)
        if chosen is None:  # settings that no form offers, such as a brain of one's own
            chosen = _unmeasured(entry, value, _title(entry, value, game))
            rungs.append(chosen)
        self.groups = (*_groups(rungs, value, friendly=friendly), *_bot_groups(bots, value))
        self.description = chosen.description
        self.strength = strength_meter(chosen.measured)
        self.unmeasured = "" if chosen.measured else UNMEASURED
        self.fields = option_fields(own_options(entry), fields, f"{role}.{key}", texts)


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


def _bot_groups(bots: Sequence[BotRecord], value: str) -> tuple[OpponentGroup, ...]:
    """The bots that are here, if any."""
    choices = tuple(Choice(bot.seat, bot.name, bot.seat == value) for bot in bots)
    return (OpponentGroup("Bots here now", choices),) if choices else ()


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
