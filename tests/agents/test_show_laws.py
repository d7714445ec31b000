"""Laws of what agents show: it changes nothing they say, and it is small."""

import pickle
from dataclasses import replace
from random import Random

import pytest

from agents import Limit
from agents.exhibits import KINDS
from agents.roster import find_agent
from tests.agents.test_roster_laws import PAIRS, agent_for, every, games_of, states_of
from webapp.workers.requests import MAX_EXHIBIT_BYTES, checked

SHOWING = [(spec, key) for spec, key in PAIRS if find_agent(key).shows]
LIMIT = Limit(nodes=300, depth=3)


def shown(key):
    """(spec, state, said without showing, said with it), in every game it plays."""
    for spec in games_of(key, SHOWING):
        for state in states_of(spec):
            agent = agent_for(spec, key)
            plain, open_ = (
                agent.analyse(state, limit=LIMIT, rng=Random(2), show=show)
                for show in (False, True)
            )
            yield spec, state, plain, open_


@pytest.mark.slow
@every(SHOWING)
def test_showing_changes_neither_candidates_nor_choice(key):
    changed = [
        (spec, str(state))
        for spec, state, plain, open_ in shown(key)
        if replace(open_, exhibit=None) != plain
    ]
    assert changed == []


@pytest.mark.slow
@every(SHOWING)
def test_whoever_shows_always_shows_something_that_a_page_can_draw(key):
    exhibits = [(spec, str(state), open_.exhibit) for spec, state, _, open_ in shown(key)]
    assert [each for each in exhibits if not isinstance(each[2], KINDS)] == []
    sizes = {(spec, state): len(pickle.dumps(exhibit)) for spec, state, exhibit in exhibits}
    assert {where: size for where, size in sizes.items() if size > MAX_EXHIBIT_BYTES} == {}


@pytest.mark.parametrize("exhibit", ["a text", b"x" * 10])
def test_what_no_page_can_draw_is_left_out_in_the_worker(exhibit):
    said = agent_for("tictactoe", "random").analyse(states_of("tictactoe")[0])
    assert checked(replace(said, exhibit=exhibit)).exhibit is None
