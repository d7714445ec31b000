"""Matches opened by someone else, brought from elsewhere, kept and taken to another browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import faults
from tests.e2e.conftest import Visit
from tests.e2e.visitor import SIZES, Visitor


def test_a_shared_link_is_read_only_and_can_be_played_on(visit: Visit) -> None:
    owner, guest = visit(), visit()
    owner.begins("Tic-tac-toe", against="Random").plays("b2").sees("Your move")
    owner.page.get_by_text("Share", exact=True).click()
    link = owner.page.get_by_label(re.compile("^Anyone with this link sees")).input_value()
    for kind, file in {"JSON": ".json", "Transcript": ".txt"}.items():
        leads_to = owner.page.get_by_role("link", name=kind).get_attribute("href") or ""
        assert file in leads_to
    guest.page.goto(link)
    guest.sees("to move")
    reply = owner.match.moves[1]
    expect(guest.cell(str(reply))).to_have_accessible_name(f"{reply}, o, last move")
    expect(guest.grid.locator("button:not([aria-disabled])")).to_have_count(0)
    expect(guest.button("Take back")).to_have_count(0)
    guest.button("Play on from here").click()
    guest.page.wait_for_url(lambda address: address != link)
    guest.sees(re.compile("Your move|thinking"))
    assert guest.match.moves[:2] == owner.match.moves
    assert owner.match.ply == 2


def test_a_match_goes_onto_paper(visit: Visit) -> None:
    guest = visit(color_scheme="dark", java_script_enabled=False)
    guest.opens("quixo", ["person", "random"], "a1-a5 e3-a3 c1-c5")
    guest.page.get_by_text("Share", exact=True).click()
    guest.follows("Printable sheet")
    guest.page.get_by_label("Diagrams after the moves").fill("1 3")
    guest.button("Draw them").click()
    expect(guest.page.get_by_role("figure")).to_have_count(2)
    assert guest.misfits(SIZES) == []
    guest.page.emulate_media(media="print")
    expect(guest.page.get_by_role("navigation")).to_be_hidden()
    expect(guest.button("Draw them")).to_be_hidden()
    expect(guest.page.get_by_role("cell", name="c1-c5")).to_be_visible()


def test_what_cannot_be_read_is_kept_and_the_move_that_is_shown_is_in_sight(visit: Visit) -> None:
    guest = visit(expected=(422,), viewport={"width": 1280, "height": 860})
    turns = [f"{turn}. e1 d1" for turn in range(1, 8)] + ["8. c1 c1", "9. c1 c1", "10. b1 b1"]
    guest.page.goto("/matches/import")
    field = guest.page.get_by_label("JSON or transcript")
    field.fill("game chess")
    guest.button("Open").click()
    expect(guest.page.get_by_role("note")).to_contain_text("chess")
    expect(field).to_have_value("game chess")
    field.fill("\n".join(["game nim", *turns]))
    guest.button("Open").click()
    expect(guest.page.locator("#ply-20")).to_be_in_viewport(ratio=1)
    guest.page.locator("#first").click()
    guest.page.locator("#next").click()
    expect(guest.page.locator("#ply-1")).to_be_in_viewport(ratio=1)


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
    assert faults(owner, SIZES) == []
    owner.opens("tictactoe", ["person", "random"], "b2 a1 a2 a3 c2")
    owner.opens("tictactoe", ["person", "perfect"], "a1 b2 a2 b1 c3 b3")
    owner.page.goto("/")
    owner.follows("Your games")  # though all of them are over
    expect(owner.page.locator("tbody tr")).to_have_count(2)
    owner.opens("quixo", ["person", "person"], "a1-a5 e3-a3")
    owner.begins("Nim", against="Perfect")
    owner.page.goto("/matches")
    rows = listed(owner)
    assert len(rows) == 4
    assert faults(owner, SIZES) == []
    with owner.page.expect_download() as saving:
        owner.follows("Save all 4 as a file")
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)

    other = visit(java_script_enabled=False)
    other.page.goto("/matches/import")
    assert other.misfits(SIZES) == []
    other.page.get_by_label("Or a file").set_input_files(file)
    other.button("Open").click()
    other.page.wait_for_url("**/matches")
    assert listed(other) == rows
    other.page.get_by_role("link", name="Review").first.click()
    other.page.wait_for_url("**/matches/*?*story=1*")
