"""Analysts: which agent the panel shows, its settings, and the choices of others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from agents.roster import agent_spec, agent_title, analysts_for, find_agent, ready_spec
from engine import Game
from engine.options import parse_spec
from webapp.web.forms import Choice, OptionField, fits, option_fields
from webapp.workers.requests import MAX_INLINE_TRAINING_S

SETTINGS = ("level", "depth", "simulations")  # options of an analyst that the panel can change


def ready_analyst(spec: str, game: Game[Any, Any], settings: Iterable[tuple[str, str]]) -> str:
    """The spec with the query's settings; raises for an agent that would train for long."""
    return ready_spec(with_settings(spec, game, settings), game, MAX_INLINE_TRAINING_S)


def with_settings(spec: str, game: Game[Any, Any], settings: Iterable[tuple[str, str]]) -> str:
    """The spec with these settings; raises as `load_agent` does.

    The form sends the settings of the previous analyst, so those that do not fit are ignored.
    """
    key, texts = parse_spec(spec)
    own = {option.name: option for option in find_agent(key).all_options}
    texts |= {name: text for name, text in settings if name in own and fits(own[name], text)}
    options = ",".join(f"{name}={text}" for name, text in texts.items())
    return agent_spec(f"{key}:{options}" if options else key, game)


def analyst_choices(game: Game[Any, Any], chosen: str) -> tuple[Choice, ...]:
    """Every agent that can play this game, the chosen one with its settings."""
    key = chosen.partition(":")[0]
    return tuple(
        Choice(chosen, agent_title(chosen, game.spec), chosen=True)
        if entry.key == key
        else Choice(entry.key, entry.title, chosen=False)
        for entry in analysts_for(game)
    )


def rival_choices(game: Game[Any, Any], chosen: str | None) -> tuple[Choice, ...]:
    """The choices of a second analyst to compare with, `nobody` first."""
    if chosen is None:
        nobody = Choice("", "nobody", chosen=True)
        return (nobody, *(Choice(entry.key, entry.title, False) for entry in analysts_for(game)))
    return (Choice("", "nobody", chosen=False), *analyst_choices(game, chosen))


def setting_fields(spec: str) -> tuple[OptionField, ...]:
    """The form fields of the settings that the panel can change, with their current values."""
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
