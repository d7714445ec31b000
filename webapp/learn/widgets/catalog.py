"""Every widget by the name that texts give it."""

from __future__ import annotations

from collections.abc import Mapping

from webapp.learn.widgets.asking_box import ASKED_BOX
from webapp.learn.widgets.backward import BACKWARD
from webapp.learn.widgets.beads import AGED, BY_HAND
from webapp.learn.widgets.breeding import BREEDING
from webapp.learn.widgets.cells import CELLS
from webapp.learn.widgets.covering import COVERING
from webapp.learn.widgets.curves import CURVES
from webapp.learn.widgets.cutting import CUTTING
from webapp.learn.widgets.filling import FILLING
from webapp.learn.widgets.heaps import COLUMNS, HEAPS
from webapp.learn.widgets.ladder import LADDER
from webapp.learn.widgets.openings import OPENINGS
from webapp.learn.widgets.orders import ORDERS
from webapp.learn.widgets.playouts import PLAYOUTS
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
