"""The form of an arena: games with their variants, machines that can play the chosen one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flask import url_for

from agents.contest.arena import MOST_PLAYERS, Terms
from agents.contest.strength import STEPS, strength_of, usual_strength
from agents.entry import Entry
from agents.formats import counted
from agents.roster import agent_spec, agents_for
from engine import Game, load_game
from engine.catalog import catalog
from engine.errors import ZermeloError
from webapp.jobs.brain_store import OfferedBrain
from webapp.jobs.status import span
from webapp.lab.arena.entering import (
    NUMBERS,
    ArenaEntry,
    expected_seconds,
    ready_player,
    terms_of,
)
from webapp.lab.arena.views import EntryView, MachineChoice, MachineGroup
from webapp.web.forms import Choice
from webapp.web.messages import Message

LIMITS = (
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
        limits=tuple(Choice(name, label, name == entry.limit) for name, label in LIMITS),
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
