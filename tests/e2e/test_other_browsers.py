"""Firefox and WebKit, where they are installed: every game is played to its end by pressing."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from engine import Match, read_transcript
from tests.e2e.webdriver import Driven, firefox, patiently, webkit

pytestmark = pytest.mark.soak

STATUS = 'document.getElementById("status")?.textContent'
DUE = f"return /Your move|wins?:|A draw:/.test({STATUS})"
GAMES = ["tictactoe", "nim&preset=marienbad", "quixo&preset=tiny"]


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def driven(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Driven]:
    profile: Path = tmp_path_factory.mktemp("profile")
    with firefox(profile) if request.param == "firefox" else webkit() as page:
        if page is None:
            pytest.skip(f"no {request.param} is installed")
        yield page


def match_at(address: str) -> Match[Any, Any]:
    with urllib.request.urlopen(f"{address}.txt", timeout=60) as answer:
        return read_transcript(answer.read().decode())


def press(page: Driven, move: str) -> None:
    """By what a person presses: a cube and an end, a match twice, a cell."""
    source, dash, target = move.partition("-")
    if dash:
        page.runs(f'document.getElementById("cell-{source}").click()')
        page.waits_for(f"return document.querySelector('button[value=\"{move}\"]') !== null")
        page.runs(f'document.getElementById("cell-{target}").click()')
    elif page.runs("return document.getElementById('board-nim') !== null"):
        page.runs(f"document.querySelector('[data-take=\"{move}\"]').click()")
        page.waits_for("return document.querySelector('.stick.picked') !== null")
        page.runs(f"document.querySelector('[data-take=\"{move}\"]').click()")
    else:
        page.runs(f'document.getElementById("cell-{move}").click()')


def play_to_the_end(page: Driven, address: str) -> None:
    match = match_at(address)
    agent = load_agent("opportunist", match.game)
    while match.outcome() is None:
        chosen = agent.analyse(match.state, limit=Limit(), rng=Random(match.ply)).choice
        press(page, str(chosen))
        ply = match.ply
        patiently(lambda ply=ply: match_at(address).ply > ply)  # type: ignore[misc]
        page.waits_for(DUE)
        match = match_at(address)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end(driven: Driven, server: str, game: str) -> None:
    driven.goes_to(f"{server}/?game={game}&opponent=random")
    key = game.partition("&")[0]
    driven.waits_for(f"return document.querySelector('#setup-{key} .go .primary') !== null")
    driven.runs(f"document.querySelector('#setup-{key} .go .primary').click()")
    address = driven.waits_for("return /matches/.test(location.pathname) && location.href")
    driven.waits_for(DUE)
    colour = driven.runs("return getComputedStyle(document.body).backgroundColor")
    assert colour in ("rgb(246, 241, 231)", "rgb(23, 20, 17)")
    play_to_the_end(driven, address)
    assert driven.runs("return document.getElementById('rematch') !== null")
    driven.waits_for(f"return /wins?:|A draw:/.test({STATUS})")
