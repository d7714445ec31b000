"""The page of a brain, and the check of an uploaded one."""

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
from webapp.lab.training.curves import METRIC_WORDS, TONES, chart_title
from webapp.lab.training.snapshots import question_url
from webapp.services import service
from webapp.web.errors import InvalidFormError
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import Question

MAX_HEADER_BYTES = 2 * 2**20  # of an uploaded brain: a curve of about 9,000 points
SUMMARY_METRICS = ("wins", "draws")
TRIAL_TIMEOUT_S = 8.0  # for the first move of an uploaded brain


@dataclass(frozen=True, slots=True)
class BrainView:
    """One brain (`lab/brain.html`, and a row of `lab/brains.html`)."""

    name: str
    url: str
    learner: str
    game: str
    after: str  # `20,000 games`
    figure: str  # `won 87.3 %, drawn 12.7 % chart_title random`, when it was last measured
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
    ask_url: str | None  # to ask a class how soon it learned
    rename_url: str | None  # None: not the owner
    delete_url: str | None
    take_url: str | None  # to copy it; None: the owner


def brain_view(brain: KeptBrain, player: str | None, *, drawn: bool = False) -> BrainView:
    """The brain as this visitor sees it; `drawn`: with its curve."""
    facts, mine = brain.facts, player == brain.owner
    unit = str(facts["unit"])
    curve = facts["curve"]
    last = curve[-1][1] if curve else {}
    return BrainView(
        name=brain.name,
        url=url_for("brains.show", brain_id=brain.id),
        learner=_learner_title(brain.agent),
        game=_game_title(brain.game),
        after=f"{facts['steps']:,} {unit}",
        figure=_result_text(last, str(facts["reference"])),
        size=f"{max(1, brain.size // 1024):,} kB",
        seed=facts["seed"],
        settings=tuple(f"{name.replace('_', ' ')} {v}" for name, v in facts["parameters"].items()),
        chart=_brain_chart(brain) if drawn else None,
        digest=brain.digest,
        spec=brain.spec,
        play_url=url_for("brains.play", brain_id=brain.id),
        download_url=url_for("brains.download", brain_id=brain.id),
        train_url=url_for("train.form", origin=brain.id),
        arena_url=url_for("arena.form", game=brain.game, machine=brain.spec),
        job_url=url_for("jobs.show", job_id=brain.job_id) if brain.job_id and mine else None,
        ask_url=question_url(brain.game, brain.spec, facts) if drawn else None,
        rename_url=url_for("brains.rename", brain_id=brain.id) if mine else None,
        delete_url=url_for("brains.delete", brain_id=brain.id) if mine else None,
        take_url=None if mine else url_for("brains.take", brain_id=brain.id),
    )


def read_upload(data: bytes) -> Brain:
    """Parse an uploaded brain, if one of our agents can play with it; executes nothing in it.

    Raises UnreadableBrainError, UnsuitableBrainError and InvalidFormError.
    """
    if not data:
        raise InvalidFormError("", "there is no file: choose a brain that was downloaded before")
    brain = from_bytes(data, "the file that was sent", MAX_HEADER_BYTES)
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
    """Let a worker make the first move with it; raises UnsuitableBrainError or BusyError."""
    question = Question(brain.game, None, (), f"{brain.agent}:brain={brain.digest}", "upload")
    answer = service(WorkerClient).ask(question, Rank.PANEL).wait(TRIAL_TIMEOUT_S)
    if answer is None:
        raise BusyError("nobody has time to try this brain just now: send it again", retry_after=5)
    if answer.analysis is None:
        why = f"no {brain.agent} can play with this brain: {answer.note or 'it failed'}"
        raise UnsuitableBrainError(brain.agent, why)


def _result_text(last: Mapping[str, float], reference: str) -> str:
    """Share of wins and draws when last measured, with the opponent."""
    shares = ", ".join(
        f"{METRIC_WORDS[name]} {100 * last[name]:.1f} %" for name in SUMMARY_METRICS if name in last
    )
    return f"{shares} against {reference}" if shares and reference else shares or "not measured"


def _learner_title(key: str) -> str:
    try:
        return find_agent(key).title
    except ZermeloError:  # of an uninstalled plug-in
        return key


def _game_title(spec: str) -> str:
    try:
        title, variant = load_game(spec).title, variant_title(spec)
    except ZermeloError:
        return spec
    return title if variant == title else f"{title}: {variant}"


def _brain_chart(brain: KeptBrain) -> Chart | None:
    curve = [(step, metrics) for step, metrics in brain.facts["curve"] if metrics]
    if len(curve) < 2:
        return None
    names = [name for name in curve[-1][1] if name in TONES] or list(curve[-1][1])[:1]
    unit = str(brain.facts["unit"])
    return chart(
        chart_title(str(brain.facts["reference"])),
        [
            Curve(
                METRIC_WORDS.get(name, name),
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
