"""The form of a training: made from the catalogue and the roster, and read back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from agents.arrays.policies import SELF
from agents.entry import Entry
from agents.roster import find_agent
from agents.training.trainer import read_learner
from engine import Game, load_game
from engine.catalog import catalog, find_entry, variant_title
from engine.errors import InvalidSpecError, ZermeloError
from webapp.jobs.training import TrainingPlan, TrainingRun
from webapp.lab.learners import (
    LONGEST,
    MOST_RUNS,
    OPPONENT,
    check_length,
    learners_for,
    length_option,
    opponents_for,
    read_grid,
    settings_of,
    training_spec,
    usual_length,
)
from webapp.lab.presets import LessonLink, lesson_links
from webapp.web.errors import InvalidFormError
from webapp.web.fields import Choice, Fields, OptionField, option_fields
from webapp.web.messages import Message

SEED = 1
LARGEST_SEED = 2**31 - 1
CUSTOM = "custom:"  # before the key of a game whose rules are fields of the form


@dataclass(frozen=True, slots=True)
class TrainForm:
    """What `lab/_train.html` prints (root id `train`)."""

    url: str
    games: tuple[Choice, ...]
    rules: tuple[OptionField, ...]  # of a variant of one's own
    learners: tuple[Choice, ...]
    about: str
    fields: tuple[OptionField, ...]
    unit: str
    length: str
    most: str
    longest: str  # the same as one reads it
    seed: str
    seeds: str
    grid: str
    origin: str  # the id of a brain to go on from
    origin_name: str
    lessons: tuple[LessonLink, ...]
    message: Message | None


def chosen_game(fields: Fields) -> Game[Any, Any]:
    """The variant that the form names, or makes of its own fields; raises InvalidSpecError."""
    named = fields.get("game") or "tictactoe"
    if not named.startswith(CUSTOM):
        return load_game(named)
    entry = find_entry(named.removeprefix(CUSTOM))
    texts = {
        option.name: text
        for option in entry.options
        if (text := fields.get(f"{entry.key}.{option.name}", "").strip())
    }
    return load_game(entry.load(texts).spec)


def _custom(fields: Fields) -> tuple[OptionField, ...]:
    """The rules one can set, where a variant of one's own is chosen."""
    named = fields.get("game", "")
    if not named.startswith(CUSTOM):
        return ()
    try:
        entry = find_entry(named.removeprefix(CUSTOM))
    except ZermeloError:
        return ()
    return option_fields(entry.options, fields, entry.key, {})


def chosen_plan(fields: Fields) -> TrainingPlan:
    """The training that the form asks for; raises what is wrong with it."""
    game = chosen_game(fields)
    key = fields.get("learner") or ""
    read_learner(key, game)
    entry = find_agent(key)
    texts = {
        option.name: text
        for option in settings_of(entry)
        if (text := fields.get(f"{key}.{option.name}", "").strip())
    }
    length = check_length(key, _number(fields, "length", usual_length(entry)), game)
    seed = _number(fields, "seed", SEED)
    count = _number(fields, "seeds", 1)
    if not 0 <= seed <= LARGEST_SEED:
        raise InvalidFormError(str(seed), f"a seed is a number from 0 to {LARGEST_SEED:,}")
    grid = read_grid(fields.get("grid", ""))
    if not count >= 1 or count * len(grid) > MOST_RUNS:
        why = f"one chart compares up to {MOST_RUNS} runs, not {count * len(grid)}"
        raise InvalidFormError(str(count), why)
    runs = tuple(
        TrainingRun(training_spec(key, texts | changed, game), seed + at)
        for changed in grid
        for at in range(count)
    )
    return TrainingPlan(game.spec, runs, length)


def title_of(plan: TrainingPlan) -> str:
    """`Q-learner learns Tic-tac-toe`."""
    game = load_game(plan.game)
    entry = find_agent(plan.runs[0].agent.partition(":")[0])
    runs = f", {len(plan.runs)} runs" if len(plan.runs) > 1 else ""
    return f"{entry.title} learns {game.title}{runs}"


def train_form(fields: Fields, message: Message | None = None, origin_name: str = "") -> TrainForm:
    """The form with these choices made; what cannot be read gives way to the usual."""
    try:
        game = chosen_game(fields)
    except ZermeloError:
        game = load_game("tictactoe")
    entries = learners_for(game)
    if not entries:
        game = load_game("tictactoe")
        entries = learners_for(game)
    entry = next((entry for entry in entries if entry.key == fields.get("learner")), entries[0])
    same = fields.get("learner") == entry.key
    option = length_option(entry)
    longest = LONGEST.get(option.name, 1_000_000)
    return TrainForm(
        url=url_for("train.form"),
        games=_games(game.spec, fields.get("game", "")),
        rules=_custom(fields),
        learners=tuple(
            Choice(each.key, each.title, chosen=each.key == entry.key) for each in entries
        ),
        about=entry.description,
        fields=_fields(entry, fields, game),
        unit=option.name,
        length=(fields.get("length", "") if same else "") or str(usual_length(entry)),
        most=str(longest),
        longest=f"{longest:,}",
        seed=fields.get("seed") or str(SEED),
        seeds=fields.get("seeds") or "1",
        grid=fields.get("grid", ""),
        origin=fields.get("origin", "") if origin_name else "",
        origin_name=origin_name,
        lessons=lesson_links(),
        message=message,
    )


def _games(chosen: str, named: str) -> tuple[Choice, ...]:
    """Every named variant that someone learns, one's own, and the chosen one without a name."""
    found = []
    own = named.startswith(CUSTOM)
    for entry in catalog():
        for preset in entry.presets:
            try:
                game = entry.load({"preset": preset.name})
            except ZermeloError:
                continue
            if learners_for(game):
                label = (
                    game.title if preset.title == game.title else f"{game.title}: {preset.title}"
                )
                found.append(Choice(game.spec, label, chosen=game.spec == chosen and not own))
        if entry.options:
            custom = f"{CUSTOM}{entry.key}"
            found.append(Choice(custom, f"{entry.title}: your own…", chosen=named == custom))
    if not any(choice.chosen for choice in found):
        label = f"{load_game(chosen).title}: {variant_title(chosen)}"
        found.append(Choice(chosen, label, chosen=True))
    return tuple(found)


def _fields(entry: Entry, fields: Fields, game: Game[Any, Any]) -> tuple[OptionField, ...]:
    """Its parameters; whom it trains against is chosen, not typed."""
    return tuple(
        _opponents(field, game) if field.option.name == OPPONENT else field
        for field in option_fields(settings_of(entry), fields, entry.key, {})
    )


def _opponents(field: OptionField, game: Game[Any, Any]) -> OptionField:
    offered = opponents_for(game.spec)
    if field.value not in offered:
        offered = (*offered, field.value)
    choices = tuple(
        Choice(spec, "itself" if spec == SELF else spec, chosen=spec == field.value)
        for spec in offered
    )
    return replace(field, choices=choices, input="select")


def _number(fields: Fields, name: str, usual: int) -> int:
    text = fields.get(name, "").strip().replace(",", "")
    if not text:
        return usual
    try:
        return int(text)
    except ValueError:
        raise InvalidSpecError(text, f"{name} is a whole number, not {text[:40]!r}") from None
