"""Matches longer than the recursion limit, loaded after a restart."""

import pytest

from engine import transcript

HEAPS = "-".join(["50"] * 10)
MOVES = [f"{heap}1" for heap in "abcdefghij" for _ in range(50)]
LONG = MOVES[:-2]
LARGEST_PAGE = 100_000


@pytest.fixture
def long(visitor):
    """A match of 498 plies on a server with empty caches."""
    turns = "\n".join(f"{ply}. {move}" for ply, move in enumerate(LONG, start=1))
    text = f"game nim:heaps={HEAPS}\n{turns}\n"
    answer = visitor.post("/matches/import", {"text": text})
    assert answer.status_code == 303, answer.text
    visitor.path = answer.location
    transcript._replay.cache_clear()
    return visitor


def test_it_stands_in_its_owners_lobby(long):
    assert long.get("/").status_code == 200
    (line,) = long.seen["lobby"].unfinished
    assert line.text.endswith(f"after {len(LONG)} moves")
    assert line.offer == "Continue"


def test_it_is_played_to_its_end(long):
    assert long.moves(*MOVES[len(LONG) :]).over


@pytest.mark.parametrize("look", ["", "?values=1", "?values=1&show=1", "?ply=12", "?ply=12&aid=1"])
def test_its_page_is_of_decent_size(long, look):
    assert len(long.get(f"{long.path}{look}").data) < LARGEST_PAGE


@pytest.mark.slow
def test_its_review_is_of_decent_size(long, monkeypatch):
    monkeypatch.setattr(
        "webapp.replays.story.strongest_agent", lambda game: "nim-expert"
    )  # by theory, so quick
    looks = ("", "&ply=12&values=1", "&ply=250&values=1&show=1")
    sizes = [len(long.get(f"{long.path}?story=1{look}").data) for look in looks]
    assert len(long.seen["match"].story.points) == len(LONG)
    assert max(sizes) < LARGEST_PAGE


@pytest.mark.parametrize("heaps", [HEAPS, "-".join(["12"] * 10)])
@pytest.mark.parametrize("look", ["", "?values=1", "?values=1&show=1", "?aid=1"])
def test_many_matches_are_a_page_of_decent_size(visitor, heaps, look):
    visitor.begins("nim", "nim-expert", **{"preset": "custom", "nim.heaps": heaps})
    assert len(visitor.get(f"{visitor.path}{look}").data) < LARGEST_PAGE


def test_every_match_of_a_large_heap_is_drawn(visitor):
    visitor.begins("nim", "nim-expert", **{"preset": "custom", "nim.heaps": HEAPS})
    assert visitor.get(visitor.path).text.count('<use href="#matchstick"') == 500


def reached(visitor):
    """The numbers of all moves that the pages of the list have links to."""
    return sorted(
        ply.number
        for page in visitor.match.pages
        for turn in visitor.at(page.url.removeprefix(visitor.path)).turns
        for ply in turn.plies
        if ply
    )


@pytest.mark.slow
def test_every_move_is_reached_from_the_pages_of_the_list(long):
    (current,) = (page.label for page in long.match.pages if page.current)
    assert current == "481 to 498"
    assert long.match.turns[-1].plies[-1].number == len(LONG)
    assert reached(long) == list(range(1, len(LONG) + 1))


def test_a_match_of_usual_length_has_no_pages(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b2")
    assert (visitor.match.pages, len(visitor.match.turns)) == ((), 1)
