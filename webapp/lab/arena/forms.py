"""The form of an arena: read, checked and shown with its expected cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from flask import url_for

from agents.contest.arena import LONGEST_OPENING, MOST_PLAYERS, Terms, field_of
from agents.contest.strength import STEPS, strength_of, usual_strength
from agents.core import UNLIMITED, Limit
from agents.entry import Entry
from agents.formats import counted
from agents.roster import agent_spec, agents_for, pinned_spec, player_spec, ready_spec
from engine import Game, Match, load_game
from engine.catalog import catalog
from engine.errors import ZermeloError
from engine.options import Kind, Option
from webapp.jobs.brain_store import OfferedBrain
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.jobs.status import span
from webapp.lab.arena.views import EntryView, MachineChoice, MachineGroup
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice, fits
from webapp.web.messages import Message
from webapp.workers.requests import ON_THE_SPOT

MOST_GAMES = 5_000  # in total: the page computes its table from all of them
MOST_A_PAIR = 1_000
MAX_EXPECTED_S = 2 * 3600.0
MAX_TITLE_CHARS = 80
MAX_SEED = 10**9
DEFAULT_GAMES = 20
SAMPLE_GAMES = 8  # for the typical length of a game

NUMBERS = {
    "games": Option("games", Kind.INTEGER, DEFAULT_GAMES, "", low=1, high=MOST_A_PAIR),
    "opening": Option("opening", Kind.INTEGER, 0, "", low=0, high=LONGEST_OPENING),
    "seed": Option("seed", Kind.INTEGER, 1, "", low=0, high=MAX_SEED),
}
LIMIT_OPTIONS = {
    "depth": Option("depth", Kind.INTEGER, None, "", low=1, high=50),
    "nodes": Option("nodes", Kind.INTEGER, None, "", low=1, high=10_000_000),
    "seconds": Option("seconds", Kind.NUMBER, None, "", low=0.01, high=5.0),
}

LIMIT_LABELS = (
    ("none", "None: each as it is set"),
    ("depth", "Plies ahead"),
    ("nodes", "Positions a move"),
    ("seconds", "Seconds a move (not repeatable)"),
)
OWN_BRAINS, SERVER_BRAINS = "Your brains", "Brains of this machine"

Brains = Sequence[OfferedBrain]


@dataclass(frozen=True, slots=True)
class ArenaEntry:
    """The fields of the form, as texts."""

    game: str
    machines: tuple[str, ...]
    numbers: Mapping[str, str]
    limit: str  # none, depth, nodes or seconds
    amount: str
    title: str

    @classmethod
    def of(cls, fields: Mapping[str, str], machines: Sequence[str]) -> ArenaEntry:
        """Read the fields; machines are ticked boxes and the lines of `others`."""
        lines = (line.strip() for line in fields.get("others", "").splitlines())
        return cls(
            game=fields.get("variant", "").strip() or fields.get("game", "").strip(),
            machines=(*machines, *(line for line in lines if line)),
            numbers={name: fields.get(name, "").strip() for name in NUMBERS},
            limit=fields.get("limit", "none"),
            amount=_read_amount(fields),
            title=" ".join(fields.get("title", "").split())[:MAX_TITLE_CHARS],
        )


def read_terms(entry: ArenaEntry, workers: int) -> Terms:
    """The terms of the arena; raises InvalidFormError or InvalidSpecError."""
    game = load_game(entry.game)
    numbers = {name: _read_number(option, entry.numbers[name]) for name, option in NUMBERS.items()}
    terms = Terms(
        game=game.spec,
        players=field_of(game, entry.machines, lambda spec: ready_player(spec, game)),
        games=int(numbers["games"]),
        seed=int(numbers["seed"]),
        limit=_read_limit(entry),
        opening=int(numbers["opening"]),
    )
    if terms.total > MOST_GAMES:
        why = f"that makes {terms.total:,} games: an arena has at most {MOST_GAMES:,}"
        raise InvalidFormError(str(terms.games), why)
    lasts = expected_seconds(terms, workers)
    if lasts is not None and lasts > MAX_EXPECTED_S:
        hours = f"{lasts / 3600:.1f} hours: an arena has at most {MAX_EXPECTED_S / 3600:.0f}"
        raise InvalidFormError(entry.amount, f"that would last about {hours}")
    return terms


def ready_player(spec: str, game: Game[Any, Any]) -> str:
    """Canonical spec of a player that can play at once, a brain by its digest."""
    return pinned_spec(ready_spec(player_spec(spec, game), game, ON_THE_SPOT), game)


def expected_seconds(terms: Terms, workers: int) -> float | None:
    """Estimated duration with a time limit per move; None without one."""
    if terms.limit.seconds is None:
        return None
    return terms.total * typical_plies(terms.game) * terms.limit.seconds / max(1, workers)


@lru_cache(maxsize=256)
def typical_plies(spec: str) -> float:
    """Mean length of random games, for estimates."""
    return sum(_random_game(spec, seed) for seed in range(SAMPLE_GAMES)) / SAMPLE_GAMES


def _random_game(spec: str, seed: int) -> int:
    rng, match = Random(seed), Match.begin(load_game(spec))
    while match.outcome() is None:
        match = match.play(rng.choice(match.state.legal_moves()))
    return match.ply


def entry_from_plan(plan: ArenaPlan, title: str) -> ArenaEntry:
    """The form filled in as for an existing arena."""
    terms = plan.terms
    given = {
        "depth": terms.limit.depth,
        "nodes": terms.limit.nodes,
        "seconds": terms.limit.seconds,
    }
    kind, amount = next(_given_limits(given), ("none", ""))
    numbers = {"games": terms.games, "opening": terms.opening, "seed": terms.seed}
    return ArenaEntry(
        terms.game,
        terms.players,
        {name: str(number) for name, number in numbers.items()},
        kind,
        amount,
        title,
    )


def _given_limits(limits: Mapping[str, float | None]) -> Iterator[tuple[str, str]]:
    for name, amount in limits.items():
        if amount is not None:
            yield name, f"{amount:g}" if isinstance(amount, float) else str(amount)


def _read_limit(entry: ArenaEntry) -> Limit:
    if entry.limit == "none":
        return UNLIMITED
    if entry.limit not in LIMIT_OPTIONS:
        raise InvalidFormError(
            entry.limit, "a limit is in depth, nodes or seconds, or there is none"
        )
    if not entry.amount:
        raise InvalidFormError("", f"a limit in {entry.limit} wants a number")
    amount = _read_number(LIMIT_OPTIONS[entry.limit], entry.amount)
    match entry.limit:
        case "depth":
            return Limit(depth=int(amount))
        case "nodes":
            return Limit(nodes=int(amount))
        case _:
            return Limit(seconds=float(amount))


def _read_amount(fields: Mapping[str, str]) -> str:
    """The amount of the limit; dropped if the kind of limit changed and it no longer fits."""
    amount, limit = fields.get("amount", "").strip(), fields.get("limit", "none")
    same = fields.get("limited", limit) == limit
    return (
        amount if same or limit not in LIMIT_OPTIONS or fits(LIMIT_OPTIONS[limit], amount) else ""
    )


def _read_number(option: Option, text: str) -> float:
    """The number in a field, or its default; raises InvalidSpecError."""
    value = option.read(text) if text else option.default
    if not isinstance(value, int | float):
        raise InvalidFormError(text, f"{option.name} is a number")
    return value


def entry_view(
    entry: ArenaEntry, brains: Brains, workers: int, message: Message | None = None
) -> EntryView:
    game = _game_or_default(entry)
    groups = tuple(_machine_groups(game, entry, brains))
    offered = {choice.value for group in groups for choice in group.machines}
    others = [spec for spec in entry.machines if _canonical_spec(spec, game) not in offered]
    return EntryView(
        url=url_for("arena.form"),
        games=tuple(_game_choices(game)),
        groups=groups,
        others="\n".join(others),
        numbers=tuple(
            (name, entry.numbers.get(name) or str(option.default))
            for name, option in NUMBERS.items()
        ),
        limits=tuple(Choice(name, label, name == entry.limit) for name, label in LIMIT_LABELS),
        limited=entry.limit,
        amount=entry.amount,
        title=entry.title,
        variant="",
        counted=_cost_or_hint(entry, workers),
        most=MOST_PLAYERS,
        message=message,
    )


def _game_or_default(entry: ArenaEntry) -> Game[Any, Any]:
    try:
        return load_game(entry.game)
    except ZermeloError:
        return load_game(catalog()[0].key)


def _game_choices(chosen: Game[Any, Any]) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """Every game's named variants, and the chosen one if it has no name."""
    for entry in catalog():
        try:
            named = [(entry.load({"preset": p.name}).spec, p.title) for p in entry.presets]
        except ZermeloError:  # a plug-in that fails hides only its own game
            continue
        if chosen.key == entry.key and chosen.spec not in dict(named):
            named.append((chosen.spec, chosen.spec))
        yield (
            entry.title,
            tuple(
                Choice(spec, f"{entry.title}: {title}", spec == chosen.spec)
                for spec, title in named
            ),
        )


def _machine_groups(
    game: Game[Any, Any], entry: ArenaEntry, brains: Brains
) -> Iterator[MachineGroup]:
    chosen = {_canonical_spec(spec, game) for spec in entry.machines}
    offered = [
        each for machine in agents_for(game) for each in _machine_choices(machine, game, chosen)
    ]
    offered.sort(key=lambda each: usual_strength(each[0], game.spec) or 0.0)
    for step in (*range(1, STEPS + 1), None):
        found = tuple(choice for spec, choice in offered if _strength_step(spec, game) == step)
        if found:
            yield MachineGroup(f"Strength {step} of {STEPS}" if step else "Not measured", found)
    for title, mine in ((OWN_BRAINS, True), (SERVER_BRAINS, False)):
        learned = tuple(
            MachineChoice(brain.spec, brain.name, "", brain.spec in chosen)
            for brain in brains
            if brain.mine is mine and _canonical_spec(brain.spec, game) == brain.spec
        )
        if learned:
            yield MachineGroup(title, learned)


def _strength_step(spec: str, game: Game[Any, Any]) -> int | None:
    """Measured strength in this variant, in steps; None if not measured."""
    found = strength_of(spec, game.spec)
    return found.step if found else None


def _machine_choices(
    machine: Entry, game: Game[Any, Any], chosen: set[str]
) -> Iterator[tuple[str, MachineChoice]]:
    """The machine, or each of its levels, by the spec it was measured under."""
    if not machine.levels:
        spec = _canonical_spec(machine.key, game)
        about = machine.description
        yield machine.key, MachineChoice(spec, machine.title, about, spec in chosen)
    for level in machine.levels:
        named = f"{machine.key}:level={level.name}"
        spec = _canonical_spec(named, game)
        label = f"{machine.title} · {level.title}"
        choice = MachineChoice(spec, label, level.description, spec in chosen)
        yield agent_spec(named, game), choice


def _canonical_spec(spec: str, game: Game[Any, Any]) -> str:
    """The canonical spec, or the text as typed if it cannot play this game."""
    try:
        return ready_player(spec, game)
    except ZermeloError:
        return spec


def _cost_or_hint(entry: ArenaEntry, workers: int) -> str:
    """Cost of the arena, or what is missing."""
    if len(entry.machines) < 2:
        return f"Tick two machines or more, at most {MOST_PLAYERS}."
    try:
        terms = read_terms(entry, workers)
    except ZermeloError:
        return ""
    return cost_text(terms, workers)


def cost_text(terms: Terms, workers: int) -> str:
    """`15 pairs, 300 games, about 20 min.`"""
    size = f"{counted(terms.pairs, 'pair', 'pairs')}, {counted(terms.total, 'game', 'games')}"
    lasts = expected_seconds(terms, workers)
    if lasts is None:
        return (
            f"{size}. How long it lasts hangs on the machines: the page says it after a few games."
        )
    return f"{size}, about {span(lasts)} where every move takes its time."
