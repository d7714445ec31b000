"""Series and round robins: seats, seeds, forfeits and processes."""

import logging
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations, permutations

import pytest

from agents import roster
from agents.compute.processes import local_processes
from agents.contest import guarded
from agents.contest.arena import (
    Fixture,
    Pace,
    Played,
    Terms,
    _pinned_agent,
    play_game,
)
from agents.contest.ratings import Score
from agents.contest.series import play_all
from agents.core import Analysis, Candidate, Limit
from agents.entry import Entry, Technique
from agents.errors import BrokenAgentError
from engine import Ending, Match, Outcome, Seat, load_game

PLAYERS = ("random", "perfect", "perfect:skill=0.5")


def plays(choose):
    """An agent that plays what this chooses by state and history."""

    class Player:
        def analyse(self, state, *, limit, rng, history=()):
            move = choose(state, history, limit)
            return Analysis((Candidate(move, 0.0, 1.0),), "so it chose.", move)

    return Player()


def crashes(state, history, limit):
    """After its first move."""
    if len(history) > 1:
        raise RuntimeError("no idea")
    return state.legal_moves()[0]


def shuffles(state, history, limit):
    """Pushes one cube to and fro on its own side of a Quixo board, so that states come back."""
    row = 1 if state.to_move is Seat.FIRST else 5
    there_and_back = (f"a{row}-e{row}", f"e{row}-a{row}")
    return load_game("quixo").parse_move(there_and_back[len(history) // 2 % 2])


@pytest.fixture
def asked():
    return []


@pytest.fixture(autouse=True)
def odd_agents(monkeypatch, asked):
    """Four agents that only these tests know."""

    def remembers(state, history, limit):
        asked.append((limit, tuple(history), state))
        return state.legal_moves()[0]

    def cheats(state, history, limit):
        return load_game("tictactoe").parse_move("a1")  # taken or not

    entries = tuple(
        Entry(chooses.__name__, "", Technique.RULES, "", lambda *_, chooses=chooses: plays(chooses))
        for chooses in (crashes, cheats, remembers, shuffles)
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


def fixtures(*terms, **more):
    return Terms(*terms, **more).fixtures()


def replayed(played):
    """The match that the moves of a result make."""
    game = load_game(played.fixture.game)
    return Match.replay(game, [game.parse_move(move) for move in played.moves])


def by_fixture(results):
    return {(played.fixture.entrants, played.fixture.round): played for played in results}


@pytest.mark.parametrize(
    ("players", "games", "seats"),
    [
        ("ab", 6, {(0, 1): 3, (1, 0): 3}),
        ("ab", 7, {(0, 1): 4, (1, 0): 3}),
        ("abc", 2, dict.fromkeys(permutations(range(3), 2), 1)),
    ],
)
def test_everyone_meets_everyone_as_often_from_either_seat_or_begins_once_more(
    players, games, seats
):
    assert Counter(item.entrants for item in fixtures("nim", players, games)) == seats


def test_a_result_holds_the_moves_of_a_legal_game_that_follows_from_its_seed():
    played = play_game(fixture("random", "random", "quixo:size=4"))
    assert replayed(played).outcome() == played.outcome
    assert played.fault is None
    assert play_game(played.fixture) == played


def test_another_seed_and_another_round_give_another_game():
    games = {play_game(fixture("random", "random", seed=seed)).moves for seed in range(20)}
    assert len(games) > 15
    rounds = {played.moves for played in play_all(fixtures("nim", ("random",) * 2, 20, 3))}
    assert len(rounds) == 20


def test_who_else_takes_part_changes_no_game():
    alone = by_fixture(play_all(fixtures("tictactoe", PLAYERS[:2], 6, 5)))
    in_company = by_fixture(play_all(fixtures("tictactoe", PLAYERS, 6, 5)))
    assert alone.items() <= in_company.items()


@pytest.mark.parametrize(
    "workers", [ThreadPoolExecutor, pytest.param(local_processes, marks=pytest.mark.slow)]
)
def test_neither_threads_nor_processes_change_a_game(workers):
    here = by_fixture(play_all(fixtures("tictactoe", PLAYERS, 8, 5)))
    with workers(2) as executor:
        there = by_fixture(play_all(fixtures("tictactoe", PLAYERS, 8, 5), executor, 2))
    assert here == there


def test_results_come_before_the_last_game_is_begun():
    begun = []
    games = fixtures("nim", ("random",) * 2, 1_000, 1)
    watched = (begun.append(item) or item for item in games)
    with ThreadPoolExecutor(1) as executor:
        results = play_all(watched, executor, 1)
        assert isinstance(next(results), Played)
        results.close()
    assert len(begun) < 1_000


@pytest.mark.parametrize(
    ("agent", "fault", "moves"),
    [
        ("crashes", "it failed with RuntimeError: no idea (test_arena.py, line 47)", 2),
        ("cheats", "it answered a1, which cannot be played", None),
    ],
)
def test_an_agent_that_fails_or_answers_an_illegal_move_forfeits(agent, fault, moves):
    played = play_game(fixture(agent, "random"))
    assert played.outcome == Outcome(Seat.SECOND, Ending.RESIGNATION)
    assert (played.fault, played.loser) == (fault, agent)
    assert len(played.moves) == (moves or len(played.moves))
    assert played.paces[0].moves == played.paces[1].moves  # a thought that broke is not counted


def test_a_fault_is_logged_once_however_often_it_happens(caplog, monkeypatch):
    monkeypatch.setattr(guarded, "is_trusted", lambda spec: True)  # known to this process only
    with caplog.at_level(logging.WARNING):
        results = list(play_all(fixtures("tictactoe", ("random", "crashes"), 6, 1)))
    assert [played.loser for played in results] == ["crashes"] * 6
    assert caplog.messages == [
        "crashes forfeits: it failed with RuntimeError: no idea (test_arena.py, line 47)"
    ]


def test_a_game_says_how_often_each_seat_thought_and_how_long(asked):
    (item,) = fixtures("tictactoe", ("remembers", "random"), 1, opening=3)
    played = play_game(item)
    thought = len(played.moves) - 3
    assert [pace.moves for pace in played.paces] == [thought // 2, thought - thought // 2]
    assert len(asked) == played.paces[0].moves
    assert all(pace.seconds > 0 for pace in played.paces)


def test_who_never_thought_has_no_time_per_move():
    assert Pace().per_move is None
    assert (Pace(3, 0.5) + Pace(1, 0.5)).per_move == 0.25


def test_agents_are_told_the_limit_and_what_stood_before(asked):
    limit = Limit(nodes=12)
    played = play_game(fixture("remembers", "remembers", limit=limit))
    states = replayed(played).states
    assert asked == [(limit, states[:ply], states[ply]) for ply in range(len(played.moves))]


def test_repetition_draws_a_quixo_game():
    played = play_game(fixture("shuffles", "shuffles", "quixo"))
    assert played.outcome == Outcome(None, Ending.REPETITION)


def test_a_result_is_scored_for_either_player():
    item = Fixture("tictactoe", ("random", "perfect"), (4, 2), 0, 0)
    played = Played(item, Outcome(Seat.FIRST, Ending.LINE), ())
    assert played.score(4) == Score(wins=1)
    assert played.score(2) == Score(losses=1)
    assert played.loser == "perfect"
    assert Played(item, Outcome(None, Ending.BOARD_FULL), ()).loser is None


def test_a_worker_that_dies_is_reported():
    with local_processes(1) as executor, pytest.raises(BrokenAgentError, match="process died"):
        list(play_all([fixture("random", "random", game="nim")], _Deadly(executor), 1))


@dataclass(frozen=True)
class _Deadly:
    """An executor whose every task ends the worker's process."""

    executor: object

    def submit(self, *_):
        return self.executor.submit(os._exit, 1)


def test_both_seats_of_an_opening_are_played():
    items = list(fixtures("quixo", ("random", "opportunist"), 6, opening=4))
    opened = [item.opened().moves for item in items]
    assert opened[0::2] == opened[1::2]
    assert len(set(opened)) == 3
    assert [len(moves) for moves in opened] == [4] * 6
    assert play_game(items[0]).moves[:4] == tuple(map(str, opened[0]))


TERMS = Terms("nim", ("random", "perfect", "nim-sum", "opportunist"), 5, 7, Limit(nodes=9), 2)


def test_every_pair_plays_once_before_any_plays_again_and_each_game_has_its_number():
    games = list(TERMS.fixtures())
    pairs = list(combinations(range(4), 2))
    seats = [pair[::-1] if round_ % 2 else pair for round_ in range(5) for pair in pairs]
    assert [game.entrants for game in games] == seats
    assert [game.specs for game in games] == [
        (TERMS.players[first], TERMS.players[second]) for first, second in seats
    ]
    assert {(game.seed, game.limit, game.opening) for game in games} == {(7, Limit(nodes=9), 2)}
    assert (TERMS.pairs, TERMS.total) == (6, 30)
    assert [TERMS.number(*game.entrants, game.round) for game in games] == list(range(1, 31))
    assert [TERMS.fixture(number) for number in range(1, 31)] == games


@pytest.mark.parametrize("number", [-1, 0, 31])
def test_there_is_no_game_beyond_the_last(number):
    with pytest.raises(IndexError):
        TERMS.fixture(number)


def test_a_clock_makes_games_that_do_not_repeat():
    assert TERMS.repeats
    assert not Terms("nim", ("random", "perfect"), 1, limit=Limit(seconds=1)).repeats
