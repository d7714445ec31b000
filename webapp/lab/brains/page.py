"""Brains as their pages show them, and the check that one sent by anybody can be played with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for

from agents.errors import UnsuitableBrainError
from agents.roster import find_agent
from agents.runs import read_learner
from agents.training.brains import Brain, from_bytes
from engine import load_game
from engine.catalog import variant_title
from engine.errors import ZermeloError
from webapp.charts import Chart, Curve, chart
from webapp.jobs.models import KeptBrain
from webapp.lab.training.curves import TONES, WORDS, against
from webapp.lab.training.snapshots import ask_about
from webapp.services import service
from webapp.web.errors import InvalidFormError
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import Question

LONGEST_HEADER = 2 * 2**20  # bytes of a brain that is sent: a curve of about 9,000 points
SAID = ("wins", "draws")  # of what was measured, in a line
TRIAL = 8.0  # seconds in which a brain that was sent has to make a move


@dataclass(frozen=True, slots=True)
class BrainView:
    """One brain (`lab/brain.html`, and a line of `lab/brains.html`)."""

    name: str
    url: str
    learner: str
    game: str
    after: str  # `20,000 games`
    figure: str  # `won 87.3 %, drawn 12.7 % against random`, when it was last measured
    size: str
    seed: int
    settings: tuple[str, ...]
    chart: Chart | None
    digest: str
    spec: str
    play_url: str
    download_url: str
    train_url: str
    arena_url: str
    job_url: str | None
    ask_url: str | None  # where a class is asked how soon it learned
    rename_url: str | None  # for its owner
    delete_url: str | None
    take_url: str | None  # for everyone else: a copy in one's own list


def brain_view(brain: KeptBrain, player: str | None, *, drawn: bool = False) -> BrainView:
    """The brain as this visitor sees it; with its curve where there is room for it."""
    facts, mine = brain.facts, player == brain.owner
    unit = str(facts["unit"])
    curve = facts["curve"]
    last = curve[-1][1] if curve else {}
    return BrainView(
        name=brain.name,
        url=url_for("brains.show", brain_id=brain.id),
        learner=_title(brain.agent),
        game=_game(brain.game),
        after=f"{facts['steps']:,} {unit}",
        figure=_figure(last, str(facts["reference"])),
        size=f"{max(1, brain.size // 1024):,} kB",
        seed=facts["seed"],
        settings=tuple(f"{name.replace('_', ' ')} {v}" for name, v in facts["parameters"].items()),
        chart=_chart(brain) if drawn else None,
        digest=brain.digest,
        spec=brain.spec,
        play_url=url_for("brains.play", brain_id=brain.id),
        download_url=url_for("brains.download", brain_id=brain.id),
        train_url=url_for("train.form", origin=brain.id),
        arena_url=url_for("arena.form", game=brain.game, machine=brain.spec),
        job_url=url_for("jobs.show", job_id=brain.job_id) if brain.job_id and mine else None,
        ask_url=ask_about(brain.game, brain.spec, facts) if drawn else None,
        rename_url=url_for("brains.rename", brain_id=brain.id) if mine else None,
        delete_url=url_for("brains.delete", brain_id=brain.id) if mine else None,
        take_url=None if mine else url_for("brains.take", brain_id=brain.id),
    )


def read_upload(data: bytes) -> Brain:
    """A brain from anywhere, if an agent of ours can play with it; nothing in it is executed.

    Raises UnreadableBrainError, UnsuitableBrainError and InvalidFormError.
    """
    if not data:
        raise InvalidFormError("", "there is no file: choose a brain that was downloaded before")
    brain = from_bytes(data, "the file that was sent", LONGEST_HEADER)
    if brain.steps < 1 or brain.seed < 0:
        raise InvalidFormError(str(brain.steps), "this brain was trained as no brain is")
    if len({frozenset(point.metrics) for point in brain.curve}) > 1:
        raise InvalidFormError("", "this brain was measured now in one way and now in another")
    game = load_game(brain.game)
    if game.spec != brain.game:
        raise InvalidFormError(brain.game, f"this brain's game is written {game.spec}, not so")
    read_learner(brain.agent, game)
    return brain


def check_plays(brain: Brain) -> None:
    """Raises where its agent cannot play with it: it is asked for its first move, by a worker."""
    question = Question(brain.game, None, (), f"{brain.agent}:brain={brain.digest}", "upload")
    answer = service(WorkerClient).ask(question, Rank.PANEL).wait(TRIAL)
    if answer is None:
        raise BusyError("nobody has time to try this brain just now: send it again", retry_after=5)
    if answer.analysis is None:
        why = f"no {brain.agent} can play with this brain: {answer.note or 'it failed'}"
        raise UnsuitableBrainError(brain.agent, why)


def _figure(last: Mapping[str, float], reference: str) -> str:
    """What it won and drew, and against whom: nobody wins against a perfect player."""
    said = ", ".join(f"{WORDS[name]} {100 * last[name]:.1f} %" for name in SAID if name in last)
    return f"{said} against {reference}" if said and reference else said or "not measured"


def _title(key: str) -> str:
    try:
        return find_agent(key).title
    except ZermeloError:  # of a package that is gone
        return key


def _game(spec: str) -> str:
    try:
        title, variant = load_game(spec).title, variant_title(spec)
    except ZermeloError:
        return spec
    return title if variant == title else f"{title}: {variant}"


def _chart(brain: KeptBrain) -> Chart | None:
    curve = [(step, metrics) for step, metrics in brain.facts["curve"] if metrics]
    if len(curve) < 2:
        return None
    names = [name for name in curve[-1][1] if name in TONES] or list(curve[-1][1])[:1]
    unit = str(brain.facts["unit"])
    return chart(
        against(str(brain.facts["reference"])),
        [
            Curve(
                WORDS.get(name, name),
                TONES.get(name, "first"),
                tuple((step, metrics[name]) for step, metrics in curve if name in metrics),
            )
            for name in names
        ],
        x_name=unit,
        log=unit == "games",
        percent=names[0] in TONES,
        told=True,
    )
