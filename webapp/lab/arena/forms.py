"""The form of an arena: read, checked and shown with its expected cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from agents.contest.arena import MAX_OPENING_PLIES, MAX_PLAYERS, Terms, read_field
from agents.contest.ladder import by_step, ladder
from agents.core import UNLIMITED, Limit
from agents.formats import counted
from agents.roster import pinned_spec, player_spec, ready_spec
from engine import Game, Match, load_game
from engine.catalog import catalog
from engine.errors import ZermeloError
from engine.options import Kind, Option
from webapp.bots.models import BotRecord
from webapp.jobs.brain_store import OfferedBrain
from webapp.jobs.kinds.arena import ArenaPlan, numbers_of_bots
from webapp.jobs.status import duration_text
from webapp.replays.models import bot_id_of
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice, field_value, fits, named_variants
from webapp.web.messages import Message
from webapp.web.query import Query, text, texts
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

MAX_GAMES = 5_000  # in total: the page computes its table from all of them
MAX_GAMES_PER_PAIR = 1_000
MAX_BOT_GAMES = 500  # each takes a bot seconds or minutes
MAX_EXPECTED_S = 2 * 3600.0
MAX_TITLE_CHARS = 80
MAX_SEED = 10**9
DEFAULT_GAMES = 20
MAX_FIELD = 1_000  # machines read, so that an error can count them
MAX_CHARS = 10_000  # of a field
SAMPLE_GAMES = 8  # for the typical length of a game

NUMBERS = {
    "games": Option("games", Kind.INTEGER, DEFAULT_GAMES, "", low=1, high=MAX_GAMES_PER_PAIR),
    "opening": Option("opening", Kind.INTEGER, 0, "", low=0, high=MAX_OPENING_PLIES),
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


@dataclass(frozen=True)
class ArenaEntry(Query):
    """The fields of the form, as texts."""

    game: str = text(MAX_CHARS, "")
    variant: str = text(MAX_CHARS, "")  # instead of the game, where there is any
    ticked: tuple[str, ...] = texts(MAX_CHARS, MAX_FIELD, name="machine")
    others: str = text(MAX_CHARS, "")  # more machines, one a line
    games: str = text(MAX_CHARS, "")
    opening: str = text(MAX_CHARS, "")
    seed: str = text(MAX_CHARS, "")
    limit: str = text(MAX_CHARS, "none")  # none, depth, nodes or seconds
    limited: str | None = text(MAX_CHARS)  # the kind of limit that `amount` was given for
    sent_amount: str = text(MAX_CHARS, "", "amount")
    sent_title: str = text(MAX_CHARS, "", "title")

    @property
    def spec(self) -> str:
        """The game's spec."""
        return self.variant.strip() or self.game.strip()

    @property
    def machines(self) -> tuple[str, ...]:
        lines = (line.strip() for line in self.others.splitlines())
        return (*self.ticked, *(line for line in lines if line))

    @property
    def title(self) -> str:
        return " ".join(self.sent_title.split())[:MAX_TITLE_CHARS]

    @property
    def amount(self) -> str:
        """The amount of the limit; dropped if the kind of limit changed and it no longer fits."""
        amount, option = self.sent_amount.strip(), LIMIT_OPTIONS.get(self.limit)
        same = self.limited in (None, self.limit)
        return amount if same or option is None or fits(option, amount) else ""


def read_terms(entry: ArenaEntry, workers: int, bots: Sequence[BotRecord] = ()) -> Terms:
    """The terms of the arena; raises InvalidFormError or InvalidSpecError.

    Only `bots` can be entered: those that are here.
    """
    game = load_game(entry.spec)
    seats = {bot.id: bot.seat for bot in bots if bot.can_play(game)}

    def player(spec: str) -> str:
        bot_id = bot_id_of(spec)
        if bot_id is None:
            return ready_player(spec, game)
        if bot_id not in seats:
            raise InvalidFormError(spec, "this bot is not here, or does not play this game")
        return seats[bot_id]

    terms = Terms(
        game=game.spec,
        players=read_field(game, entry.machines, player),
        limit=_read_limit(entry),
        **{name: field_value(option, getattr(entry, name)) for name, option in NUMBERS.items()},
    )
    if terms.total > MAX_GAMES:
        why = f"that makes {terms.total:,} games: an arena has at most {MAX_GAMES:,}"
        raise InvalidFormError(str(terms.games), why)
    if (count := len(numbers_of_bots(terms))) > MAX_BOT_GAMES:
        why = f"that makes {count:,} games of bots: an arena has at most {MAX_BOT_GAMES}"
        raise InvalidFormError(str(terms.games), why)
    lasts = expected_seconds(terms, workers)
    if lasts is not None and lasts > MAX_EXPECTED_S:
        hours = f"{lasts / 3600:.1f} hours: an arena has at most {MAX_EXPECTED_S / 3600:.0f}"
        raise InvalidFormError(entry.amount, f"that would last about {hours}")
    return terms


def ready_player(spec: str, game: Game[Any, Any]) -> str:
    """Canonical spec of a player that can play at once, a brain by its digest."""
    return pinned_spec(ready_spec(player_spec(spec, game), game, MAX_INLINE_TRAINING_S), game)


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
    given = ((name, getattr(terms.limit, name)) for name in LIMIT_OPTIONS)
    kind, amount = next(((name, of) for name, of in given if of is not None), ("none", ""))
    return ArenaEntry(
        game=terms.game,
        ticked=terms.players,
        games=str(terms.games),
        opening=str(terms.opening),
        seed=str(terms.seed),
        limit=kind,
        sent_amount=f"{amount:g}" if isinstance(amount, float) else str(amount),
        sent_title=title,
    )


def _read_limit(entry: ArenaEntry) -> Limit:
    if entry.limit == "none":
        return UNLIMITED
    if entry.limit not in LIMIT_OPTIONS:
        raise InvalidFormError(
            entry.limit, "a limit is in depth, nodes or seconds, or there is none"
        )
    if not entry.amount:
        raise InvalidFormError("", f"a limit in {entry.limit} wants a number")
    return Limit(**{entry.limit: field_value(LIMIT_OPTIONS[entry.limit], entry.amount)})


@dataclass(frozen=True, slots=True)
class MachineChoice:
    """A machine that can be entered."""

    value: str  # its spec
    label: str
    about: str
    chosen: bool


class ArenaForm:
    """The form (`lab/arena/_entry.html`); a GET of it with its fields refreshes it."""

    most = MAX_PLAYERS

    def __init__(
        self,
        entry: ArenaEntry,
        brains: Sequence[OfferedBrain],
        workers: int,
        message: Message | None = None,
        bots: Sequence[BotRecord] = (),
    ) -> None:
        self.entry, self.brains, self.workers, self.message = entry, brains, workers, message
        self.bots = bots
        try:
            self.game = load_game(entry.spec)
        except ZermeloError:
            self.game = load_game(catalog()[0].key)

    @property
    def games(self) -> Iterator[tuple[str, tuple[Choice, ...]]]:
        """Every game's named variants, and the chosen one if it has no name."""
        chosen = self.game.spec
        for entry, named in named_variants():
            titles = {game.spec: title for game, title in named}
            if entry.key == self.game.key:
                titles.setdefault(chosen, chosen)
            yield (
                entry.title,
                tuple(
                    Choice(spec, f"{entry.title}: {title}", chosen=spec == chosen)
                    for spec, title in titles.items()
                ),
            )

    @cached_property
    def groups(self) -> tuple[tuple[str, tuple[MachineChoice, ...]], ...]:
        """Machines by strength, then brains by origin."""
        chosen = {_canonical_spec(spec, self.game) for spec in self.entry.machines}
        found = [
            (title, [(_canonical_spec(r.value, self.game), r.label, r.description) for r in rungs])
            for title, rungs in by_step(ladder(self.game.spec))
        ]
        fitting = [b for b in self.brains if _canonical_spec(b.spec, self.game) == b.spec]
        for title, mine in ((OWN_BRAINS, True), (SERVER_BRAINS, False)):
            found.append((title, [(b.spec, b.name, "") for b in fitting if b.mine is mine]))
        here = [(bot.seat, bot.name, "") for bot in self.bots if bot.can_play(self.game)]
        found.append(("Bots here now", here))
        return tuple(
            (title, tuple(MachineChoice(*each, chosen=each[0] in chosen) for each in machines))
            for title, machines in found
            if machines
        )

    @property
    def others(self) -> str:
        """Machines that are not offered, one a line."""
        offered = {choice.value for _, machines in self.groups for choice in machines}
        specs = self.entry.machines
        return "\n".join(each for each in specs if _canonical_spec(each, self.game) not in offered)

    @property
    def number(self) -> dict[str, str]:
        return {
            name: getattr(self.entry, name).strip() or str(option.default)
            for name, option in NUMBERS.items()
        }

    @property
    def limits(self) -> tuple[Choice, ...]:
        return tuple(Choice(name, label, name == self.entry.limit) for name, label in LIMIT_LABELS)

    @property
    def cost(self) -> str:
        """15 pairs, 300 games, …; or what is missing."""
        if len(self.entry.machines) < 2:
            return f"Tick two machines or more, at most {MAX_PLAYERS}."
        try:
            return cost_text(read_terms(self.entry, self.workers, self.bots), self.workers)
        except ZermeloError:
            return ""


def _canonical_spec(spec: str, game: Game[Any, Any]) -> str:
    """The canonical spec, or the text as typed if it cannot play this game."""
    try:
        return ready_player(spec, game)
    except ZermeloError:
        return spec


def cost_text(terms: Terms, workers: int) -> str:
    """`15 pairs, 300 games, about 20 min.`"""
    size = f"{counted(terms.pairs, 'pair', 'pairs')}, {counted(terms.total, 'game', 'games')}"
    lasts = expected_seconds(terms, workers)
    if lasts is None:
        return f"{size}. The time left is shown after a few games."
    return f"{size}, about {duration_text(lasts)} where every move takes its time."
