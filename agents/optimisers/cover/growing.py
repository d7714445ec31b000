"""Arrays with room to grow while a kernel works, and trimmed to what they hold afterwards."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from agents.optimisers.cover.ledger import NODES, STEPS
from agents.optimisers.entry import Arrays

LEAST_ROOM = 4_096
# The arrays of a ledger, each with the place of the tally that says how long it is.
LEDGER_LENGTHS = {
    "parent": NODES,
    "took": NODES,
    "depth": NODES,
    "ahead": NODES,
    "order": STEPS,
    "waiting": STEPS,
    "least": STEPS,
}


def grown(state: Arrays, lengths: Mapping[str, int], sets: int) -> Arrays:
    """These arrays with room for as many nodes again; the tally is shared, and nothing else."""
    room = max(LEAST_ROOM, sets) + int(state["tally"][NODES])
    padded = {
        name: np.concatenate(
            [state[name], np.zeros((room, *state[name].shape[1:]), state[name].dtype)]
        )
        for name in lengths
    }
    return padded | {"tally": state["tally"]}


def trimmed(state: Arrays, lengths: Mapping[str, int]) -> Arrays:
    """Each array as long as the tally says."""
    tally = state["tally"]
    return {name: state[name][: tally[at]] for name, at in lengths.items()} | {"tally": tally}
