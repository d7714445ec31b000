"""Bots in the browser: a person's opponent, in a class's cup beside a phone, in a league."""

from __future__ import annotations

import re
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.axe import faults
from tests.e2e.conftest import Visit, visiting
from tests.e2e.server import serving
from tests.e2e.test_class import PHONE, WALL, enters, joins_by_link, with_screen
from tests.e2e.test_projector import faults as projector_faults
from tests.e2e.visitor import PROJECTOR, Visitor
from webapp.api.client import Bot, Connection
from webapp.bots.forms import MAX_NAME_CHARS
from webapp.bots.leagues.models import LeagueGame, LeagueRecord
from webapp.bots.leagues.store import LeagueStore
from webapp.bots.leagues.table import machines_of
from webapp.bots.models import DAY_S, Admission
from webapp.bots.store import BotStore
from webapp.storage.database import Database
from webapp.web.owner import owner_key

SIZES = [(360, 740), (320, 640)]
TIMED_OUT = "timed out after 2.0 s, time bank empty"


@contextmanager
def playing(address: str, name: str, code: str = "") -> Iterator[Bot]:
    """A student's program, which plays the last legal move until the block ends."""

    def player(_: dict[str, Any], turn: Any) -> tuple[str, dict[str, float], str]:
        return turn.legal[-1], {turn.legal[-1]: 0.5}, "The last one is the best one."

    def quiet(*_: str) -> None:
        return None

    ended = threading.Event()
    bot = Bot(Connection(address, quiet), name, code, [], player, quiet, tokens="")
    bot.join()
    thread = threading.Thread(target=bot.play, args=(lambda: not ended.is_set(),), daemon=True)
    thread.start()
    try:
        yield bot
    finally:
        ended.set()
        thread.join(30)
        bot.connection.close()


def fails(*_: Any) -> str:
    return str(1 // 0)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Address and owner's link of a server for this test alone."""
    with serving(tmp_path) as served:
        key = owner_key((tmp_path / "secret.key").read_text())
        yield served.address, f"/owner/{key}"


def filled_league(data: Path, count: int) -> str:
    """The path of a new league with so many bots, half of them with the longest name there is."""
    database = Database(f"sqlite:///{data / 'zermelo.sqlite'}")
    rng, now = Random(count), time.time()
    bots, leagues = BotStore(database), LeagueStore(database)
    title = f"{count} bots".ljust(80, "!")
    record = LeagueRecord("", "", title, "quixo", 2, 30, "", int(now) - DAY_S, int(now) + DAY_S)
    league = leagues.make(record, bounded=False)
    admission, players = Admission(league.ends, league_id=league.id), list(machines_of("quixo"))
    for number in range(count):
        name = f"Bot {number} {'of many letters ' * (number % 2 * 2)}"[:MAX_NAME_CHARS]
        made = bots.register(name, (), admission).bot
        bots.saw({made.id: int(now)})
        players.append(made.seat)
    with database.write() as cursor:
        for number in range(20 * count):
            first, second = rng.sample(players, 2)
            fault = TIMED_OUT if number % 3 == 0 else None
            times = (now - 9000 + number, now - 8000 + number)
            ended = LeagueGame(league.id, 0, first, second, "gone", *times, number % 2, 31, fault)
            leagues.add(cursor, ended)
    database.close()
    return league.path


def looks_here(visitor: Visitor, path: str, name: str) -> None:
    """Open a page again until a bot of this name is on it."""
    link = visitor.page.get_by_role("link", name=name, exact=True).first
    visitor.goes_to(path)
    while not link.is_visible():
        visitor.page.wait_for_timeout(200)
        visitor.goes_to(path)


def test_a_person_plays_a_bot(visitor: Visitor, server: str) -> None:
    with playing(server, "Dunnock"):
        looks_here(visitor, "/bots", "Dunnock")
        assert faults(visitor, SIZES) == []
        visitor.link("Dunnock").first.click()
        visitor.link("Play Tic-tac-toe against Dunnock").click()
        visitor.card("Tic-tac-toe").get_by_role("button", name=re.compile("^(Play|Begin)")).click()
        expect(visitor.grid).to_be_visible()
        visitor.plays("a1")
        expect(visitor.page.get_by_role("row", name=re.compile("c3, o"))).to_be_visible()


@pytest.mark.soak
def test_a_league_fills_while_one_looks(browser: Browser, own_server: tuple[str, str]) -> None:
    address, link = own_server
    with visiting(browser, address) as visit:
        owner = visit(**WALL)
        owner.goes_to(link).goes_to("/leagues")
        assert faults(owner, SIZES) == []
        owner.page.get_by_label("Title").fill("Spring")
        owner.page.get_by_label("Game", exact=True).select_option("tictactoe")
        owner.button("Make the league").click()
        expect(owner.page.get_by_role("heading", level=1)).to_have_text("Spring")
        code = owner.page.locator("#league-code").inner_text()
        row = owner.page.get_by_role("row").filter(has_text="Linnet")
        with playing(address, "Linnet", code), playing(address, "Siskin", code):
            expect(row).to_be_visible()  # without a reload
            expect(row).to_contain_text("±")
            expect(
                owner.page.get_by_role("listitem").filter(has_text="won after").first
            ).to_be_visible()
            assert faults(owner, SIZES) == []
            anyone = visit(**PHONE, java_script_enabled=False).goes_to(owner.page.url)
            expect(anyone.page.get_by_role("row").filter(has_text="Linnet")).to_contain_text("±")
            expect(anyone.page.locator("#league-code")).to_have_count(0)
            owner.link("report of Linnet").click()
            expect(owner.page.get_by_role("heading", name="In figures")).to_be_visible()
            assert faults(owner, SIZES) == []


@pytest.mark.slow
def test_pages_of_a_bot_and_of_a_player_from_a_file_are_for_everyone(
    browser: Browser, tmp_path: Path
) -> None:
    """For its owner and for strangers, in the light and in the dark, at 320 px, without scripts."""
    (tmp_path / "files").mkdir()
    source = '"""Plays the first move."""\ndef choose(turn):\n    return turn.legal[0]\n'
    (tmp_path / "files" / "lapwing.py").write_text(source, encoding="utf-8")
    with (
        serving(tmp_path, ZERMELO_PLAYERS=str(tmp_path / "files")) as served,
        visiting(browser, served.address) as visit,
    ):
        bot = Bot(Connection(served.address, str), "Dunnock", "", [], fails, str, tokens="")
        made = bot.connection.call("POST", "/api/1/bots", {"name": "Dunnock"})
        bot.token, bot.id = made["token"], made["bot"]
        bot.practise("quixo", "random")
        bot.play(lambda: not bot.games()[0]["result"])
        bot.connection.close()
        owner, stranger = visit(**WALL), visit(**PHONE, java_script_enabled=False)
        owner.goes_to(made["claim"]).button("Yes, it is my bot").click()
        expect(owner.page.get_by_role("heading", name="Last error")).to_be_visible()
        expect(owner.page.locator("pre[aria-label='Last error']")).to_contain_text("modulo by zero")
        expect(owner.page.locator("pre[aria-label='Last error']")).to_contain_text("position")
        assert faults(owner, SIZES) == []
        stranger.goes_to(made["page"])
        expect(stranger.page.get_by_text("Lost to")).to_be_visible()
        expect(stranger.page.get_by_text("Last error")).to_have_count(0)
        for path in ("/machines/file-lapwing", "/bots", "/leagues"):
            owner.goes_to(path)
            assert faults(owner, SIZES) == [], path
            expect(stranger.goes_to(path).page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.slow
def test_a_league_of_any_size_is_on_a_projector(
    browser: Browser, own_server: tuple[str, str], tmp_path: Path
) -> None:
    address, link = own_server
    with visiting(browser, address) as visit:
        owner = visit(**PROJECTOR).goes_to(link)
        for count in (1, 3, 27, 60):
            owner.goes_to(f"{filled_league(tmp_path, count)}?present=1")
            expect(owner.page.get_by_text("Join with the code")).to_be_visible()
            rows = owner.page.locator(".league-table tbody tr")
            assert rows.count() == min(10, count + len(machines_of("quixo")))
            assert projector_faults(owner) == []
        assert faults(owner) == []
        with owner.page.expect_response(re.compile("present=1")):  # it looks again by itself
            pass
        assert projector_faults(owner) == []
        owner.link("Leave the projector").click()
        expect(rows).to_have_count(60 + len(machines_of("quixo")))
        assert faults(owner, SIZES) == []


@pytest.mark.soak
def test_a_bot_and_a_phone_are_in_the_cup(visit: Visit, server: str) -> None:
    teacher, screen, code = with_screen(visit)
    phone = joins_by_link(visit(**PHONE), code)
    teacher.page.get_by_text("The cup: everyone enters a machine").click()
    teacher.page.locator("#cup-game").select_option("tictactoe")
    teacher.page.get_by_label("Games of each pair").fill("2")
    teacher.button("Open the cup").click()
    with playing(server, "Linnet", code):
        phone.page.get_by_label("Your machine").select_option("random")
        enters(phone)
        expect(teacher.page.get_by_text("1 bot is here (Linnet)")).to_be_visible()
        teacher.button("Begin the cup").click()
        expect(screen.page.locator(".cup")).to_contain_text("Linnet · bot")
        expect(screen.page.locator(".cup")).to_contain_text("2 of 2 games")
    assert faults(screen) == []


def test_the_client_is_one_file_that_a_browser_downloads(server: str) -> None:
    with urllib.request.urlopen(f"{server}/bot.py") as answer:
        assert "attachment" in answer.headers["Content-Disposition"]
        compile(answer.read(), "bot.py", "exec")
