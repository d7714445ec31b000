"""Exhibits: the view of each kind of exhibit that an agent's technique can have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents.exhibits import (
    Answers,
    Columns,
    Deepening,
    Exhibit,
    Genes,
    Matchbox,
    Numbers,
    Samples,
)
from webapp.exhibits.answers import answers_view
from webapp.exhibits.columns import columns_view
from webapp.exhibits.depths import deepening_view
from webapp.exhibits.exhibit import ExhibitView, Stand
from webapp.exhibits.genes import genes_view
from webapp.exhibits.matchbox import matchbox_view
from webapp.exhibits.monte_carlo import samples_view
from webapp.exhibits.numbers import numbers_view

VIEWS: Mapping[type, Callable[[Any, Stand], ExhibitView]] = {
    Columns: columns_view,
    Matchbox: matchbox_view,
    Numbers: numbers_view,
    Samples: samples_view,
    Genes: genes_view,
    Deepening: deepening_view,
    Answers: answers_view,
}


def exhibit_view(exhibit: Exhibit, context: Stand) -> ExhibitView | None:
    """The view of an exhibit; None for a kind without a template."""
    view = VIEWS.get(type(exhibit))
    return None if view is None else view(exhibit, context)
