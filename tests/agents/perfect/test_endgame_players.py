"""Who looks endgames up: `perfect`, and what it says where it cannot."""

from pathlib import Path
from random import Random

import pytest

from agents import Limit, load_agent
from agents.core import Measure
from agents.perfect.oracles import EndgameOracle
from agents.roster import agents_for, analysts_for
from tests.agents.perfect.boards import GAME, open_board


@pytest.mark.soak
def test_perfect_knows_a_full_board(full_boards: Path) -> None:
    rng, agent = Random(8), load_agent("perfect", GAME)
    boards = [open_board(0, rng) for _ in range(30)]
    analyses = [agent.analyse(board, limit=Limit(), rng=Random(1)) for board in boards]
    assert all(candidate.proven for analysis in analyses for candidate in analysis.candidates)
    kept = [
        EndgameOracle().probe(board.play(analysis.choice)).seen_by_mover()
        for board, analysis in zip(boards, analyses, strict=True)
    ]
    assert kept == [EndgameOracle().probe(board) for board in boards]


@pytest.mark.soak
def test_perfect_says_where_it_knows_nothing(full_boards: Path) -> None:
    state = open_board(3, Random(4))
    analysis = load_agent("perfect", GAME).analyse(state, limit=Limit(), rng=Random(1))
    assert analysis.measure is Measure.CHANCE
    assert {candidate.value for candidate in analysis.candidates} == {None}
    assert analysis.reason == (
        "It does not know this position: 3 cubes are blank, and boards with none are solved. "
        f"{analysis.choice} was drawn by lot."
    )


def test_perfect_says_how_to_have_the_tables() -> None:
    state = open_board(0, Random(4))
    reason = load_agent("perfect", GAME).analyse(state, limit=Limit(), rng=Random(1)).reason
    assert "`zermelo solve quixo --blanks 1` does" in reason


def test_perfect_can_be_asked_about_quixo_and_is_no_opponent() -> None:
    assert "perfect" in [entry.key for entry in analysts_for(GAME)]
    assert "perfect" not in [entry.key for entry in agents_for(GAME)]
