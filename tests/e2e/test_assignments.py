"""An assignment: a teacher and three students, from making it to the file of results."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.axe import faults
from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor

PHONE = {"viewport": {"width": 320, "height": 640}, "reduced_motion": "reduce", "has_touch": True}
LAPTOP = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}
TASKS = """## Two puzzles
puzzles: 201c6f5e 4b838c22

## Win this
position: nim:heaps=1-2,last=wins  1-2 x
win: perfect

## A lesson
lesson: nim
"""


def makes(teacher: Visitor) -> str:
    """An assignment with a list of names; its code."""
    page = teacher.goes_to("/class").page
    page.get_by_role("link", name="Assignments").click()
    page.get_by_label("Title").fill("For Monday")
    page.get_by_label("Last day").fill(str(datetime.now(UTC).date() + timedelta(days=30)))
    page.get_by_label("Your students").fill("Ada\nBen\nCleo")
    page.get_by_label("The tasks, as text").fill(TASKS)
    teacher.button("Make the assignment").click()
    return page.locator("#code").inner_text()


def begins(student: Visitor, code: str, name: str) -> Visitor:
    student.goes_to(f"/a/{code}").page.get_by_label("Your name").fill(name)
    student.button("Begin").click()
    expect(student.page.locator("#own-name")).to_have_text(name)
    return student


def answers(student: Visitor, cell: str, then: str) -> None:
    student.cell(cell).click()
    expect(student.page.locator("#status")).to_contain_text(then)


def fits(*visitors: Visitor) -> None:
    """No page has a fault, or is wider than its screen."""
    for visitor in visitors:
        assert faults(visitor) == []
        wide, screen = visitor.page.evaluate(
            "[document.documentElement.scrollWidth, window.innerWidth]"
        )
        assert wide <= screen, visitor.page.url


def test_from_making_it_to_the_file_of_results(visit: Visit) -> None:
    teacher = visit(**LAPTOP)
    ada = visit(**PHONE)
    ben = visit(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    cleo = visit(**LAPTOP, color_scheme="dark")
    fits(teacher.goes_to("/assignments"))
    code = makes(teacher)
    for student, name in ((ada, "Ada"), (ben, "Ben"), (cleo, "Cleo")):
        begins(student, code, name)
    fits(teacher, ada, cleo)

    ada.page.get_by_role("link", name="1. Two puzzles").click()
    fits(ada)
    answers(ada, "a1", "a1 is not it. After a1 comes c3.")
    answers(ada, "c3", "Solved at try 2: c3.")
    ada.page.get_by_role("link", name="Next").click()
    answers(ada, "b1", "Solved at the first try: b1.")
    fits(ada)

    ben.goes_to(f"/a/{code}/1")  # without JavaScript
    answers(ben, "c3", "Solved at the first try: c3.")

    cleo.goes_to(f"/a/{code}/2").button("Play").click()
    cleo.page.locator("#take-row").select_option("b")
    cleo.page.locator("#take-count").fill("1")
    cleo.page.locator("#take-button").click()
    expect(cleo.page.locator("#status")).to_contain_text("Your move")
    cleo.page.locator("#take-button").click()
    expect(cleo.page.locator("#status")).to_contain_text("win")
    cleo.page.get_by_role("link", name="Back to the assignment").click()
    expect(cleo.page.locator("#status")).to_have_text("Done at the first try: won.")
    fits(cleo)
    cleo.goes_to(f"/a/{code}/3").page.locator("#choice-1").click()
    expect(cleo.page.locator(".why")).to_be_visible()
    fits(cleo)

    second = visit(**PHONE)
    second.goes_to(ada.goes_to(f"/a/{code}").page.locator("#personal").get_attribute("href") or "")
    second.button("Go on").click()
    expect(second.page.locator("#own-name")).to_have_text("Ada")
    expect(second.page.get_by_text("✓ Done")).to_be_visible()

    page = teacher.page
    page.get_by_role("link", name="Refresh").click()
    row = page.get_by_role("row", name="Ada")
    expect(row).to_contain_text("2 of 2 solved, 1 at the first try")
    expect(page.get_by_role("row", name="Ben")).to_contain_text("1 of 2 solved")
    expect(page.get_by_role("row", name="Cleo")).to_contain_text("solved at the first try")
    fits(teacher)
    with page.expect_download() as download:
        page.get_by_role("link", name="All of it as CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    rows = list(csv.DictReader(StringIO(text)))
    puzzles = {(row["student"], row["part"]): row for row in rows if row["task"] == "Two puzzles"}
    assert puzzles["Ada", "201c6f5e"]["answers"] == "a1 | c3"
    assert puzzles["Ada", "201c6f5e"]["at first try"] == "no"
    assert puzzles["Ben", "4b838c22"]["tries"] == "0"
    (game,) = (row for row in rows if (row["student"], row["task"]) == ("Cleo", "Win this"))
    assert (game["solved"], game["late"]) == ("yes", "no")
    assert game["games"].startswith("/matches/")
    fits(teacher.goes_to(f"{page.url}/students/1"))
    fits(teacher.goes_to(page.url.replace("/students/1", "/screen")))
