"""A search told as a conversation: a generator yields what it asks, and is sent the answers.

Its state is the answers so far. They are said to it again from the beginning whenever it goes on,
so a conversation must be short and must do the same when it hears the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np

from agents.compute.rng import Luck
from agents.optimisers.box.genomes import none_of
from agents.optimisers.entry import Answers, Arrays, Genomes

Talk = Generator[Genomes, Answers, None]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Any such generator as a search."""

    talk: Callable[[int, Luck], Talk]  # talk(bits, luck)

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        # Its luck is that of the first round, whenever it is told again.
        talk = self.talk(bits, state["luck"].copy() if state else luck.copy())
        try:
            asked = next(talk)
            heard = 0
            while state and heard < len(state["heard"]):
                answers = state["heard"][heard : heard + len(asked)]
                heard += len(asked)
                asked = talk.send(answers)
        except StopIteration:
            return none_of(bits)
        return asked

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        if not state:
            return {"luck": luck.copy(), "heard": answers}
        return state | {"heard": np.concatenate([state["heard"], answers])}

    def living(self, state: Arrays) -> Genomes:
        return np.zeros((0, 0), np.int64)
