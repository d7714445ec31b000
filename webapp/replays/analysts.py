"""Whose thoughts the panel shows: every agent that can play the game, and how the chosen is set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from agents.contest.strength import strongest_agent
from agents.roster import agent_spec, agent_title, analysts_for, find_agent, ready_spec
from engine import Game
from engine.options import parse_spec
from webapp.replays.ply_view import Viewing
from webapp.replays.query import SETTINGS
from webapp.web.forms import Choice, OptionField, fits, option_fields
from webapp.workers.requests import ON_THE_SPOT


def analyst_of(viewing: Viewing) -> str:
    """The agent named in the address, else who moves here, else the opponent, else the best.

    As the address sets it: raises what is wrong with that.
    """
    look, game = viewing.look, viewing.match.game
    if look.agent is None and not look.settings:
        return _usual(viewing)
    return asked_for(look.agent or _usual(viewing), game, look.settings)


def asked_for(spec: str, game: Game[Any, Any], settings: Iterable[tuple[str, str]]) -> str:
    """An analyst as an address sets it; raises for one that would have to train for long."""
    return ready_spec(with_settings(spec, game, settings), game, ON_THE_SPOT)


def with_settings(spec: str, game: Game[Any, Any], settings: Iterable[tuple[str, str]]) -> str:
    """The spec with other settings, as far as they are for this agent; raises as `load_agent` does.

    The form sends those it shows, which are of the analyst before: what this one does not have,
    or cannot be set to, is left out.
    """
    key, texts = parse_spec(spec)
    own = {option.name: option for option in find_agent(key).all_options}
    texts |= {name: text for name, text in settings if name in own and fits(own[name], text)}
    told = ",".join(f"{name}={text}" for name, text in texts.items())
    return agent_spec(f"{key}:{told}" if told else key, game)


def analysts(game: Game[Any, Any], chosen: str) -> tuple[Choice, ...]:
    """Every agent that can play this game; the chosen one as it is set."""
    key = chosen.partition(":")[0]
    return tuple(
        Choice(chosen, agent_title(chosen, game.spec), chosen=True)
        if entry.key == key
        else Choice(entry.key, entry.title, chosen=False)
        for entry in analysts_for(game)
    )


def rivals(game: Game[Any, Any], chosen: str | None) -> tuple[Choice, ...]:
    """Whom else to ask about the same position: nobody, or any other."""
    if chosen is None:
        nobody = Choice("", "nobody", chosen=True)
        return (nobody, *(Choice(entry.key, entry.title, False) for entry in analysts_for(game)))
    return (Choice("", "nobody", chosen=False), *analysts(game, chosen))


def settings_of(spec: str) -> tuple[OptionField, ...]:
    """A field for each setting that can be changed beside the panel, filled as it is set."""
    key, texts = parse_spec(spec)
    entry = find_agent(key)
    options = tuple(option for option in entry.options if option.name in SETTINGS)
    titles = {level.name: level.title for level in entry.levels}
    return tuple(
        replace(
            field,
            name=field.option.name,
            choices=tuple(
                replace(choice, label=titles.get(choice.value, choice.label))
                for choice in field.choices
            ),
        )
        for field in option_fields(options, {}, "analyst", texts)
    )


def _usual(viewing: Viewing) -> str:
    record = viewing.record
    to_move = viewing.match.states[viewing.ply].to_move
    if to_move in record.agents:
        return record.seats[to_move]
    return record.seats[record.agents[0]] if record.agents else strongest_agent(record.game)
