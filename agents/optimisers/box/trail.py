"""Where a search that stands at one place stood lately: what its diversity is taken from."""

from __future__ import annotations

import numpy as np

from agents.optimisers.entry import Genomes

LATELY = 10  # places


def longer(trail: Genomes, genome: Genomes) -> Genomes:
    """The trail with one more place, and without its oldest where it is long enough."""
    return np.concatenate([trail[-(LATELY - 1) :], genome[None]])
