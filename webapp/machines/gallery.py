"""The gallery of machines by technique, with their measured strengths."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

from flask import url_for

from agents.contest.strength import strength_of
from agents.entry import Entry, Technique
from agents.roster import roster
from engine.catalog import catalog, variant_title
from engine.entry import GameEntry
from webapp.charts.meter import Meter, strength_meter
from webapp.exhibits.exhibit import Link
from webapp.machines.links import machine_url, play_url, played_by, variants_of
from webapp.machines.origins import TAGLINES
from webapp.machines.views import GalleryView, MachineCard, StrengthRow, TechniqueGroup

NOT_PLAYED = "does not play it"
NOT_MEASURED = "not measured"
ORDER_LABELS = {"weakest": "Weakest first", "strongest": "Strongest first"}
NUMBER_WORDS = (
    *("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    *("Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen"),
    *("Nineteen", "Twenty", "Twenty-one", "Twenty-two", "Twenty-three", "Twenty-four"),
)


def gallery_view(fields: Mapping[str, str]) -> GalleryView:
    """Every machine, or those that play one game; invalid fields are ignored."""
    games = {entry.key: entry for entry in catalog()}
    game = games.get(fields.get("game", ""))
    order = fields.get("order") if fields.get("order") in ORDER_LABELS else "weakest"
    present = fields.get("present") == "1"
    wanted = catalog() if game is None else (game,)
    shown = [entry for entry in roster() if any(played_by(entry, each) for each in wanted)]
    cards = {entry: machine_card(entry, game) for entry in shown}
    ranked = sorted(shown, key=lambda entry: _merit(cards[entry]), reverse=order == "strongest")
    groups = tuple(
        TechniqueGroup(
            name=technique.value,
            title=technique.value.capitalize(),
            tagline=TAGLINES[technique],
            cards=found,
        )
        for technique in Technique
        if (found := tuple(cards[entry] for entry in ranked if entry.technique is technique))
    )

    def url(**changed: str | None) -> str:
        now: dict[str, Any] = {
            "game": game.key if game else None,
            "order": order if order != "weakest" else None,
            "present": 1 if present else None,
        }
        return url_for("machines.gallery", **(now | changed))

    return GalleryView(
        count=f"{_number_text(len(shown))} {'way' if len(shown) == 1 else 'ways'} to play",
        filters=(
            Link("All games", url(game=None), current=game is None),
            *(Link(each.title, url(game=key), current=each is game) for key, each in games.items()),
        ),
        orders=tuple(
            Link(title, url(order=name), current=name == order)
            for name, title in ORDER_LABELS.items()
        ),
        groups=groups,
        present=present,
    )


def machine_card(entry: Entry, game: GameEntry | None) -> MachineCard:
    """A machine with a row for each game, or for each variant of the chosen one."""
    if game is None:
        rows = tuple(_game_row(entry, each) for each in catalog())
    else:
        rows = tuple(_variant_row(entry, variant.spec) for variant in variants_of(game))
    wanted = catalog() if game is None else (game,)
    played = next(variant for each in wanted for variant in played_by(entry, each))
    return MachineCard(
        key=entry.key,
        title=entry.title,
        line=_first_sentence(entry.description),
        url=machine_url(entry.key, game=game and game.key),
        play_url=play_url(entry.key, played),
        rows=rows,
    )


def _game_row(entry: Entry, game: GameEntry) -> StrengthRow:
    """The strength in the game's default variant, or which other variants it plays."""
    played = [variant.spec for variant in played_by(entry, game)]
    if game.key in played:
        return StrengthRow(game.title, *_measured(entry, game.key))
    only = ", ".join(map(variant_title, played))
    return StrengthRow(game.title, None, f"only {only}" if only else NOT_PLAYED)


def _variant_row(entry: Entry, variant: str) -> StrengthRow:
    played = [each.spec for game in catalog() for each in played_by(entry, game)]
    title = variant_title(variant)
    if variant not in played:
        return StrengthRow(title, None, NOT_PLAYED)
    return StrengthRow(title, *_measured(entry, variant))


def _measured(entry: Entry, variant: str) -> tuple[Meter | None, str]:
    meter = strength_meter(strength_of(entry.key, variant))
    return meter, "" if meter else NOT_MEASURED


def _merit(card: MachineCard) -> float:
    shares = [row.meter.share for row in card.rows if row.meter]
    return fmean(shares) if shares else -1.0


def _first_sentence(text: str) -> str:
    return f"{text.partition('. ')[0].rstrip('.')}."


def _number_text(number: int) -> str:
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)
