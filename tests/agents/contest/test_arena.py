"""Series and round robins: seats, seeds, forfeits and processes."""

import logging
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from agents import roster
from agents.compute.processes import local_processes, processors
from agents.contest.arena import (
    Fixture,
    Pace,
    Played,
    _pinned_agent,
    play_game,
    schedule,
)
from agents.contest.ratings import Score
from agents.contest.series import play_all
from agents.core import Analysis, Candidate, Limit
from agents.entry import Entry, Technique
from agents.errors import BrokenAgentError
from agents.rules.baselines import UniformRandom
from engine import Ending, Match, Outcome, Seat, load_game

PLAYERS = ["random", "perfect", "perfect:skill=0.5"]


@dataclass(frozen=True)
class Crashes:
    """Plays its first move, then fails."""

    def analyse(self, state, *, limit, rng, history=()):
        if len(history) > 1:
            raise RuntimeError("no idea")
        return UniformRandom().analyse(state, limit=limit, rng=rng)


@dataclass(frozen=True)
class Cheats:
    """Always answers a1, taken or not."""

    def analyse(self, state, *, limit, rng, history=()):
        move = load_game("tictactoe").parse_move("a1")
        return Analysis((Candidate(move, 0.0, 1.0),), "a1 again.", move)


@dataclass(frozen=True)
class Remembers:
    """Plays the first legal move and notes what it was told."""

    told: list

    def analyse(self, state, *, limit, rng, history=()):
        self.told.append((limit, tuple(history), state))
        move = state.legal_moves()[0]
        return Analysis((Candidate(move, 0.0, 1.0),), "the first.", move)


@dataclass(frozen=True)
class Shuffles:
    """Pushes one cube to and fro on its own side of a Quixo board, so that states come back."""

    def analyse(self, state, *, limit, rng, history=()):
        row = 1 if state.to_move is Seat.FIRST else 5
        there_and_back = (f"a{row}-e{row}", f"e{row}-a{row}")
        push = load_game("quixo").parse_move(there_and_back[len(history) // 2 % 2])
        return Analysis((Candidate(push, 0.0, 1.0),), "to and fro.", push)


@pytest.fixture
def told():
    return []


@pytest.fixture(autouse=True)
def odd_agents(monkeypatch, told):
    """Four agents that only these tests know."""
    makers = {
        "crashes": Crashes,
        "cheats": Cheats,
        "remembers": lambda: Remembers(told),
        "shuffles": Shuffles,
    }
    entries = tuple(
        Entry(key, key, Technique.RULES, "", lambda *_, make=make: make())
        for key, make in makers.items()
    )
    monkeypatch.setattr(roster.roster, "built_in", (*roster.BUILT_IN, *entries))
    roster.roster.cache_clear()
    yield
    monkeypatch.undo()
    roster.roster.cache_clear()


@pytest.fixture(autouse=True)
def fresh_agents():
    """Agents are kept by each process; these tests share one."""
    _pinned_agent.cache_clear()
    yield
    _pinned_agent.cache_clear()


def fixture(first, second, game="tictactoe", seed=1, limit=Limit()):  # noqa: B008 - frozen
    return Fixture(game, (first, second), (0, 1), 0, seed, limit)


def replayed(played):
    """The match that the moves of a result make."""
    game = load_game(played.fixture.game)
    return Match.replay(game, [game.parse_move(move) for move in played.moves])


def by_fixture(results):
    return {(played.fixture.entrants, played.fixture.round): played for played in results}


def test_everyone_meets_everyone_as_often():
    pairs = Counter(tuple(sorted(item.entrants)) for item in schedule("nim", "abc", 6, 0))
    assert pairs == {(0, 1): 6, (0, 2): 6, (1, 2): 6}


def test_each_pair_plays_half_its_games_from_either_seat():
    seats = Counter(item.entrants for item in schedule("nim", ["random", "perfect"], 6, 0))
    assert seats == {(0, 1): 3, (1, 0): 3}


def test_of_an_odd_number_the_first_named_begins_once_more():
    seats = Counter(item.entrants for item in schedule("nim", ["random", "perfect"], 7, 0))
    assert seats == {(0, 1): 4, (1, 0): 3}


def test_a_result_holds_the_moves_of_a_legal_game():
    played = play_game(fixture("random", "random", "quixo:size=4"))
    assert replayed(played).outcome() == played.outcome


def test_a_game_follows_from_its_seed():
    assert play_game(fixture("random", "random", seed=7)) == play_game(
        fixture("random", "random", seed=7)
    )


def test_another_seed_gives_another_game():
    games = {play_game(fixture("random", "random", seed=seed)).moves for seed in range(20)}
    assert len(games) > 15


def test_every_round_is_another_game():
    games = {played.moves for played in play_all(schedule("nim", ["random", "random"], 20, 3))}
    assert len(games) == 20


def test_who_else_takes_part_changes_no_game():
    alone = by_fixture(play_all(schedule("tictactoe", PLAYERS[:2], 6, 5)))
    in_company = by_fixture(play_all(schedule("tictactoe", PLAYERS, 6, 5)))
    assert alone.items() <= in_company.items()


def test_threads_play_the_same_games():
    here = by_fixture(play_all(schedule("tictactoe", PLAYERS, 8, 5)))
    with ThreadPoolExecutor(2) as executor:
        there = by_fixture(play_all(schedule("tictactoe", PLAYERS, 8, 5), executor, 2))
    assert here == there


@pytest.mark.slow
def test_the_number_of_processes_changes_no_game():
    here = by_fixture(play_all(schedule("tictactoe", PLAYERS, 8, 5)))
    with local_processes(2) as executor:
        there = by_fixture(play_all(schedule("tictactoe", PLAYERS, 8, 5), executor, 2))
    assert here == there


def test_results_come_before_the_last_game_is_begun():
    begun = []
    fixtures = (begun.append(item) or item for item in schedule("nim", ["random"] * 2, 1_000, 1))
    with ThreadPoolExecutor(1) as executor:
        results = play_all(fixtures, executor, 1)
        assert isinstance(next(results), Played)
        results.close()
    assert len(begun) < 1_000


def test_an_agent_that_fails_forfeits(caplog):
    played = play_game(fixture("crashes", "random"))
    assert played.outcome == Outcome(Seat.SECOND, Ending.RESIGNATION)
    assert played.fault == "it failed with RuntimeError: no idea"
    assert len(played.moves) == 2


def test_an_agent_that_answers_an_illegal_move_forfeits():
    played = play_game(fixture("cheats", "random"))
    assert played.outcome == Outcome(Seat.SECOND, Ending.RESIGNATION)
    assert played.fault == "it answered a1, which cannot be played"
    assert played.loser == "cheats"


def test_a_fault_is_logged_once_however_often_it_happens(caplog):
    with caplog.at_level(logging.WARNING):
        results = list(play_all(schedule("tictactoe", ["random", "crashes"], 6, 1)))
    assert [played.loser for played in results] == ["crashes"] * 6
    assert caplog.messages == ["crashes forfeits: it failed with RuntimeError: no idea"]


def test_a_game_without_fault_has_none():
    played = play_game(fixture("random", "random"))
    assert played.fault is None


def test_a_game_says_how_often_each_seat_thought_and_how_long(told):
    (item,) = schedule("tictactoe", ["remembers", "random"], 1, 0, opening=3)
    played = play_game(item)
    thought = len(played.moves) - 3
    assert [pace.moves for pace in played.paces] == [thought // 2, thought - thought // 2]
    assert len(told) == played.paces[0].moves
    assert all(pace.seconds > 0 for pace in played.paces)


def test_a_thought_that_broke_is_not_counted():
    first, second = play_game(fixture("crashes", "random")).paces
    assert (first.moves, second.moves) == (1, 1)


def test_who_never_thought_has_no_time_per_move():
    assert Pace().per_move is None
    assert (Pace(3, 0.5) + Pace(1, 0.5)).per_move == 0.25


def test_agents_are_told_the_limit_and_what_stood_before(told):
    limit = Limit(nodes=12)
    played = play_game(fixture("remembers", "remembers", limit=limit))
    states = replayed(played).states
    assert told == [(limit, states[:ply], states[ply]) for ply in range(len(played.moves))]


def test_repetition_draws_a_quixo_game():
    played = play_game(fixture("shuffles", "shuffles", "quixo"))
    assert played.outcome == Outcome(None, Ending.REPETITION)


def test_a_result_is_scored_for_either_player():
    item = Fixture("tictactoe", ("random", "perfect"), (4, 2), 0, 0)
    played = Played(item, Outcome(Seat.FIRST, Ending.LINE), ())
    assert played.score(4) == Score(wins=1)
    assert played.score(2) == Score(losses=1)
    assert played.loser == "perfect"


def test_nobody_lost_a_drawn_game():
    item = Fixture("tictactoe", ("random", "perfect"), (0, 1), 0, 0)
    assert Played(item, Outcome(None, Ending.BOARD_FULL), ()).loser is None


def test_a_worker_that_dies_is_reported():
    with local_processes(1) as executor, pytest.raises(BrokenAgentError, match="process died"):
        list(play_all([fixture("random", "random", game="nim")], _Deadly(executor), 1))


def test_there_is_at_least_one_processor():
    assert processors() >= 1


@dataclass(frozen=True)
class _Deadly:
    """An executor whose every task ends the worker's process."""

    executor: object

    def submit(self, *_):
        return self.executor.submit(os._exit, 1)


def test_both_seats_of_an_opening_are_played():
    fixtures = list(schedule("quixo", ["random", "opportunist"], 6, 0, opening=4))
    opened = [item.opened().moves for item in fixtures]
    assert opened[0::2] == opened[1::2]
    assert len(set(opened)) == 3
    assert [len(moves) for moves in opened] == [4] * 6


def test_a_game_begins_with_its_opening():
    (item,) = schedule("quixo:size=3", ["random", "random"], 1, 0, opening=3)
    assert play_game(item).moves[:3] == tuple(map(str, item.opened().moves))
