"""Agents that never answer or take their process down: they forfeit, and the others play on."""

import pytest

from agents import play_arena
from agents.compute.child_process import Worker
from agents.contest.arena import Fixture, Terms, play_game
from agents.contest.guarded import GuardTimeouts, guarded, play_guarded
from agents.contest.results import Result
from agents.contest.series import play_apart
from agents.contest.standings import standings_of
from engine import Ending, Outcome, Seat, load_game
from tests.agents.contest.deadly import deadly_agents

# How long the guard waits for who hangs; whoever does not hang has an age.
IMPATIENT = GuardTimeouts(first_move=60.0, move=2.0, game=1.0)


@pytest.fixture(autouse=True)
def agents(tmp_path):
    with deadly_agents(tmp_path / "deadly"):
        yield


def fixture(first, second, round_=0):
    return Fixture("tictactoe", (first, second), (0, 1), round_, 7)


def test_an_agent_that_cannot_be_made_forfeits_when_it_is_first_asked():
    played = play_game(fixture("random", "unmade"))
    assert played.outcome == Outcome(Seat.FIRST, Ending.RESIGNATION)
    assert played.fault == "it cannot be made: ZeroDivisionError: never (deadly_agents.py, line 35)"
    assert 'raise ZeroDivisionError("never")' in played.traceback
    assert len(played.moves) == 1


@pytest.mark.slow
def test_a_guarded_game_is_the_game_it_would_have_been():
    games = [fixture("random", "opportunist", round_) for round_ in range(4)]
    assert list(guarded(games)) == [play_game(game) for game in games]


@pytest.mark.soak
def test_under_guard_who_hangs_or_dies_forfeits_and_the_next_game_goes_on():
    games = [fixture("hangs", "random"), fixture("random", "dies"), fixture("random", "random")]
    hung, died, well = guarded(games, IMPATIENT)
    assert (hung.outcome, hung.loser) == (Outcome(Seat.SECOND, Ending.RESIGNATION), "hangs")
    assert hung.fault == "it did not answer within 2 s"
    assert len(hung.moves) == 4
    assert [pace.moves for pace in hung.paces] == [2, 2]
    assert (died.loser, died.fault, len(died.moves)) == ("dies", "it took its process down", 5)
    assert well == play_game(games[2])


@pytest.mark.slow
def test_a_process_that_someone_else_kills_costs_nobody_a_game(monkeypatch):
    game, deaths = fixture("random", "opportunist"), [0]
    send = Worker.send

    def killed_after(worker, fixture):
        send(worker, fixture)
        deaths[0] += 1
        if deaths[0] < 3:
            worker.kill()

    monkeypatch.setattr(Worker, "send", killed_after)
    assert list(guarded([game])) == [play_game(game)]
    assert deaths == [3]


@pytest.mark.slow
def test_as_a_task_it_plays_one_game_at_least():
    games = [fixture("random", "random", round_) for round_ in range(3)]
    assert play_guarded(games, 0.0) == [play_game(games[0])]


@pytest.mark.soak
def test_in_processes_who_hangs_or_dies_forfeits_and_no_other_game_changes():
    terms = Terms("tictactoe", ("random", "hangs", "opportunist", "dies"), 1, 4)
    table = standings_of(terms, map(Result.of, play_apart(terms.fixtures(), 2, IMPATIENT)))
    alone = play_arena(load_game("tictactoe"), ("random", "opportunist"), games=1, seed=4)
    assert table.played == terms.total
    assert (
        table.meetings[1][2].oddities.forfeits == 1
    )  # moving first, it comes to its third thought
    assert table.meetings[1][3].score.losses == 1
    assert table.meetings[0][2].score == alone.meetings[0][1].score
    assert table.oddities.forfeits >= 2
