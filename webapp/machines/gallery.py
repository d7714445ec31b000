"""The gallery of machines by technique, with their measured strengths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from agents.contest.strength import strength_of
from agents.entry import Entry, Technique
from agents.roster import roster
from engine.catalog import catalog, variant_title
from engine.entry import GameEntry
from webapp.charts.meter import Meter, strength_meter
from webapp.exhibits.exhibit import Link
from webapp.machines.origins import TAGLINES
from webapp.machines.query import (
    GALLERY_PATH,
    GalleryOrder,
    GalleryQuery,
    machine_url,
    play_url,
    played_by,
)
from webapp.machines.verdict import OTHER_ENDING, verdict

NOT_MEASURED = "not measured"
NUMBER_WORDS = (
    *("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    *("Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen"),
    *("Nineteen", "Twenty", "Twenty-one", "Twenty-two", "Twenty-three", "Twenty-four"),
)


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """A machine's strength in one game or variant that it plays, or a note why there is none."""

    title: str
    meter: Meter | None
    note: str  # shown instead of bar and points
    points: str = ""  # 31%, or `never lost`


class MachineCard:
    """One machine with a row for each game, or for each variant of the chosen one."""

    def __init__(self, entry: Entry, game: GameEntry | None) -> None:
        self.entry = entry
        self.key, self.title = entry.key, entry.title
        self.line = f"{entry.description.partition('. ')[0].rstrip('.')}."
        self.url = machine_url(entry.key, game.key if game else None)
        wanted = catalog() if game is None else (game,)
        played = [variant for each in wanted for variant in played_by(entry, each)]
        self.play_url = play_url(entry.key, played[0])
        if game is None:
            self.rows = tuple(_game_row(entry, each) for each in wanted if played_by(entry, each))
        else:
            self.rows = tuple(_row(entry, variant_title(each.spec), each.spec) for each in played)

    @property
    def merit(self) -> float:
        """The mean share of points; -1 if it was not measured."""
        shares = [row.meter.share for row in self.rows if row.meter]
        return fmean(shares) if shares else -1.0


@dataclass(frozen=True, slots=True)
class TechniqueGroup:
    """The machines of one technique."""

    technique: Technique
    cards: tuple[MachineCard, ...]

    @property
    def name(self) -> str:
        return self.technique.value

    @property
    def title(self) -> str:
        return self.name.capitalize()

    @property
    def tagline(self) -> str:
        return TAGLINES[self.technique]


class GalleryPage:
    """`GET /machines`: every machine, or those that play one game."""

    def __init__(self, query: GalleryQuery) -> None:
        self.query = query
        self.present = query.present
        self.present_url = query.toggled(GALLERY_PATH, "present")

    @cached_property
    def game(self) -> GameEntry | None:
        return next((entry for entry in catalog() if entry.key == self.query.game), None)

    @cached_property
    def cards(self) -> list[MachineCard]:
        """In the chosen order."""
        wanted = catalog() if self.game is None else (self.game,)
        cards = [
            MachineCard(entry, self.game)
            for entry in roster()
            if any(played_by(entry, each) for each in wanted)
        ]
        strongest = self.query.order is GalleryOrder.STRONGEST
        return sorted(cards, key=lambda card: card.merit, reverse=strongest)

    @property
    def count(self) -> str:
        """`Nineteen ways to play`."""
        number = len(self.cards)
        word = NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)
        return f"{word} {'way' if number == 1 else 'ways'} to play"

    @property
    def groups(self) -> tuple[TechniqueGroup, ...]:
        """By technique; strongest first, that of the strongest machine comes first."""
        strongest = self.query.order is GalleryOrder.STRONGEST
        techniques = dict.fromkeys(card.entry.technique for card in self.cards)
        return tuple(
            TechniqueGroup(
                technique, tuple(card for card in self.cards if card.entry.technique is technique)
            )
            for technique in (techniques if strongest else Technique)
            if technique in techniques
        )

    @property
    def filters(self) -> tuple[Link, ...]:
        return (
            Link("All games", self._url(game=None), current=self.game is None),
            *(
                Link(each.title, self._url(game=each.key), current=each is self.game)
                for each in catalog()
            ),
        )

    @property
    def orders(self) -> tuple[Link, ...]:
        return tuple(
            Link(f"{each.capitalize()} first", self._url(order=each), each is self.query.order)
            for each in GalleryOrder
        )

    def _url(self, **changes: object) -> str:
        return self.query.url(
            GALLERY_PATH, **({"game": self.game.key if self.game else None} | changes)
        )


def _game_row(entry: Entry, game: GameEntry) -> StrengthRow:
    """The strength in the game's default variant, or which other variants it plays."""
    specs = [variant.spec for variant in played_by(entry, game)]
    if game.key not in specs:
        return StrengthRow(game.title, None, f"only {', '.join(map(variant_title, specs))}")
    return _row(entry, game.title, game.key)


def _row(entry: Entry, title: str, variant: str) -> StrengthRow:
    meter = strength_meter(strength_of(entry.key, variant))
    if meter is None:
        return StrengthRow(title, None, NOT_MEASURED)
    found = verdict(entry.key, variant)
    if found == OTHER_ENDING:
        return StrengthRow(title, meter, found)
    return StrengthRow(title, meter, "", found or meter.points)
