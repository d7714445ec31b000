"""Trainings worth showing to a class, as links that fill in the form."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import url_for


@dataclass(frozen=True, slots=True)
class LessonPreset:
    """A training worth showing to a class, as fields of the form."""

    title: str
    about: str
    fields: tuple[tuple[str, str], ...]


def _lesson(title: str, about: str, **fields: str) -> LessonPreset:
    return LessonPreset(
        title, about, tuple((name.replace("__", "."), value) for name, value in fields.items())
    )


LESSONS = (
    _lesson(
        "Matchboxes against a master",
        "MENACE learns tic-tac-toe from a player who never errs.",
        game="tictactoe",
        learner="menace",
        menace__opponent="perfect",
        length="20000",
    ),
    _lesson(
        "Matchboxes against chance",
        "The same boxes against random moves: why do they stay so far below?",
        game="tictactoe",
        learner="menace",
        menace__opponent="random",
        length="20000",
    ),
    _lesson(
        "Nobody teaches it",
        "A Q-learner finds tic-tac-toe out by playing itself.",
        game="tictactoe",
        learner="qlearning",
        length="400000",
    ),
    _lesson(
        "How fast to change one's mind",
        "Three learning rates, two seeds each, in one chart.",
        game="tictactoe",
        learner="qlearning",
        qlearning__opponent="random",
        grid="alpha=0.1,0.5,0.9",
        seeds="2",
        length="50000",
    ),
    _lesson(
        "Three genes",
        "Evolution tunes three rules for Nim, and meets their limit.",
        game="nim",
        learner="es-rules",
        length="30",
    ),
)


@dataclass(frozen=True, slots=True)
class LessonLink:
    """A preset as the page links to it."""

    title: str
    about: str
    url: str


def lesson_links() -> tuple[LessonLink, ...]:
    """Every preset, as a link to the form filled in with it."""
    return tuple(
        LessonLink(each.title, each.about, f"{url_for('train.form')}?{urlencode(each.fields)}")
        for each in LESSONS
    )
