"""The lab's first page: what can be done here."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, current_app, make_response, render_template, url_for

lab = Blueprint("lab", __name__)


@dataclass(frozen=True, slots=True)
class Card:
    """One thing to do in the lab."""

    title: str
    about: str
    endpoint: str


CARDS = (
    Card(
        "Train",
        "Let a machine learn a game while you watch: its curve against the best there is, "
        "what it thinks of the opening, and every ancestor to play against.",
        "train.form",
    ),
    Card(
        "Arena",
        "Everyone against everyone: who is better, and how sure is that?",
        "arena.form",
    ),
    Card(
        "Optimise",
        "Problems without a foe: cover things with few sets, or find the bits in a box.",
        "optimise.show",
    ),
    Card(
        "Brains",
        "What your machines have learned: to play, to train on, to take along and to share.",
        "brains.mine",
    ),
)


@lab.get("/lab")
def show() -> Response:
    """The cards of the rooms that are there."""
    cards = [
        (card.title, card.about, url_for(card.endpoint))
        for card in CARDS
        if card.endpoint in current_app.view_functions
    ]
    page = render_template("lab/front.html", cards=cards, jobs_url=url_for("jobs.mine"))
    return make_response(page)
