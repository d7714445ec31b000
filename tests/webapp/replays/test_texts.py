"""Texts that cannot be shown or stored are refused or cleaned."""

import json

import pytest

from agents.errors import BrokenAgentError
from tests.webapp.visitor import HTMX, OWN_PAGE, AtOnce, InProcess, Visitor
from webapp.replays.models import MAX_NOTE_CHARS, one_line

pytestmark = pytest.mark.stores

WHOLE = {
    "format": "zermelo match 2",
    "game": "nim",
    "players": ["person", "random"],
    "start": None,
    "moves": ["e1"],
}
HALF = "\ud800"


@pytest.mark.parametrize(
    "changes",
    [
        {"game": f"nim:{HALF}=1"},
        {"game": HALF},
        {"players": ["person", f"random:{HALF}=1"]},
        {"players": [f"class:{HALF}", "person"]},
        {"moves": [HALF]},
        {"start": HALF},
        {"result": HALF},
        {HALF: HALF},
    ],
    ids=str,
)
def test_half_a_character_in_an_imported_match_is_refused(visitor, changes):
    answer = visitor.post("/matches/import", {"text": json.dumps(WHOLE | changes)})
    assert answer.status_code == 422
    assert visitor.seen["message"].text


@pytest.mark.parametrize("odd", ["\0", "\n", "\x1b", "\u202e"])
def test_a_brain_whose_name_cannot_be_shown_is_refused(visitor, odd):
    fields = {"game": "tictactoe", "opponent": "qlearning", "opponent.qlearning.brain": f"a{odd}b"}
    assert visitor.post("/matches", fields).status_code == 422
    text = json.dumps(WHOLE | {"players": ["person", f"qlearning:brain=a{odd}b"]})
    assert visitor.post("/matches/import", {"text": text}).status_code == 422


class Failing(InProcess):
    """Every agent fails with a long message."""

    def run(self, request, seconds, deadline):
        raise BrokenAgentError("no\0thing\n\ud800 " * 1000)


def test_what_a_failing_agent_says_is_kept_in_one_line(start):
    visitor = Visitor(start(lambda bounds: AtOnce(bounds, make_worker=Failing)))
    visitor.begins("nim", "random", starts="opponent")
    match = visitor.hears()
    assert match.ply == 1
    assert visitor.get(visitor.path).status_code == 200


def test_a_note_is_one_line_that_fits_its_column():
    assert one_line("no\0thing\ud800\n" + "x" * 1000) == "no thing  " + "x" * (MAX_NOTE_CHARS - 10)
    assert one_line(None) is None


@pytest.mark.parametrize("address", ["http://[", "http://[::1", "//[", "\ud7ff://x"])
def test_a_page_that_says_it_is_nowhere_is_answered_all_the_same(visitor, address):
    visitor.begins("tictactoe", "person")
    headers = OWN_PAGE | HTMX | {"HX-Current-URL": address.encode("ascii", "replace").decode()}
    assert visitor.does("moves", headers=headers, move="b2").status_code == 200


@pytest.fixture
def annas(tmp_path, monkeypatch):
    """A brain store with a brain of Anna's."""
    place = tmp_path / "homes" / "anna"
    monkeypatch.setenv("ZERMELO_DATA", str(place))
    (place / "brains").mkdir(parents=True)
    (place / "brains" / "annas-secret.npz").write_bytes(b"no brain at all")
    return place


@pytest.mark.parametrize("name", ["annas-secre", "f" * 32, "annas-secret"])
def test_no_page_names_the_place_of_brains_or_those_of_others(visitor, annas, name):
    fields = {"game": "tictactoe", "opponent": "qlearning", "opponent.qlearning.brain": name}
    texts = [visitor.post("/matches", fields).text]
    text = json.dumps(WHOLE | {"players": ["person", f"qlearning:brain={name}"]})
    texts += [visitor.post("/matches/import", {"text": text}).text.replace(name, "")]
    visitor.begins("tictactoe", "person")
    texts += [visitor.get(f"{visitor.path}?values=1&agent=qlearning:brain={name}").text]
    assert str(annas) not in "".join(texts)
    assert "annas-secret" not in "".join(texts).replace(name, "")
