"""The page about reinforcement learning: its listings, run with fewer games."""

import json
from random import Random

import numpy as np
import pytest

from engine import load_game
from tests.documented import blocks
from tests.positions import reachable_states

PAGE = blocks("reinforcement-learning.md")


class Turn:
    def __init__(self, state):
        self.state, self.rng = str(state), Random(0)
        self.legal = [str(move) for move in state.legal_moves()]


@pytest.mark.slow
def test_the_learner_of_the_page_learns_and_its_bot_plays_what_it_learned(tmp_path):
    learner = {"__name__": "quixo4"}
    exec(PAGE["quixo4.py"], learner)
    before = learner["won"](100)
    learner["train"](1_000)
    assert learner["won"](200) > before + 0.1
    game = load_game("quixo:size=4")
    learned = {"moves": list(map(str, game.all_moves)), "weights": learner["weights"].tolist()}
    (tmp_path / "quixo4.json").write_text(json.dumps(learned), "utf-8")
    bot = {"__file__": str(tmp_path / "mybot.py")}
    exec(PAGE["mybot.py"], bot)
    for state in reachable_states(game, 30, seed=2):
        codec = learner["env"].unwrapped.codec
        seen = {
            "observation": codec.board(state, state.to_move),
            "action_mask": codec.mask(state),
        }
        best = game.all_moves[int(np.argmax(learner["policy"](seen)[1]))]
        assert bot["choose"](Turn(state)) == str(best)
