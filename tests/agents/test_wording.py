"""How figures are written in a sentence."""

import pytest

from agents.wording import counted, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.951, "+0.95"), (-0.3, "−0.30"), (0.0, "0.00"), (-0.001, "0.00"), (1234.5, "+1,234.50")],
)
def test_a_sign_is_a_real_minus_and_zero_has_none(value: float, text: str) -> None:
    assert signed(value) == text


def test_one_is_not_many() -> None:
    assert counted(1, "ply", "plies") == "1 ply"
    assert counted(1234, "ply", "plies") == "1,234 plies"
