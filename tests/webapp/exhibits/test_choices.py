"""The move that an exhibit marks is the move that is played."""

from functools import cache
from random import Random

import pytest

from agents import Limit, load_agent
from agents.exhibits import Answers, Deepening, Matchbox, Numbers, Samples
from engine import load_game
from tests.agents.test_roster_laws import SHOWING
from tests.positions import reachable_states
from tests.soaking import lessened
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitContext
from webapp.exhibits.monte_carlo import samples_view

LIMIT = Limit(nodes=300, depth=3)
# Kinds with a row for every move; columns and genes depend on the position only.
BY_MOVE = (Samples, Answers, Numbers, Matchbox, Deepening)


def stand_at(game, state, choice):
    return ExhibitContext(
        game, state, None, None, lambda *_: "", lambda _: "", lambda _: "", choice=str(choice)
    )


@cache
def agent_for(spec, key):
    return load_agent(key, load_game(spec))


def shown_at(spec, key, state):
    return agent_for(spec, key).analyse(state, limit=LIMIT, rng=Random(3), show=True)


def view_of(spec, state, said):
    return exhibit_view(said.exhibit, stand_at(load_game(spec), state, said.choice))


def rows_of(view):
    """(its moves, whether it is marked) for each row, as they are written."""
    found = [getattr(view, name, ()) for name in ("rows", "rest", "colours", "pushes")]
    return [
        (
            f"{getattr(row, 'moves', '') or row.move} {getattr(row, 'others', '')}".split(),
            row.chosen,
        )
        for rows in found
        if isinstance(rows, tuple)
        for row in rows
    ]


def disagreeing(spec, key, count):
    """The states in which another row than that of the move is marked, or none, or several."""
    game = load_game(spec)
    for state in reachable_states(game, count, seed=31):
        said = shown_at(spec, key, state)
        if not isinstance(said.exhibit, BY_MOVE):
            continue
        rows = rows_of(view_of(spec, state, said))
        marked = [moves for moves, chosen in rows if chosen]
        first = marked == [rows[0][0]] or isinstance(said.exhibit, Matchbox)
        if len(marked) != 1 or str(said.choice) not in marked[0] or not first:
            yield f"{spec}: {state}"


@pytest.mark.parametrize(("spec", "key"), SHOWING)
def test_the_row_that_is_marked_is_the_move_it_plays(spec, key):
    assert list(disagreeing(spec, key, 6)) == []


@pytest.mark.soak
@pytest.mark.parametrize(("spec", "key"), SHOWING)
def test_the_row_that_is_marked_is_the_move_it_plays_in_hundreds_of_positions(spec, key):
    assert list(disagreeing(spec, key, lessened(200, 20))) == []


# --- samples


def sampled(spec, text):
    state = load_game(spec).parse_state(text)
    return state, shown_at(spec, "mcts", state)


def test_a_win_at_once_is_no_game_played_out_and_is_what_it_plays():
    state, said = sampled("tictactoe", "o.x/x.x/o.o x")
    view = view_of("tictactoe", state, said)
    assert view.sentence == "No game was played out; it plays b2. 1 move is proven to win."
    assert (view.rows[0].moves, view.rows[0].proven) == ("b2", "▲ proven")


@pytest.mark.parametrize("spec", ["tictactoe", "nim", "quixo"])
def test_what_most_games_began_with_is_said_and_what_it_plays_where_that_is_another(spec):
    def told(state):
        said = shown_at(spec, "mcts", state)
        _, samples = said.exhibit.stages[-1]
        most = max(sample.visits for sample in samples)
        (own,) = (each for each in samples if str(said.choice) in each.move.split())
        sentence = view_of(spec, state, said).sentence
        another = f"it plays {said.choice}" in sentence
        begun = [f"began with {each.move}: {most:,}" for each in samples if each.visits == most]
        return another == (not most or own.visits < most) and (
            any(words in sentence for words in begun) if most else "began" not in sentence
        )

    wrong = [str(state) for state in reachable_states(load_game(spec), 40, 5) if not told(state)]
    assert wrong == []


def test_where_no_move_is_told_none_is_marked():
    state, said = sampled("tictactoe", ".../.x./... o")
    view = samples_view(said.exhibit, stand_at(load_game("tictactoe"), state, ""))
    assert [row for row in view.rows if row.chosen] == []
    assert "plays" not in view.sentence
