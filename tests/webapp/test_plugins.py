"""Agents and games of other packages that fail: pages go on, and the log says so once."""

import sys
from dataclasses import replace
from math import inf

import pytest

from agents import roster as agents
from agents.errors import UnsuitableAgentError
from agents.roster import agents_for, find_agent, read_agent, refusal, training_seconds
from engine import load_game
from engine.catalog import catalog, find_entry
from tests.engine.packages import installing
from tests.example_game import forget as forget_games


def fails(*_):
    raise ZeroDivisionError("its own\nfault")


@pytest.fixture
def hostile(install_agents):
    """An agent on the roster whose `refuses` raises."""
    entry = replace(find_agent("random"), key="hostile", title="Hostile", refuses=fails)
    install_agents(entry)
    return entry


PAGES = ["/", "/?game=nim&opponent=hostile", "/matches/import", "/machines", "/machines/random"]
LOOKS = ["", "?values=1", "?hint=1", "?story=1", "?values=1&agent=random"]


@pytest.mark.usefixtures("hostile")
def test_every_page_goes_on_beside_an_agent_that_cannot_say_what_it_plays(visitor):
    visitor.begins("tictactoe", "random")
    pages = [*PAGES, *(visitor.path + query for query in LOOKS)]
    assert {page: visitor.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)


def test_it_plays_nothing(hostile, visitor):
    game = load_game("nim")
    assert hostile not in agents_for(game)
    assert refusal(hostile, game) == "its package failed"
    with pytest.raises(UnsuitableAgentError, match="hostile cannot play nim: its package failed"):
        read_agent("hostile", game)
    answer = visitor.post("/matches", {"game": "nim", "opponent": "hostile"})
    assert answer.status_code == 422


def test_the_log_has_it_once(hostile, caplog):
    for _ in range(3):
        refusal(hostile, load_game("nim"))
    assert len(caplog.records) == 1
    assert caplog.messages[0].startswith("agent hostile is left out of nim: ZeroDivisionError")


def test_a_learner_that_cannot_say_how_long_it_trains_trains_for_ever():
    learner = replace(find_agent("menace"), key="hostile", lasts=fails)
    assert training_seconds(learner, load_game("tictactoe"), None) == inf


@pytest.mark.parametrize(
    "changes",
    [
        {"key": "two words"},
        {"key": "a\nb"},
        {"title": None},
        {"description": 7},
        {"technique": "rules"},
        {"make": None},
        {"refuses": "never"},
        {"options": ("depth",)},
        {"levels": ("hard",)},
        {"train": "hard"},
        {"lasts": 3},
    ],
    ids=str,
)
def test_an_entry_with_fields_of_the_wrong_type_is_left_out(caplog, changes):
    entry = replace(find_agent("random"), **({"key": "strange"} | changes))
    with installing(agents.roster) as install:
        install(entry)
        assert entry not in agents.roster()
    assert "agent extra was skipped" in caplog.text


@pytest.mark.parametrize("entry", agents.BUILT_IN, ids=lambda entry: entry.key)
def test_ours_are_what_their_types_say(entry):
    entry.check()


@pytest.fixture
def change(chomp, monkeypatch):
    """Changes Chomp's entry after it was checked: what began to fail is found later."""
    entry = find_entry("chomp")
    monkeypatch.setattr(catalog, "accept", lambda entry, home: replace(entry, home=home))

    def change(**changes):
        monkeypatch.setattr(sys.modules["chomp"], "CHOMP", replace(entry, **changes))
        forget_games()

    return change


def test_a_game_whose_package_fails_has_no_card_and_the_others_stand(change, visitor, caplog):
    change(make=fails)
    for _ in range(2):
        assert visitor.get("/").status_code == 200
    keys = [setup.game for setup in visitor.seen["lobby"].setups]
    assert keys == ["nim", "tictactoe", "quixo"]
    assert sum("left out of the lobby" in message for message in caplog.messages) == 1


def test_a_match_of_a_game_that_began_to_fail_is_unreadable_in_a_lobby_that_stands(change, visitor):
    visitor.begins("chomp", "person")
    change(make=fails)
    assert visitor.get(visitor.path).status_code == 410
    assert visitor.get("/").status_code == 200
    assert [line.offer for line in visitor.seen["lobby"].unfinished] == ["Unreadable:"]


def test_a_drawing_that_fails_gives_way_to_the_states_own_text(change, caplog):
    change(drawing=fails)
    state = load_game("chomp").start
    assert find_entry("chomp").drawn(state) == str(state)
    assert "the drawing of chomp failed" in caplog.text
