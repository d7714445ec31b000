"""Entering an arena: what the form sends, read back and bounded, and what it will cost."""

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

MOST_GAMES = 5_000  # in all: a page makes its table of every one of them
MOST_A_PAIR = 1_000
MOST_SECONDS = 2 * 3600.0  # that an arena may be expected to last
LONGEST_TITLE = 80
LONGEST_SEED = 10**9
USUAL_GAMES = 20
SAMPLES = 8

NUMBERS = {
    "games": Option("games", Kind.INTEGER, USUAL_GAMES, "", low=1, high=MOST_A_PAIR),
    "opening": Option("opening", Kind.INTEGER, 0, "", low=0, high=LONGEST_OPENING),
    "seed": Option("seed", Kind.INTEGER, 1, "", low=0, high=LONGEST_SEED),
}
LIMIT_OPTIONS = {
    "depth": Option("depth", Kind.INTEGER, None, "", low=1, high=50),
    "nodes": Option("nodes", Kind.INTEGER, None, "", low=1, high=10_000_000),
    "seconds": Option("seconds", Kind.NUMBER, None, "", low=0.01, high=5.0),
}


@dataclass(frozen=True, slots=True)
class ArenaEntry:
    """What the form says, as texts."""

    game: str
    machines: tuple[str, ...]
    numbers: Mapping[str, str]
    limit: str  # none, depth, nodes or seconds
    amount: str
    title: str

    @classmethod
    def of(cls, fields: Mapping[str, str], machines: Sequence[str]) -> ArenaEntry:
        """Machines come from the boxes that are ticked and from the lines of `others`."""
        lines = (line.strip() for line in fields.get("others", "").splitlines())
        return cls(
            game=fields.get("variant", "").strip() or fields.get("game", "").strip(),
            machines=(*machines, *(line for line in lines if line)),
            numbers={name: fields.get(name, "").strip() for name in NUMBERS},
            limit=fields.get("limit", "none"),
            amount=_amount(fields),
            title=" ".join(fields.get("title", "").split())[:LONGEST_TITLE],
        )


def terms_of(entry: ArenaEntry, lanes: int) -> Terms:
    """The terms that the form asks for; raises what is wrong with them, InvalidFormError too."""
    game = load_game(entry.game)
    numbers = {name: _number(option, entry.numbers[name]) for name, option in NUMBERS.items()}
    terms = Terms(
        game=game.spec,
        players=field_of(game, entry.machines, lambda spec: ready_player(spec, game)),
        games=int(numbers["games"]),
        seed=int(numbers["seed"]),
        limit=_limit(entry),
        opening=int(numbers["opening"]),
    )
    if terms.total > MOST_GAMES:
        why = f"that makes {terms.total:,} games: an arena has at most {MOST_GAMES:,}"
        raise InvalidFormError(str(terms.games), why)
    lasts = expected_seconds(terms, lanes)
    if lasts is not None and lasts > MOST_SECONDS:
        hours = f"{lasts / 3600:.1f} hours: an arena has at most {MOST_SECONDS / 3600:.0f}"
        raise InvalidFormError(entry.amount, f"that would last about {hours}")
    return terms


def ready_player(spec: str, game: Game[Any, Any]) -> str:
    """The spec as it is kept: one that can play at once, a brain by its digest."""
    return pinned_spec(ready_spec(player_spec(spec, game), game, ON_THE_SPOT), game)


def expected_seconds(terms: Terms, lanes: int) -> float | None:
    """About how long it lasts where a clock ends each thought; else nobody knows beforehand."""
    if terms.limit.seconds is None:
        return None
    return terms.total * usual_plies(terms.game) * terms.limit.seconds / max(1, lanes)


@lru_cache(maxsize=256)
def usual_plies(spec: str) -> float:
    """How long a game is when nobody thinks: for an estimate."""
    return sum(_random_game(spec, seed) for seed in range(SAMPLES)) / SAMPLES


def _random_game(spec: str, seed: int) -> int:
    rng, match = Random(seed), Match.begin(load_game(spec))
    while match.outcome() is None:
        match = match.play(rng.choice(match.state.legal_moves()))
    return match.ply


def entry_of(plan: ArenaPlan, title: str) -> ArenaEntry:
    """The form as it was filled in for an arena that is there."""
    terms = plan.terms
    given = {
        "depth": terms.limit.depth,
        "nodes": terms.limit.nodes,
        "seconds": terms.limit.seconds,
    }
    kind, amount = next(_given(given), ("none", ""))
    numbers = {"games": terms.games, "opening": terms.opening, "seed": terms.seed}
    return ArenaEntry(
        terms.game,
        terms.players,
        {name: str(number) for name, number in numbers.items()},
        kind,
        amount,
        title,
    )


def _given(limits: Mapping[str, float | None]) -> Iterator[tuple[str, str]]:
    for name, amount in limits.items():
        if amount is not None:
            yield name, f"{amount:g}" if isinstance(amount, float) else str(amount)


def _limit(entry: ArenaEntry) -> Limit:
    if entry.limit == "none":
        return UNLIMITED
    if entry.limit not in LIMIT_OPTIONS:
        raise InvalidFormError(
            entry.limit, "a limit is in depth, nodes or seconds, or there is none"
        )
    if not entry.amount:
        raise InvalidFormError("", f"a limit in {entry.limit} wants a number")
    amount = _number(LIMIT_OPTIONS[entry.limit], entry.amount)
    match entry.limit:
        case "depth":
            return Limit(depth=int(amount))
        case "nodes":
            return Limit(nodes=int(amount))
        case _:
            return Limit(seconds=float(amount))


def _amount(fields: Mapping[str, str]) -> str:
    """How much of the limit; as many positions a move as were meant are no depth."""
    amount, limit = fields.get("amount", "").strip(), fields.get("limit", "none")
    same = fields.get("limited", limit) == limit
    return (
        amount if same or limit not in LIMIT_OPTIONS or fits(LIMIT_OPTIONS[limit], amount) else ""
    )


def _number(option: Option, text: str) -> float:
    """The number in a field, the usual one where it is empty; raises InvalidSpecError."""
    value = option.read(text) if text else option.default
    if not isinstance(value, int | float):
        raise InvalidFormError(text, f"{option.name} is a number")
    return value


def is_readable(entry: ArenaEntry) -> Game[Any, Any] | None:
    """The game that the form names, if it can be read."""
    try:
        return load_game(entry.game)
    except ZermeloError:
        return None


LIMIT_LABELS = (
    ("none", "None: each as it is set"),
    ("depth", "Plies ahead"),
    ("nodes", "Positions a move"),
    ("seconds", "Seconds a move (not repeatable)"),
)
OWN, OF_MACHINE = "Your brains", "Brains of this machine"

Brains = Sequence[OfferedBrain]


def entry_view(
    entry: ArenaEntry, brains: Brains, lanes: int, message: Message | None = None
) -> EntryView:
    """The form with these choices made."""
    game = _readable(entry)
    groups = tuple(_groups(game, entry, brains))
    offered = {choice.value for group in groups for choice in group.machines}
    others = [spec for spec in entry.machines if _known(spec, game) not in offered]
    return EntryView(
        url=url_for("arena.form"),
        games=tuple(_games(game)),
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
        counted=_counted(entry, lanes),
        most=MOST_PLAYERS,
        message=message,
    )


def _readable(entry: ArenaEntry) -> Game[Any, Any]:
    try:
        return load_game(entry.game)
    except ZermeloError:
        return load_game(catalog()[0].key)


def _games(chosen: Game[Any, Any]) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """Every game's named variants, and the chosen one where it has no name."""
    for entry in catalog():
        try:
            named = [(entry.load({"preset": p.name}).spec, p.title) for p in entry.presets]
        except ZermeloError:  # of a package that fails: the others stand
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


def _groups(game: Game[Any, Any], entry: ArenaEntry, brains: Brains) -> Iterator[MachineGroup]:
    chosen = {_known(spec, game) for spec in entry.machines}
    offered = [each for machine in agents_for(game) for each in _choices(machine, game, chosen)]
    offered.sort(key=lambda each: usual_strength(each[0], game.spec) or 0.0)
    for step in (*range(1, STEPS + 1), None):
        found = tuple(choice for spec, choice in offered if _step(spec, game) == step)
        if found:
            yield MachineGroup(f"Strength {step} of {STEPS}" if step else "Not measured", found)
    for title, mine in ((OWN, True), (OF_MACHINE, False)):
        learned = tuple(
            MachineChoice(brain.spec, brain.name, "", brain.spec in chosen)
            for brain in brains
            if brain.mine is mine and _known(brain.spec, game) == brain.spec
        )
        if learned:
            yield MachineGroup(title, learned)


def _step(spec: str, game: Game[Any, Any]) -> int | None:
    """How strong it was measured to be in this variant, in steps; None where it was not."""
    found = strength_of(spec, game.spec)
    return found.step if found else None


def _choices(
    machine: Entry, game: Game[Any, Any], chosen: set[str]
) -> Iterator[tuple[str, MachineChoice]]:
    """The machine, or each of its levels, by the spec under which it was measured."""
    if not machine.levels:
        spec = _known(machine.key, game)
        about = machine.description
        yield machine.key, MachineChoice(spec, machine.title, about, spec in chosen)
    for level in machine.levels:
        named = f"{machine.key}:level={level.name}"
        spec = _known(named, game)
        label = f"{machine.title} · {level.title}"
        choice = MachineChoice(spec, label, level.description, spec in chosen)
        yield agent_spec(named, game), choice


def _known(spec: str, game: Game[Any, Any]) -> str:
    """The spec as it is kept, or as it was written where it cannot play this game."""
    try:
        return ready_player(spec, game)
    except ZermeloError:
        return spec


def _counted(entry: ArenaEntry, lanes: int) -> str:
    """What the form comes to, as far as it can be read."""
    if len(entry.machines) < 2:
        return f"Tick two machines or more, at most {MOST_PLAYERS}."
    try:
        terms = terms_of(entry, lanes)
    except ZermeloError:
        return ""
    return cost_text(terms, lanes)


def cost_text(terms: Terms, lanes: int) -> str:
    """`15 pairs, 300 games, about 20 min.`"""
    told = f"{counted(terms.pairs, 'pair', 'pairs')}, {counted(terms.total, 'game', 'games')}"
    lasts = expected_seconds(terms, lanes)
    if lasts is None:
        return (
            f"{told}. How long it lasts hangs on the machines: the page says it after a few games."
        )
    return f"{told}, about {span(lasts)} where every move takes its time."
