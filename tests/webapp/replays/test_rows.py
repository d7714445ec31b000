"""The panel of every agent in every game is consistent with its analysis and move."""

import re
from functools import cache
from random import Random
from types import SimpleNamespace

import pytest

from agents import Limit, Measure, load_agent
from agents.core import Analysis, Candidate
from engine import Match, Seat, load_game
from tests.agents.test_roster_laws import NAMED, PAIRS, games_of
from tests.positions import reachable_states
from webapp.analysis.summary import VALUE_MEASURES, candidate_rows, column_headings, verdict_text

pytestmark = pytest.mark.slow  # every agent is made, and asked in every game

STATES = 200
PLAYERS = [SimpleNamespace(title=f"Player {seat.mark}", is_you=False) for seat in Seat]


@cache
def said(key):
    """(state, analysis) of states of every game the agent plays."""
    found = []
    for spec in games_of(key, PAIRS):
        game = load_game(spec)
        agent = load_agent(key, game)
        for state in (game.start, *reachable_states(game, STATES - 1, seed=7)):
            limit = Limit(nodes=200, depth=2)
            found.append((state, agent.analyse(state, limit=limit, rng=Random(3))))
    return found


def first_row_is_the_move_it_plays(state, analysis):
    first = candidate_rows(analysis, state)[0]
    return first.move == str(analysis.choice) and first.chosen


def every_move_it_speaks_of_stands_in_one_row(state, analysis):
    rows = candidate_rows(analysis, state)
    told = [move for row in rows for move in (row.move, *row.others)]
    return sorted(told) == sorted(str(candidate.move) for candidate in analysis.candidates)


def moves_to_the_same_board_are_never_told_apart(state, analysis):
    """If the technique rates them equal."""
    by_board = {}
    for candidate in analysis.candidates:
        figures = (candidate.value, candidate.share, candidate.chance, candidate.plies)
        by_board.setdefault((state.play(candidate.move), figures), set()).add(str(candidate.move))
    rows = [{row.move, *row.others} for row in candidate_rows(analysis, state)]
    return all(any(same <= row for row in rows) for same in by_board.values())


def nobody_is_said_to_be_ahead_but_by_a_value(state, analysis):
    verdict = verdict_text(analysis, state.to_move, PLAYERS)
    best = analysis.candidates[0]
    if "ahead" in verdict:
        figure = float(re.search(r"\((\d\.\d\d)\)", verdict)[1])
        return analysis.measure in VALUE_MEASURES and figure == round(abs(best.value), 2)
    return best.proven if "with best play" in verdict else True


def what_it_is_said_to_play_is_what_it_plays(state, analysis):
    verdict = verdict_text(analysis, state.to_move, PLAYERS)
    chance = analysis.chosen.chance
    if match := re.fullmatch(r"It always plays (\S+) here\.", verdict):
        return match[1] == str(analysis.choice) and chance == pytest.approx(1)
    if match := re.fullmatch(r"It plays (\S+) here (\d+)% of the time\.", verdict):
        return (match[1], match[2]) == (str(analysis.choice), f"{100 * chance:.0f}")
    return True


def how_often_a_move_is_played_stands_beside_it_or_is_its_bar(state, analysis):
    drawn = any(0 < candidate.chance < 1 for candidate in analysis.candidates)
    by_chance = analysis.measure is Measure.CHANCE
    return bool(column_headings(analysis).chance) == (drawn and not by_chance)


LAWS = (
    first_row_is_the_move_it_plays,
    every_move_it_speaks_of_stands_in_one_row,
    moves_to_the_same_board_are_never_told_apart,
    nobody_is_said_to_be_ahead_but_by_a_value,
    what_it_is_said_to_play_is_what_it_plays,
    how_often_a_move_is_played_stands_beside_it_or_is_its_bar,
)


@NAMED
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_panel_keeps_to_the_analysis(key, law):
    assert [str(each) for each in said(key) if not law(*each)] == []


@pytest.mark.parametrize(
    ("spec", "agent", "moves", "sentence"),
    [
        ("tictactoe", "menace", "a1 b2", r"(\S+) of them for"),
        ("tictactoe", "reward-table", "b2 a1", r"has earned (\S+) in"),
        ("nim", "ea-table", "e3 a1", r"was paid (\d+)"),
        ("nim", "es-move", "e3 a1", r"fitness (\d+)"),
    ],
)
def test_beads_pay_and_fitness_stand_in_the_row_as_the_sentence_says_them(
    spec, agent, moves, sentence
):
    game = load_game(spec)
    state = Match.replay(game, map(game.parse_move, moves.split())).state
    analysis = load_agent(agent, game).analyse(state, rng=Random(1))
    first = candidate_rows(analysis, state)[0]
    assert first.value == re.search(sentence, analysis.reason)[1]


def test_who_is_ahead_is_not_said_to_win_just_half_of_the_games():
    close = Analysis((Candidate("m", 0.09, 1.0, share=1.0),), "", "m", measure=Measure.VISITS)
    assert verdict_text(close, Seat.FIRST, PLAYERS) == (
        "Player x is ahead (0.09). Player x wins a little more than half of the time from here in "
        "its playouts, a draw counting half."
    )


def test_forty_four_moves_that_look_equal_are_one_row():
    game = load_game("quixo")
    analysis = load_agent("minimax:depth=2", game).analyse(game.start, rng=Random(1))
    (row,) = candidate_rows(analysis, game.start)
    assert row.note == "and 43 more moves that it rates the same"
    assert (row.move, len(row.others)) == (str(analysis.choice), 43)


def test_moves_to_the_same_board_say_so():
    game = load_game("quixo")
    same = [game.parse_move(text) for text in ("b1-e1", "c1-e1", "d1-e1")]
    assert len({game.start.play(move) for move in same}) == 1
    moves = tuple(Candidate(move, 0.3, 1 / 3) for move in same)
    (row,) = candidate_rows(Analysis(moves, "Either.", same[1]), game.start)
    assert (row.move, row.others) == ("c1-e1", ("b1-e1", "d1-e1"))
    assert row.note == "and 2 more moves to the same board"


def test_who_wins_at_once_is_said_to_though_it_has_no_values():
    won = Candidate("b2", 1.0, 1.0, proven=True, plies=1)
    analysis = Analysis((won, Candidate("a1")), "It wins.", "b2", measure=Measure.CHANCE)
    assert verdict_text(analysis, Seat.SECOND, PLAYERS) == "Player o wins in 1 with best play."


def test_a_best_move_nobody_knows_the_worth_of_makes_no_even_game():
    moves = (Candidate("a1", None, 1.0, share=0.0), Candidate("b2", -0.4, 0.0, share=1.0))
    verdict = verdict_text(Analysis(moves, "Untried.", "a1"), Seat.FIRST, PLAYERS)
    assert verdict == "It always plays a1 here."
