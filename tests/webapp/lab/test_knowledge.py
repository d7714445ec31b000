"""What a table learner knows: on a page, as CSV, and on the command line."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from agents.core import Limit
from agents.errors import UnsuitableBrainError
from agents.knowledge import TABLE_LEARNERS, known_rows
from agents.learning.qsparse import MAX_READ_CELLS, Dictionary
from agents.roster import load_agent
from agents.runs import train_slice
from agents.training.brains import from_bytes
from engine import load_game
from tests.webapp.commands.command_line import assert_one_line, zermelo
from tests.webapp.lab.trainings import trained
from webapp.jobs.brain_store import BrainStore

GAMES = {"qlearning": "nim:preset=marienbad"}


@pytest.mark.parametrize("key", TABLE_LEARNERS)
def test_every_row_is_what_the_agent_says_of_that_position(key):
    game = load_game(GAMES.get(key, "tictactoe"))
    agent = load_agent(key, game)
    rows = list(known_rows(agent.agent))
    assert len(rows) > 50
    for row in rows[:: len(rows) // 40]:
        state = game.parse_state(row.position)
        analysis = agent.analyse(state, limit=Limit())
        chances = {str(each.move): each.chance for each in analysis.candidates}
        assert (chances[row.move] > 0) == row.plays
        assert row.tried > 0


def test_a_brain_has_a_page_and_a_csv_of_what_it_knows(visitor, services):
    trained(visitor, services)
    (brain,) = services[BrainStore].mine(_owner(services), 5, 0)
    text = visitor.get(f"/brains/{brain.id}/knowledge.csv").text
    rows = list(csv.DictReader(io.StringIO(text)))
    page = visitor.get(f"/brains/{brain.id}/knowledge").text
    assert f"{len(rows):,} moves in" in page
    assert rows[0]["position"] in page
    assert "What it knows" in visitor.get(f"/brains/{brain.id}").text
    assert visitor.get(f"/brains/{brain.id}/knowledge?page=9999").status_code == 200


def test_more_than_a_page_can_read_is_refused_for_a_while(visitor, services, monkeypatch):
    """A brain that anyone sent may hold any number of moves: a web thread reads them all."""
    monkeypatch.setattr("webapp.workers.knowledge.MAX_KNOWN_MOVES", 10)
    trained(visitor, services)
    (brain,) = services[BrainStore].mine(_owner(services), 5, 0)
    answer = visitor.get(f"/brains/{brain.id}/knowledge.csv")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert "more than 10 moves" in answer.text


def test_a_dictionary_has_no_more_numbers_than_a_training_keeps():
    brain = from_bytes(train_slice("quixo:size=3", "qlearning", 7, None, 1, 60).brain)
    assert "texts" not in brain.arrays  # small boards have tables
    brain = from_bytes(train_slice("quixo", "qlearning", 7, None, 1, 60).brain)
    few = len(brain.arrays["q"])
    assert len(Dictionary.of(brain).q) == few
    copies = -(-MAX_READ_CELLS // few) + 1
    many = {
        name: np.tile(brain.arrays[name], copies) for name in ("q", "position", "move", "tried")
    }
    with pytest.raises(UnsuitableBrainError, match="more than the 20,000 numbers"):
        Dictionary.of(replace(brain, arrays={**brain.arrays, **many}))


def _owner(services):
    from tests.webapp.lab.trainings import visitor_id

    return visitor_id(services)


def test_the_command_line_prints_it_and_refuses_who_has_no_table():
    shown = zermelo("export", "tictactoe", "menace", "--knowledge").stdout.splitlines()
    assert shown[0] == "position,move,number,tried,plays"
    assert len(shown) > 100
    assert_one_line(zermelo("export", "tictactoe", "minimax", "--knowledge"))
