"""Any query is answered by a page, and never by a 5xx."""

from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
