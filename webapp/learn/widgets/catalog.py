"""All widgets by name."""

from __future__ import annotations

from collections.abc import Mapping

from webapp.learn.widgets.alphabeta import CUTTING, ORDERS
from webapp.learn.widgets.board import CELLS
from webapp.learn.widgets.evolution import BREEDING, PLAYOUTS
from webapp.learn.widgets.heaps import COLUMNS, HEAPS
from webapp.learn.widgets.menace import AGED, BY_HAND, CURVES
from webapp.learn.widgets.minimax import BACKWARD, FILLING
from webapp.learn.widgets.problems import ASKED_BOX, COVERING
from webapp.learn.widgets.symmetry import LADDER, OPENINGS
from webapp.learn.widgets.widget import Widget

WIDGETS: Mapping[str, Widget] = {
    "aged-box": AGED,
    "asked-box": ASKED_BOX,
    "backward": BACKWARD,
    "box": BY_HAND,
    "breeding": BREEDING,
    "cells": CELLS,
    "columns": COLUMNS,
    "covering": COVERING,
    "curve": CURVES,
    "cutting": CUTTING,
    "filling": FILLING,
    "heaps": HEAPS,
    "ladder": LADDER,
    "openings": OPENINGS,
    "orders": ORDERS,
    "playouts": PLAYOUTS,
}
