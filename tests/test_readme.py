"""The sessions in the README and on the API page, run."""

import doctest
from pathlib import Path

import pytest

import agents

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", ["README.md", "docs/api.md"])
@pytest.mark.usefixtures("own_data")
def test_a_session_prints_what_it_says(page) -> None:
    result = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", agents.LAZY)
def test_a_public_function_has_an_example_on_the_api_page(name) -> None:
    sessions = doctest.DocTestParser().get_examples((ROOT / "docs" / "api.md").read_text())
    assert any(f"{name}(" in example.source for example in sessions)
