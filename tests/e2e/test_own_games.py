"""One's own games: found from the lobby, seen on every screen, taken to another browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import violations_of_both_lamps
from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor

SIZES = [(1280, 860), (320, 640)]


def listed(visitor: Visitor) -> list[str]:
    """Each row in words, however it is laid out."""
    return sorted(
        " ".join(row.split()) for row in visitor.page.locator("tbody tr").all_inner_texts()
    )


@pytest.mark.soak
def test_ones_games_on_every_screen_and_in_another_browser(visit: Visit, tmp_path: Path) -> None:
    owner = visit(reduced_motion="reduce", viewport={"width": 1280, "height": 860})
    owner.page.goto("/matches")
    expect(owner.page.get_by_text("None here yet")).to_be_visible()
    found = {f"{lamp}, none": said for lamp, said in violations_of_both_lamps(owner.page).items()}
    owner.opens("tictactoe", ["person", "random"], "b2 a1 a2 a3 c2")
    owner.opens("tictactoe", ["person", "perfect"], "a1 b2 a2 b1 c3 b3")
    owner.page.goto("/")
    owner.page.get_by_role("link", name="Your games").click()  # though all of them are over
    expect(owner.page.locator("tbody tr")).to_have_count(2)
    owner.opens("quixo", ["person", "person"], "a1-a5 e3-a3")
    owner.begins("Nim", against="Perfect")
    owner.page.goto("/matches")
    rows = listed(owner)
    assert len(rows) == 4
    assert [sum(word in row for row in rows) for word in ("won", "lost", "goes on")] == [1, 1, 2]
    expect(owner.page.locator(".against")).to_contain_text("1 of 1 against Random; next: ")
    found |= violations_of_both_lamps(owner.page)
    found["too small, or beyond the screen"] = owner.misfits(SIZES)
    with owner.page.expect_download() as saving:
        owner.page.get_by_role("link", name="Save all 4 as a file").click()
    harder = owner.page.locator(".against").get_by_role("link").first
    name = harder.inner_text()
    harder.click()
    card = owner.card("Tic-tac-toe")
    expect(card.get_by_label("Opponent", exact=True).locator("option:checked")).to_have_text(name)
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)

    other = visit(java_script_enabled=False)
    other.page.goto("/matches")
    found["none, beyond the screen"] = other.misfits(SIZES)
    other.page.get_by_role("link", name="Open a file").click()
    found["a file"] = other.misfits(SIZES)
    other.page.get_by_label("Or a file").set_input_files(file)
    other.page.get_by_role("button", name="Open").click()
    other.page.wait_for_url("**/matches")
    assert listed(other) == rows
    other.page.get_by_role("link", name="Review").first.click()
    other.page.wait_for_url("**/matches/*?*story=1*")
    assert found == {where: [] for where in found}
