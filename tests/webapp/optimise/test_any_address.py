"""Any query is answered by a page, and never by a 5xx."""

from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webapp.optimise.query import DEFAULT_BOX, DEFAULT_COVER

NAMES = {
    "set-cover": ("problem", "taken", "compare", "walk", "step", "text", "sets", "density", "run"),
    "black-box": (
        *("problem", "asked", "search", "genome", "groups", "seed", "sealed", "calls", "seeds"),
        *("lane", "at", "axis", "show", "open", "run"),
    ),
}
VALUES = st.one_of(
    st.sampled_from(
        [
            *("", "0", "-1", "1", "5.12.20", "99999999999999999999", "🙂", "\x00", "1 2\n3"),
            *("greedy", "astar:estimate=average", "probe", "ones", "r7", "r", "0" * 250, "1e9"),
            *("set-cover:things=9,sets=12", "black-box:groups=64", "own-cover", "black-box:seed=1"),
        ]
    ),
    st.text(max_size=30),
)


@pytest.mark.slow
@pytest.mark.parametrize("page", NAMES)
def test_any_address_gets_a_page(visitor, page):
    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    @given(st.dictionaries(st.sampled_from(NAMES[page]), VALUES, max_size=4))
    def asks(args):
        answer = visitor.client.get(f"/optimise/{page}?{urlencode(args)}")
        assert answer.status_code in (200, 404, 422), args

    asks()


# By page: its name in the template, its bounds, and the problem it shows instead.
WRONG = {
    "black-box": ("box", "at most 200,000 calls", DEFAULT_BOX.problem),
    "set-cover": ("cover", "at most 200 things and 1,000 sets", DEFAULT_COVER),
}


@pytest.mark.parametrize(
    ("page", "query", "why"),
    [
        ("black-box", "groups=65", "groups must be a whole number from 1 to 64"),
        ("black-box", "calls=200001", "“calls” must be a whole number from 1 to 200,000"),
        ("black-box", "seeds=21", "“seeds” must be a whole number from 1 to 20"),
        ("black-box", "genome=abc", "a genome is one of ones, zeros"),
        ("black-box", f"genome={'f' * 251}", "a genome is 250 hex digits"),
        ("black-box", "search=dijkstra", "unknown search"),
        ("black-box", "search=astar", "astar is for a cover"),
        ("black-box", "problem=set-cover", "is no box"),
        ("black-box", "sealed=perhaps", "sealed must be yes or no"),
        ("set-cover", "sets=1000000", "sets must be a whole number from 1 to 1,000"),
        ("set-cover", "things=201&sets=3", "things must be a whole number from 1 to 200"),
        ("set-cover", "density=-0.1", "density must be a number from 0.001 to 1"),
        ("set-cover", "text=1+2%0A4", "thing 3 is in none of the sets"),
        ("set-cover", "text=1+apple", "a thing is a number from 1 to 200, not"),
        ("set-cover", f"text={'1+' * 4000}", "at most 4,900 characters"),
        ("set-cover", "taken=99", "there is no set"),
        ("set-cover", "compare=dijkstra", "unknown search"),
        ("set-cover", "compare=probe", "probe is for a box"),
        ("set-cover", "problem=black-box", "is no set cover"),
        ("set-cover", "problem=nothing", "unknown problem"),
        ("set-cover", "walk=astar:estimate=hope", "estimate must be one of"),
    ],
)
def test_what_is_wrong_gets_a_page_that_says_what_would_be_right(visitor, page, query, why):
    answer = visitor.get(f"/optimise/{page}?{query}")
    name, bounds, usual = WRONG[page]
    assert answer.status_code == 422
    assert why.lower() in visitor.seen[name].message.text.lower()
    assert bounds in answer.text.lower()
    assert visitor.seen[name].query.problem == usual
