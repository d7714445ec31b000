"""How old a browser may be: what the style sheets use that a phone of 2022 does not know.

A declaration that cannot be read is dropped, and the one before it holds. But a custom property
takes any text, and whatever has a `var()` in it is found wanting only when it is too late to fall
back: there, what is young stands behind `@supports`. See docs/browsers.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.documented import blocks
from tests.example_game import PAGE
from webapp.web import assets

SHEETS = sorted(assets.folder("static").glob("css/**/*.css"))
YOUNG_UNIT = re.compile(r"\d(?:[sdl]v[hwib]|vi|vb|cq(?:[iwhb]|min|max))\b")
LATE = re.compile(r"--|.*var\(")  # what is read only when it is used
NEVER = re.compile(r"light-dark\(|color-mix\(|@scope|@starting-style|subgrid|(?<!-)anchor\(")


@dataclass(frozen=True)
class Rule:
    """A declaration, or the opening of a block, and the blocks it stands in, outermost first."""

    text: str
    within: tuple[str, ...]
    opens: bool

    @property
    def in_style_rule(self) -> bool:
        return any(not block.startswith("@") for block in self.within)

    @property
    def guarded(self) -> bool:
        return any(block.startswith(("@supports", "@container")) for block in self.within)


def rules(text: str) -> Iterator[Rule]:
    """Everything that is said in a style sheet, in order."""
    blocks: list[str] = []
    for part in re.findall(r"[^{};]*[{};]", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        said, mark = part[:-1].strip(), part[-1]
        if said:
            yield Rule(said, tuple(blocks), opens=mark == "{")
        if mark == "{":
            blocks.append(said)
        elif mark == "}":
            blocks.pop()
    assert blocks == []


def traps(text: str) -> list[str]:
    """What an older browser would stumble over."""
    found = []
    for rule in rules(text):
        nested = rule.opens and rule.in_style_rule and "@keyframes" not in " ".join(rule.within)
        late = YOUNG_UNIT.search(rule.text) and LATE.match(rule.text)
        if nested or NEVER.search(rule.text) or (late and not rule.guarded):
            found.append(rule.text)
    return found


def test_the_sheets_are_found() -> None:
    assert len(SHEETS) > 20


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.stem}")
def test_no_sheet_has_what_an_older_browser_stumbles_over(sheet: Path) -> None:
    assert traps(sheet.read_text("utf-8")) == []


def test_nor_has_the_sheet_of_the_example() -> None:
    assert traps(blocks(PAGE)["chomp/chomp.css"]) == []


@pytest.mark.parametrize(
    ("text", "trap"),
    [
        (".a { .b { color: red } }", ".b"),
        (":root { --gap: 2cqi; }", "--gap: 2cqi"),
        (".a { height: calc(100svh - var(--b)); }", "height: calc(100svh - var(--b))"),
        (".a { color: light-dark(red, blue); }", "color: light-dark(red, blue)"),
    ],
)
def test_a_trap_is_seen(text: str, trap: str) -> None:
    assert traps(text) == [trap]


@pytest.mark.parametrize(
    "text",
    [
        ".a { height: 50vh; height: 50svh; }",
        "@supports (width: 1cqi) { .a { --gap: 2cqi; } }",
        "@layer x { @media print { .a { color: red; } } @keyframes k { 0% { top: 0 } } }",
    ],
)
def test_what_falls_back_by_itself_is_no_trap(text: str) -> None:
    assert traps(text) == []


A_RESULT = re.compile(r"var\(--(win|draw|loss)\b")
ADVICE = re.compile(r"\.(hint|answered)")


def test_a_hint_and_an_answer_do_not_wear_the_colour_of_a_result() -> None:
    said = [rule for sheet in SHEETS for rule in rules(sheet.read_text("utf-8"))]
    advising = [rule.text for rule in said if ADVICE.search(" ".join(rule.within))]
    assert len(advising) > 5
    assert [text for text in advising if A_RESULT.search(text)] == []


def test_what_is_laid_over_a_page_leaves_the_page_below_as_it_is() -> None:
    laid = assets.folder("static") / "css/guide/sheet.css"
    selectors = [
        selector.strip()
        for rule in rules(laid.read_text("utf-8"))
        if rule.opens and not rule.text.startswith("@")
        for selector in re.split(r",(?![^(]*\))", rule.text)
    ]
    assert len(selectors) > 20
    assert [each for each in selectors if not each.startswith((".sheet", "dialog.sheet"))] == []
