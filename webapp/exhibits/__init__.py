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
    Policy,
    Samples,
)
from webapp.exhibits.answers import AnswersView
from webapp.exhibits.columns import ColumnsView
from webapp.exhibits.depths import DeepeningView
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView
from webapp.exhibits.genes import GenesView
from webapp.exhibits.matchbox import MatchboxView
from webapp.exhibits.monte_carlo import SamplesView
from webapp.exhibits.numbers import NumbersView
from webapp.exhibits.policy import PolicyView

VIEWS: Mapping[type, Callable[[Any, ExhibitContext], ExhibitView]] = {
    Columns: ColumnsView,
    Matchbox: MatchboxView,
    Numbers: NumbersView,
    Policy: PolicyView,
    Samples: SamplesView,
    Genes: GenesView,
    Deepening: DeepeningView,
    Answers: AnswersView,
}


def exhibit_view(exhibit: Exhibit, context: ExhibitContext) -> ExhibitView | None:
    """The view of an exhibit; None for a kind without a template."""
    view = VIEWS.get(type(exhibit))
    return None if view is None else view(exhibit, context)
