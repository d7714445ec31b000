"""An arena with an agent that takes its process down: it forfeits, and the job goes on."""

import pytest

from agents.contest.arena import Terms, play_game
from tests.agents.contest.deadly import deadly_agents
from tests.webapp.jobs.working import OWNER, worked_off
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.arena import ArenaPlan, arena_job, results_of
from webapp.jobs.local_executor import LocalProcesses
from webapp.jobs.models import JobState

TERMS = Terms("tictactoe", ("random", "dies", "opportunist"), 4, 6)


@pytest.fixture
def processes(tmp_path):
    with deadly_agents(tmp_path / "deadly"):
        made = LocalProcesses(1)
        yield made
        made.close()


@pytest.mark.soak
def test_it_forfeits_its_games_and_every_other_is_what_it_would_have_been(store, processes):
    job = store.begin(arena_job(OWNER, "cup", ArenaPlan(TERMS)))
    worked_off(store, coordinator=Coordinator(store, processes), seconds=240)
    record = store.find(job.id)
    assert (record.state, record.step) == (JobState.DONE, TERMS.total)
    assert record.metrics["suspects"] == ["dies"]
    games = {game.key: game for game in store.games(job.id)}
    assert len(games) == TERMS.total
    assert {game.fault for game in games.values()} == {None, "it took its process down"}
    others = [number for number in range(1, 13) if "dies" not in TERMS.fixture(number).specs]
    assert [games[1, round_].moves.split() for round_ in range(4)] == [
        list(play_game(TERMS.fixture(number)).moves) for number in others
    ]
    results = results_of(TERMS, games.values())
    lost = [each for each in results if each.forfeited]
    assert {(each.first, each.second)[1 - each.winner] for each in lost} == {1}
