"""An analysis written down says the same when it is read again."""

import json
from random import Random
from typing import Any

import pytest

from agents import Limit
from agents.roster import agents_for, load_agent
from agents.serialisation import from_document, to_document
from engine import Game, load_game
from engine.catalog import catalog

EVERYONE = [
    (entry.key, agent.key) for entry in catalog() for agent in agents_for(load_game(entry.key))
]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "agent"), EVERYONE)
def test_an_analysis_reads_back(spec: str, agent: str) -> None:
    game: Game[Any, Any] = load_game(spec)
    state = game.start.play(game.all_moves[0])
    said = load_agent(agent, game).analyse(state, limit=Limit(nodes=200), rng=Random(1))
    written = json.dumps(to_document(said), allow_nan=False)
    assert from_document(json.loads(written), game) == said
