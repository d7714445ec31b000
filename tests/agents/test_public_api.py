"""What the package `agents` has to offer, and that looking at it costs little."""

import subprocess
import sys

import pytest

import agents
from agents.contest.arena import play_game
from agents.runs import prepare_run, run_training
from agents.training.brain_files import find
from engine import Seat, load_game
from engine.errors import InvalidSpecError

TICTACTOE = load_game("tictactoe")


def test_what_is_listed_is_there_and_what_is_not_is_said_to_be_missing():
    assert set(agents.LAZY) <= set(agents.__all__) <= set(dir(agents))
    assert [getattr(agents, name).__name__ for name in agents.__all__] == list(agents.__all__)
    with pytest.raises(AttributeError, match="'agents' has no attribute 'load_agents'"):
        agents.load_agents  # noqa: B018 - looking is the point


@pytest.mark.slow
@pytest.mark.parametrize("command", ["import agents; dir(agents)", "import webapp.cli"])
def test_numba_is_not_imported_before_it_is_used(command):
    seen = f"{command}; import sys; print({{'numpy', 'numba', 'flask'}} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_match_is_counted_by_the_seat_of_the_first_named_and_seen_as_it_comes():
    seen = []
    watched = lambda results: (seen.append(played) or played for played in results)
    series = agents.play_match(TICTACTOE, "perfect", "random", games=7, seed=2, watched=watched)
    assert series.players == ("perfect", "random")
    assert (series.first.games, series.second.games) == (4, 3)
    assert series.first.losses == series.second.losses == series.forfeits == 0
    assert series.plies == sum(len(played.moves) for played in series.played)
    assert tuple(seen) == series.played
    assert [played.seat(0) for played in seen] == [Seat.FIRST, Seat.SECOND] * 3 + [Seat.FIRST]


def test_a_match_is_the_same_again_and_is_told_in_one_line():
    series = agents.play_match(TICTACTOE, "random", "random:skill=0.5", games=4)
    assert agents.play_match(TICTACTOE, "random", "random:skill=0.5", games=4) == series
    assert str(series).startswith("random against random:skill=0.5 on tictactoe: ")
    assert play_game(series.played[0].fixture) == series.played[0]


@pytest.mark.slow
def test_an_arena_is_the_same_with_any_number_of_workers():
    field = ["random", "perfect", "opportunist"]
    alone = agents.play_arena(TICTACTOE, field, games=4)
    assert agents.play_arena(TICTACTOE, field, games=4, workers=2) == alone
    assert alone.standings[0].spec == "perfect"
    assert sum(standing.score.games for standing in alone.standings) == 2 * 3 * 4


@pytest.mark.parametrize("field", [["random"], ["random", "perfect", "random:skill=1"]])
def test_an_arena_has_two_agents_or_more_and_each_once(field):
    with pytest.raises(InvalidSpecError, match=r"2 to 32 agents|named twice"):
        agents.play_arena(TICTACTOE, field)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))


@pytest.mark.slow
def test_what_is_trained_is_kept_and_can_be_played(data):
    trained = agents.train(TICTACTOE, "menace", games=20, seed=3, name="mine")
    assert find("mine").digest == trained.brain.digest
    assert trained.brain.steps == 20
    agent = agents.load_agent(trained.spec, TICTACTOE)
    assert agent.analyse(TICTACTOE.start).choice in TICTACTOE.all_moves


def interrupted(checkpoints, after):
    """Ctrl-C once so many checkpoints have come."""
    for _ in range(after):
        yield next(checkpoints)
    raise KeyboardInterrupt


@pytest.mark.slow
def test_a_training_that_is_stopped_keeps_what_there_is_and_nothing_where_there_is_nothing(data):
    run = prepare_run(TICTACTOE, "menace", games=50_000, name="short")
    with pytest.raises(KeyboardInterrupt):
        run_training(run, lambda checkpoints: interrupted(checkpoints, 0))
    assert not run.path.exists()
    trained = run_training(run, lambda checkpoints: interrupted(checkpoints, 2))
    assert trained.stopped
    assert find("short").steps == trained.brain.steps < 50_000


def test_a_solved_game_is_told_in_one_line():
    assert str(agents.solve(load_game("nim:heaps=2"))) == (
        "nim:heaps=2: win in 2 for the player who moves first; of 4 states 3 won, 0 drawn, 1 lost"
    )
