"""The page of a machine: description, an analysis of a position, results, levels, parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flask import abort, url_for

from agents.contest.ratings import Score
from agents.contest.strength import MeasuredField, measured_fields, strength_of
from agents.entry import Entry
from agents.formats import counted, portion
from agents.roster import agent_spec, find_agent, roster
from engine import Game
from engine.catalog import catalog, find_entry, load_game, variant_title
from engine.errors import quoted
from engine.options import Kind, Option
from webapp.boards import picture_for
from webapp.charts.meter import strength_meter
from webapp.exhibits.exhibit import Link
from webapp.machines.analysis import MachineQuery, thought_view
from webapp.machines.links import machine_url, play_url, played_by, watch_url
from webapp.machines.origins import ORIGINS, TAGLINES
from webapp.machines.views import (
    LevelRow,
    MachineView,
    OpponentRow,
    ParameterRow,
    VariantResults,
)
from webapp.questions.learning import curve_question
from webapp.questions.query import ask_url

MAX_NAMES = 3
UNMEASURED = "Not measured: a strength is known only of machines and variants that come along."


def machine_entry(key: str) -> Entry:
    """The machine with this key; aborts with 404 if there is none, or it plays no game here."""
    machines = {entry.key: entry for entry in roster()}
    if key not in machines:
        abort(404, f"There is no machine called {quoted(key)}.")
    if not any(played_by(machines[key], game) for game in catalog()):
        abort(404, f"{machines[key].title} plays no game that there is here.")
    return machines[key]


def shown_game(entry: Entry, wanted: str) -> Game[Any, Any]:
    """The requested variant if the machine plays it, else the first it plays."""
    played = [variant for game in catalog() for variant in played_by(entry, game)]
    for variant in played:
        if wanted in (variant.spec, variant.key):
            return variant
    return played[0]


def machine_view(key: str, fields: Mapping[str, str]) -> MachineView:
    """Build the page of a machine."""
    entry = machine_entry(key)
    game = shown_game(entry, fields.get("game", ""))
    query = MachineQuery.parse(entry, game, fields)
    match = query.match
    last = match.moves[-1] if match.moves else None
    thought = thought_view(query)
    results = tuple(_results(entry, game.key))
    posed = curve_question(game.spec, entry.key)
    return MachineView(
        key=entry.key,
        title=entry.title,
        technique=entry.technique.value.capitalize(),
        tagline=TAGLINES[entry.technique],
        description=entry.description,
        games=tuple(_games(entry, game, query)),
        variant=f"{find_entry(game.key).title}, {variant_title(game.spec)}",
        why=query.piece.why if match.moves or not query.piece.moves else "How a game begins.",
        picture=picture_for(game, match.state, last),
        thought=thought,
        results=results,
        unmeasured="" if results else UNMEASURED,
        levels=tuple(_levels(entry, game)),
        parameters=tuple(_parameter(option) for option in entry.all_options),
        origin=ORIGINS.get(entry.key),
        game=game.spec,
        play_url=play_url(entry.key, game),
        watch_url=watch_url(entry.key, game),
        think_url=url_for("machines.think", key=entry.key),
        ask_url=None if posed is None else ask_url(posed),
        gallery_url=url_for("machines.gallery"),
        present=query.present,
    )


def _games(entry: Entry, game: Game[Any, Any], query: MachineQuery) -> Iterator[Link]:
    for each in catalog():
        if played := played_by(entry, each):
            url = machine_url(entry.key, game=played[0].spec, present=int(query.present) or None)
            yield Link(each.title, url, current=each.key == game.key)


def _results(entry: Entry, game: str) -> Iterator[VariantResults]:
    """The results in each measured variant of the game."""
    for field in measured_fields().values():
        strength = field.strength(entry.key) if field.game.partition(":")[0] == game else None
        meter = strength_meter(strength)
        if meter is None:
            continue
        met = [(other, score) for other, score in field.met(entry.key) if other in field.agents]
        met.sort(key=lambda found: (-found[1].rate, found[0]))
        yield VariantResults(
            title=variant_title(field.game),
            meter=meter,
            extremes=extremes_text(met),
            rows=tuple(_opponent(other, score, field) for other, score in met),
            play_url=play_url(entry.key, load_game(field.game)),
        )


def extremes_text(met: Sequence[tuple[str, Score]]) -> str:
    """Whom it scores best and worst against; `met` is sorted, best first."""
    best, worst = met[0][1].rate, met[-1][1].rate
    if best == worst:
        return f"Against {_names_text(met, best)}: {portion(best)} of the points."
    return (
        f"Best against {_names_text(met, best)}: {portion(best)} of the points. "
        f"Worst against {_names_text(met, worst)}: {portion(worst)} of the points."
    )


def _names_text(met: Sequence[tuple[str, Score]], rate: float) -> str:
    """All opponents against whom it scored this rate: `Random, Minimax and 3 others`."""
    names = [find_agent(other).title for other, score in met if score.rate == rate]
    if len(names) == len(met) > 1:
        return "everyone"
    if len(names) > MAX_NAMES:
        names = [*names[: MAX_NAMES - 1], f"{len(names) - MAX_NAMES + 1} others"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _opponent(other: str, score: Score, field: MeasuredField) -> OpponentRow:
    record = (
        f"{counted(score.wins, 'win', 'wins')}, {counted(score.draws, 'draw', 'draws')}, "
        f"{counted(score.losses, 'loss', 'losses')}"
    )
    url = machine_url(other, game=field.game)
    share = round(score.rate, 4)
    return OpponentRow(find_agent(other).title, url, share, portion(score.rate), record)


def _levels(entry: Entry, game: Game[Any, Any]) -> Iterator[LevelRow]:
    for level in entry.levels:
        spec = f"{entry.key}:level={level.name}"
        meter = strength_meter(strength_of(agent_spec(spec, game), game.spec))
        yield LevelRow(level.title, level.description, meter, play_url(spec, game))


def _parameter(option: Option) -> ParameterRow:
    values = " or ".join(option.choices) if option.kind is Kind.CHOICE else option.wants
    usual = "none" if option.default in (None, "") else option.write(option.default)
    return ParameterRow(option.name.replace("_", " "), option.help, values, usual)
