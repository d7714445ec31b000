"""Presets of the training form, worth showing to a class."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import url_for


@dataclass(frozen=True, slots=True)
class TrainingPreset:
    """A training as fields of the form."""

    title: str
    about: str
    fields: tuple[tuple[str, str], ...]


def _preset(title: str, about: str, **fields: str) -> TrainingPreset:
    return TrainingPreset(
        title, about, tuple((name.replace("__", "."), value) for name, value in fields.items())
    )


PRESETS = (
    _preset(
        "Matchboxes against a master",
        "MENACE learns tic-tac-toe from a player who never errs.",
        game="tictactoe",
        learner="menace",
        menace__opponent="perfect",
        length="20000",
    ),
    _preset(
        "Matchboxes against chance",
        "The same boxes against random moves: why do they stay so far below?",
        game="tictactoe",
        learner="menace",
        menace__opponent="random",
        length="20000",
    ),
    _preset(
        "Nobody teaches it",
        "A Q-learner finds tic-tac-toe out by playing itself.",
        game="tictactoe",
        learner="qlearning",
        length="400000",
    ),
    _preset(
        "How fast to change one's mind",
        "Three learning rates, two seeds each, in one chart.",
        game="tictactoe",
        learner="qlearning",
        qlearning__opponent="random",
        grid="alpha=0.1,0.5,0.9",
        seeds="2",
        length="50000",
    ),
    _preset(
        "Three genes",
        "Evolution tunes three rules for Nim, and meets their limit.",
        game="nim",
        learner="es-rules",
        length="30",
    ),
)


@dataclass(frozen=True, slots=True)
class PresetLink:
    """A link to the form filled in with a preset."""

    title: str
    about: str
    url: str


def preset_links() -> tuple[PresetLink, ...]:
    return tuple(
        PresetLink(each.title, each.about, f"{url_for('train.form')}?{urlencode(each.fields)}")
        for each in PRESETS
    )
