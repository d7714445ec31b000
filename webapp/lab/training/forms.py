"""The form of a training, read and checked: who learns what, how, for how long, in which runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, prod
from typing import Any

from agents.entry import Entry
from agents.errors import UnsuitableAgentError
from agents.grid import MAX_COMBINATIONS, Axis, Grid, combinations_of, read_axes
from agents.grid_runs import run_seconds
from agents.roster import OPPONENTS, agents_for, find_agent, limitation, refusal, roster
from agents.runs import read_learner
from agents.training.opponents import SELF
from engine import Game, load_game
from engine.catalog import find_entry
from engine.errors import InvalidSpecError, ZermeloError
from engine.options import Kind, Option, Role, Values, parse_spec, read_options, write_spec
from webapp.jobs.kinds.training import TrainingPlan, TrainingRun
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Fields, field_value, fits

OPPONENT = "opponent"
CUSTOM = "custom:"  # prefix of a game whose rules are fields of the form
SHOWN_FIELD = "shown"  # hidden field: the learner whose settings the form showed
DEFAULT_GAME = "tictactoe"
DEFAULT_GAMES = 100_000  # for learners without a default of their own
MAX_LENGTHS = {"games": 5_000_000, "generations": 2_000}
MAX_RUNS = 12  # in one chart; more are a grid
MAX_GRID_MINUTES = 60  # of one core, as estimated
SEED = Option("seed", Kind.INTEGER, 1, "", low=0, high=2**31 - 1)
SEEDS = Option("seeds", Kind.INTEGER, 1, "", low=1, high=MAX_RUNS)


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


@dataclass(frozen=True, slots=True)
class ChosenTraining:
    """What a form asks for, checked but for the parameters to try."""

    game: Game[Any, Any]
    key: str
    texts: dict[str, str]  # of the learner's options
    length: int
    seed: int
    seeds: int
    axes: tuple[Axis, ...]

    @property
    def runs(self) -> int:
        return self.seeds * prod(len(axis.values) for axis in self.axes)


def chosen_training(fields: Fields) -> ChosenTraining:
    """The form, read; raises InvalidFormError or InvalidSpecError."""
    game = chosen_game(fields)
    key = fields.get("learner") or ""
    read_learner(key, game)
    entry = find_agent(key)
    if fields.get(SHOWN_FIELD, key) != key:
        # Without JavaScript, the settings of the new learner are shown first.
        why = f"these are the settings of {entry.title}: begin when they suit you"
        raise InvalidFormError(key, why)
    texts = {
        option.name: text
        for option in training_options(entry)
        if (text := fields.get(f"{key}.{option.name}", "").strip())
    }
    length, seed, seeds = (
        field_value(option, number_text(fields, name))
        for name, option in number_options(entry).items()
    )
    axes = read_axes(fields.get("grid", ""))
    return ChosenTraining(game, key, texts, length, seed, seeds, axes)


def chosen_plan(fields: Fields) -> TrainingPlan | Grid:
    """Runs in one chart, or a grid of more than fit into it; raises as `chosen_training` does."""
    chosen = chosen_training(fields)
    if chosen.runs > MAX_RUNS:
        return _chosen_grid(chosen)
    runs = tuple(
        TrainingRun(
            training_spec(chosen.key, chosen.texts | changed, chosen.game), chosen.seed + at
        )
        for changed in combinations_of(chosen.axes)
        for at in range(chosen.seeds)
    )
    return TrainingPlan(chosen.game.spec, runs, chosen.length)


def _chosen_grid(chosen: ChosenTraining) -> Grid:
    if chosen.runs > MAX_COMBINATIONS:
        why = f"a grid has at most {MAX_COMBINATIONS:,} runs, not {chosen.runs:,}"
        raise InvalidFormError(str(chosen.runs), why)
    game, key = chosen.game, chosen.key
    spec = training_spec(key, chosen.texts, game)
    for axis in chosen.axes:  # each value on its own: combinations add nothing that could be wrong
        for value in axis.values:
            training_spec(key, chosen.texts | {axis.name: value}, game)
    grid = Grid(game.spec, spec, chosen.axes, chosen.length, chosen.seed, chosen.seeds)
    minutes = run_seconds(grid) * grid.total / 60
    if minutes > MAX_GRID_MINUTES:
        why = (
            f"{chosen.runs:,} runs of this length would take about {minutes:,.0f} minutes: "
            f"a grid may take {MAX_GRID_MINUTES}"
        )
        raise InvalidFormError(str(chosen.length), why)
    return grid


def grid_title(grid: Grid) -> str:
    """`Q-learner learns Tic-tac-toe with 1,000 settings`."""
    title = find_agent(grid.agent.partition(":")[0]).title
    return f"{title} learns {load_game(grid.game).title} with {len(grid.combinations):,} settings"


def training_title(plan: TrainingPlan) -> str:
    """`Q-learner learns Tic-tac-toe`."""
    game = load_game(plan.game)
    entry = find_agent(plan.runs[0].agent.partition(":")[0])
    runs = f", {len(plan.runs)} runs" if len(plan.runs) > 1 else ""
    return f"{entry.title} learns {game.title}{runs}"


def learners_for(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """Agents of the roster that learn and can play this game."""
    return tuple(
        entry for entry in roster() if entry.train is not None and refusal(entry, game) is None
    )


def training_options(entry: Entry) -> tuple[Option, ...]:
    """Options of how an agent learns, and of playing that its brain keeps."""
    return tuple(
        option
        for option in entry.options
        if option.role is Role.TRAINING or option.name in entry.remembered
    )


def length_option(entry: Entry) -> Option:
    """Option of how long an agent learns."""
    return next(option for option in entry.options if option.role is Role.LENGTH)


def number_options(entry: Entry) -> dict[str, Option]:
    """The numbers of the form: how many steps this learner takes, from which seeds."""
    unit = length_option(entry)
    usual = unit.default if isinstance(unit.default, int) else DEFAULT_GAMES
    most = MAX_LENGTHS.get(unit.name, 1_000_000)
    title = f"How long, in {unit.name}"
    length = Option("length", Kind.INTEGER, usual, "", low=1, high=most, title=title)
    return {"length": length, "seed": SEED, "seeds": SEEDS}


def number_text(fields: Fields, name: str) -> str:
    """What was typed as a number, without separators."""
    return fields.get(name, "").strip().replace(",", "")


def setting_fits(option: Option, text: str, game: Game[Any, Any]) -> bool:
    """Whether a learner of this game accepts the value."""
    if option.name != OPPONENT:
        return fits(option, text)
    try:
        _check_opponent(text, game)
    except (ZermeloError, TypeError):  # TypeError: some agents have no table of answers
        return False
    return True


@lru_cache(maxsize=64)
def opponents_for(game: str) -> tuple[str, ...]:
    """Possible training opponents: itself, and agents that answer without a search."""
    rules = load_game(game)
    found = [SELF]
    for entry in agents_for(rules):
        try:
            fits = isfinite(OPPONENTS.seconds(entry.key, rules))
        except (ZermeloError, TypeError):
            fits = False
        if fits:
            found.append(entry.key)
    return tuple(found)


def training_spec(key: str, texts: dict[str, str], game: Game[Any, Any]) -> str:
    """Shortest spec of a learner, without its length; raises if it is unsuitable."""
    entry = next((entry for entry in learners_for(game) if entry.key == key), None)
    if entry is None:
        raise InvalidSpecError(key, f"{key or 'nobody'} does not learn {game.spec}")
    options = training_options(entry)
    values = Values(entry.all_options, read_options(key, entry.all_options, texts))
    spec = write_spec(key, entry.all_options, values)
    read_learner(spec, game)
    entry.suits(game, values)
    if OPPONENT in {option.name for option in options}:
        _check_opponent(values.text(OPPONENT), game)
    return spec


def _check_opponent(opponent: str, game: Game[Any, Any]) -> None:
    if opponent == SELF:
        return
    seconds = OPPONENTS.seconds(opponent, game)
    if only := limitation(find_agent(opponent.partition(":")[0]), game):
        raise UnsuitableAgentError(f"{opponent} cannot be trained against here: {only}")
    if not isfinite(seconds):
        why = f"{opponent} thinks too long about every position to be trained against"
        raise UnsuitableAgentError(why)


def all_settings(spec: str) -> dict[str, str]:
    """Every training option by name, defaults included."""
    given = set_options(spec)
    try:
        options = training_options(find_agent(spec.partition(":")[0]))
    except ZermeloError:  # of an uninstalled plug-in
        return given
    return {option.name: given.get(option.name) or _default_text(option) for option in options}


def _default_text(option: Option) -> str:
    return "none" if option.default is None else option.write(option.default)


def setting_texts(key: str, settings: Mapping[str, object]) -> tuple[str, ...]:
    """`Alpha 0.5`, `When it is rewarded end`: settings by the names that the form has for them."""
    try:
        labels = {option.name: option.label for option in find_agent(key).all_options}
    except ZermeloError:  # of an uninstalled plug-in
        labels = {}
    return tuple(
        f"{labels.get(name) or name.replace('_', ' ').capitalize()} {value}"
        for name, value in settings.items()
        if value not in (None, "none", "")
    )


def set_options(spec: str) -> dict[str, str]:
    """The options that a spec sets."""
    return parse_spec(spec)[1]
