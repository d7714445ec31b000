"""Asking a box by hand, for this room's page or any other that includes `optimise/_asking.html`."""

from __future__ import annotations

from dataclasses import dataclass

from agents.formats import counted
from engine.problems.black_box import BlackBox
from webapp.optimise.box.asking import CHANCE, GENOMES, AskedRow, asked_rows
from webapp.optimise.box.look import MOST_ASKED, BoxLook


@dataclass(frozen=True, slots=True)
class AskingView:
    """Asking by hand (`optimise/_asking.html`), for any page that includes it."""

    action: str
    target: str
    fields: tuple[tuple[str, str], ...]
    buttons: tuple[tuple[str, str, str], ...]  # id, name, what has been asked once it is pressed
    rows: tuple[AskedRow, ...]
    count: str  # `asked 3 times`
    over_url: str | None


def asking_view(box: BlackBox, look: BoxLook, action: str, target: str = "#box") -> AskingView:
    """What was asked by hand, and what can be asked next."""
    tokens = {token: name for token, (name, _) in GENOMES.items()}
    tokens[f"{CHANCE}{len(look.asked) + 1}"] = "By chance"
    return AskingView(
        action=action,
        target=target,
        fields=look.but("asked"),
        buttons=tuple(
            (f"ask-{at}", name, ".".join((*look.asked, token)[-MOST_ASKED:]))
            for at, (token, name) in enumerate(tokens.items())
        ),
        rows=asked_rows(box, look.asked),
        count=f"asked {counted(len(look.asked), 'time', 'times')}",
        over_url=look.url(action, asked=()) if look.asked else None,
    )
