"""What templates have in common stands in one of them."""

from __future__ import annotations

import re

from webapp.web import assets

TEMPLATES = sorted(assets.folder("templates").glob("**/*.html"))


def with_text(text: str) -> list[str]:
    """The templates that hold it, by their names."""
    home = assets.folder("templates")
    found = [path for path in TEMPLATES if text in path.read_text("utf-8")]
    return [path.relative_to(home).as_posix() for path in found]


def test_first_previous_next_and_last_are_one_macro() -> None:
    assert with_text('id="walk"') == ["web/forms.html"]
    assert with_text('id="speed"') == ["web/forms.html"]


BOARDS = {"squares", "heaps"}  # tables too, but what is played on


def test_every_table_but_a_board_is_drawn_by_the_same_rules() -> None:
    found = [
        (path.name, classes.split())
        for path in TEMPLATES
        for classes in re.findall(r'<table(?: class="([^"]*)")?', path.read_text("utf-8"))
    ]
    assert len(found) > 20
    assert [table for table in found if not {"data", *BOARDS} & set(table[1])] == []
