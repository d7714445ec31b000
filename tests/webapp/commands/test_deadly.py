"""`zermelo arena` with an agent that takes its process down."""

import pytest

from tests.agents.contest.deadly import deadly_agents
from tests.webapp.commands.command_line import document


@pytest.mark.soak
def test_it_forfeits_and_the_table_counts_it_apart(tmp_path):
    with deadly_agents(tmp_path):
        table = document("arena", "tictactoe", "random", "dies", "--games", 2, "--workers", 2)
    cell = table["table"][0][1]
    assert cell["wins"] + cell["draws"] + cell["losses"] == 2
    assert cell["forfeits"] >= 1  # moving first, it comes to its third thought
    assert [player["forfeits"] for player in table["players"]] == [0, cell["forfeits"]]
