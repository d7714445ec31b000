"""The form of a training: built from catalogue and roster, and read back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from agents.entry import Entry
from agents.roster import find_agent
from agents.runs import read_learner
from agents.training.opponents import SELF
from engine import Game, load_game
from engine.catalog import catalog, find_entry, variant_title
from engine.errors import InvalidSpecError, ZermeloError, sentence
from webapp.jobs.kinds.training import TrainingPlan, TrainingRun
from webapp.lab.training.learners import (
    MOST_RUNS,
    OPPONENT,
    check_length,
    learners_for,
    length_option,
    max_length,
    opponents_for,
    read_grid,
    setting_fits,
    training_options,
    training_spec,
    usual_length,
)
from webapp.lab.training.presets import PresetLink, preset_links
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice, Fields, OptionField, option_fields
from webapp.web.messages import Message, Tone

SEED = 1
MAX_SEED = 2**31 - 1
CUSTOM = "custom:"  # prefix of a game whose rules are fields of the form
SHOWN_FIELD = "shown"  # hidden field: the learner whose settings the form showed
DEFAULT_GAME = "tictactoe"


@dataclass(frozen=True, slots=True)
class TrainForm:
    """The form (`lab/_train.html`, root id `train`)."""

    url: str
    shown: str  # the learner whose settings these are
    games: tuple[Choice, ...]
    rules: tuple[OptionField, ...]  # of a custom variant
    learners: tuple[Choice, ...]
    about: str
    fields: tuple[OptionField, ...]
    unit: str
    length: str
    most: str
    longest: str  # the same with separators
    seed: str
    largest_seed: int
    seeds: str
    most_seeds: int
    grid: str
    origin: str  # id of a brain to continue from
    origin_name: str
    lessons: tuple[PresetLink, ...]
    message: Message | None


def chosen_game(fields: Fields) -> Game[Any, Any]:
    """The chosen variant, named or composed from the rule fields; raises InvalidSpecError."""
    named = fields.get("game") or DEFAULT_GAME
    if not named.startswith(CUSTOM):
        return load_game(named)
    entry = find_entry(named.removeprefix(CUSTOM))
    texts = {
        option.name: text
        for option in entry.options
        if (text := fields.get(f"{entry.key}.{option.name}", "").strip())
    }
    return load_game(entry.load(texts).spec)


def _rule_fields(fields: Fields) -> tuple[OptionField, ...]:
    """Fields of the rules, if a custom variant is chosen."""
    named = fields.get("game", "")
    if not named.startswith(CUSTOM):
        return ()
    try:
        entry = find_entry(named.removeprefix(CUSTOM))
    except ZermeloError:
        return ()
    return option_fields(entry.options, fields, entry.key, {})


def chosen_plan(fields: Fields) -> TrainingPlan:
    """The plan of the training; raises InvalidFormError or InvalidSpecError."""
    game = chosen_game(fields)
    key = fields.get("learner") or ""
    read_learner(key, game)
    entry = find_agent(key)
    if (
        fields.get(SHOWN_FIELD, key) != key
    ):  # without JavaScript, the settings of the new learner are shown first
        why = f"these are the settings of {entry.title}: begin when they suit you"
        raise InvalidFormError(key, why)
    texts = {
        option.name: text
        for option in training_options(entry)
        if (text := fields.get(f"{key}.{option.name}", "").strip())
    }
    length = check_length(key, _number(fields, "length", usual_length(entry)), game)
    seed = _number(fields, "seed", SEED)
    count = _number(fields, "seeds", 1)
    if not 0 <= seed <= MAX_SEED:
        raise InvalidFormError(str(seed), f"a seed is a number from 0 to {MAX_SEED:,}")
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


def training_title(plan: TrainingPlan) -> str:
    """`Q-learner learns Tic-tac-toe`."""
    game = load_game(plan.game)
    entry = find_agent(plan.runs[0].agent.partition(":")[0])
    runs = f", {len(plan.runs)} runs" if len(plan.runs) > 1 else ""
    return f"{entry.title} learns {game.title}{runs}"


def train_form(
    fields: Fields, message: Message | None = None, origin_name: str = "", *, refused: bool = False
) -> TrainForm:
    """The form with these choices; unreadable values are replaced by defaults.

    In a refused form they stay, since the message is about them.
    """
    game, wrong = _game_or_default(fields)
    entries = learners_for(game)
    entry = next((entry for entry in entries if entry.key == fields.get("learner")), entries[0])
    if not (refused and _shows_learner(entry, fields)):
        fields = _drop_unfitting(fields, entry, game)
    option = length_option(entry)
    longest = max_length(entry)
    return TrainForm(
        url=url_for("train.form"),
        shown=entry.key,
        games=_games(game.spec, fields.get("game", "")),
        rules=_rule_fields(fields),
        learners=tuple(
            Choice(each.key, each.title, chosen=each.key == entry.key) for each in entries
        ),
        about=entry.description,
        fields=_fields(entry, fields, game),
        unit=option.name,
        length=fields.get("length") or str(usual_length(entry)),
        most=str(longest),
        longest=f"{longest:,}",
        seed=fields.get("seed") or str(SEED),
        largest_seed=MAX_SEED,
        seeds=fields.get("seeds") or "1",
        most_seeds=MOST_RUNS,
        grid=fields.get("grid", ""),
        origin=fields.get("origin", "") if origin_name else "",
        origin_name=origin_name,
        lessons=preset_links(),
        message=message or wrong,
    )


def _game_or_default(fields: Fields) -> tuple[Game[Any, Any], Message | None]:
    """The chosen game, or one that can be trained with a message why the chosen one cannot."""
    try:
        game = chosen_game(fields)
        why = f"nobody learns {game.title} by these rules"
    except ZermeloError as error:
        game, why = None, str(error)
    if game is not None and learners_for(game):
        return game, None
    for spec in (fields.get("game", "").removeprefix(CUSTOM), DEFAULT_GAME):
        try:
            usual = load_game(spec)
        except ZermeloError:
            continue
        if learners_for(usual):
            break
    return usual, Message(Tone.ERROR, sentence(why))


def _shows_learner(entry: Entry, fields: Fields) -> bool:
    """Whether the fields belong to this learner."""
    return (fields.get(SHOWN_FIELD) or fields.get("learner") or entry.key) == entry.key


def _drop_unfitting(fields: Fields, entry: Entry, game: Game[Any, Any]) -> dict[str, str]:
    """The fields without those of another learner and values that do not fit this one."""
    kept = dict(fields)
    if not _shows_learner(entry, fields):
        kept |= {"length": "", "grid": ""}
    ranges = {
        "length": (1, max_length(entry)),
        "seed": (0, MAX_SEED),
        "seeds": (1, MOST_RUNS),
    }
    for name, (low, high) in ranges.items():
        kept[name] = _whole_number(kept.get(name, ""), low, high)
    for option in training_options(entry):
        name = f"{entry.key}.{option.name}"
        if not setting_fits(option, kept.get(name, ""), game):
            kept[name] = ""
    return kept


def _whole_number(text: str, low: int, high: int) -> str:
    """The number without separators; empty if invalid or out of range."""
    try:
        number = int(text.replace(",", ""))
    except ValueError:
        return ""
    return str(number) if low <= number <= high else ""


def _games(chosen: str, named: str) -> tuple[Choice, ...]:
    """Every named variant that can be learned, custom ones, and the chosen one."""
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
    """Fields of the learner's options; opponents are chosen from a list."""
    return tuple(
        _opponents(field, game) if field.option.name == OPPONENT else field
        for field in option_fields(training_options(entry), fields, entry.key, {})
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
