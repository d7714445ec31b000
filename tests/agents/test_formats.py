"""How figures are written in a sentence."""

import pytest

from agents.formats import counted, decimal, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.951, "+0.95"), (-0.3, "−0.30"), (0.0, "0.00"), (-0.001, "0.00"), (1234.5, "+1,234.50")],
)
def test_a_sign_is_a_real_minus_and_zero_has_none(value: float, text: str) -> None:
    assert signed(value) == text


def test_what_rounds_to_zero_has_no_sign_however_few_the_places() -> None:
    assert [decimal(value, 1) for value in (-0.04, 0.04)] == ["0.0", "0.0"]
    assert decimal(-0.06, 1) == "−0.1"


def test_one_is_not_many() -> None:
    assert counted(1, "ply", "plies") == "1 ply"
    assert counted(1234, "ply", "plies") == "1,234 plies"
