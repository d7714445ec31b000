"""The page of UCT: each step of each game with an address of its own, and figures that are true."""

import re
from math import log, sqrt

import pytest

from agents.search.uct import UctPlan, record_uct
from engine import Match, load_game
from tests.webapp.visitor import HTMX, Never, Visitor

POSITION = "/positions/uct?game=tictactoe&state=x../.../...+o"
BOUND = re.compile(r"([+−]?[\d.]+) \+ ([\d.]+) = ([−]?[\d.]+)")


def at(visitor, step=None, more=""):
    query = f"{POSITION}{more}" + ("" if step is None else f"&step={step}")
    assert visitor.get(query).status_code == 200
    return visitor.seen["tree"].search


def figure(text):
    return float(text.replace("−", "-"))


def recorded(games=50, seed=1):
    game = load_game("tictactoe")
    match = Match.begin(game, game.parse_state("x../.../... o"))
    return record_uct(match, UctPlan(games, 1.2, seed))


def test_a_game_is_four_steps_and_counts_at_the_last(visitor):
    seen = [at(visitor, step) for step in range(4 * 19 + 1, 4 * 20 + 1)]
    assert [name for walk in seen for name, current in walk.phases if current] == [
        "Select",
        "Expand",
        "Play out",
        "Back up",
    ]
    assert {walk.status for walk in seen} == {"Game 20 of 50"}
    assert [walk.rows[0].above for walk in seen] == [
        *["19 games came here"] * 3,
        "20 games came here",
    ]


def test_every_bound_is_the_formula_on_the_figures_beside_it(visitor):
    for step in (33, 77, 120, 200):
        for row in at(visitor, step).rows:
            came = int(row.above.split()[0].replace(",", ""))
            shown = [node for node in row.nodes if node.bound]
            for node in shown:
                mean, bonus, bound = map(figure, BOUND.fullmatch(node.bound).groups())
                games = int(node.games.split()[0])
                assert bonus == pytest.approx(1.2 * sqrt(log(came) / games), abs=0.0051)
                assert bound == pytest.approx(mean + bonus, abs=0.0101)
                assert mean * games == pytest.approx(round(mean * games), abs=0.01 * games)
            highest = [node for node in shown if node.highest]
            best = max(figure(BOUND.fullmatch(node.bound)[3]) for node in shown)
            assert all(figure(BOUND.fullmatch(node.bound)[3]) == best for node in highest)


def test_the_sentences_tell_the_recorded_game(visitor):
    for number, game in enumerate(recorded().games[8:16], start=9):
        selected, expanded, played, backed = (
            at(visitor, 4 * (number - 1) + phase).sentence for phase in (1, 2, 3, 4)
        )
        walk = at(visitor, 4 * number)
        path = walk.moves(game.path)
        assert re.findall(r"(\w\d) \(", selected) == path[:-1]
        assert expanded == f"{path[-1]} joins the tree: the next move never tried."
        assert " ".join(game.moves) in played
        winner = {1: "x wins", -1: "o wins", 0: "a draw"}[game.result]
        assert played.endswith(f"Result: {winner}.") or winner in played
        paid = re.findall(r"([+−]1) for (\w\d)", backed)
        assert [move for _, move in paid] == (path if game.result else [])
        signs = ["+1" if (at % 2 == 0) == (game.result < 0) else "−1" for at in range(len(path))]
        assert [sign for sign, _ in paid] == (signs if game.result else [])


def test_after_the_last_game_it_plays_the_move_most_games_went_through(visitor):
    walk = at(visitor)
    counts = {node.move: int(node.games.split()[0]) for node in walk.rows[0].nodes}
    best = max(counts, key=counts.get)
    assert walk.answer.startswith(
        f"It plays {best}, which most games went through: {counts[best]} "
    )
    assert sum(counts.values()) == 50


def test_steps_and_games_have_addresses_and_a_press_opens_what_is_below(visitor):
    walk = at(visitor, 77)
    assert [url and url.rpartition("=")[2] for url in walk.steps] == ["0", "76", "78", "200"]
    assert walk.leap.endswith("step=80")
    opened = at(visitor, 77, "&open=4")
    assert [row.title for row in opened.rows] == ["o to move", "x answers"]
    assert [node.move for node in opened.rows[0].nodes if node.framed] == ["b2"]


@pytest.mark.parametrize("query", ["&open=9.9", "&step=99999", "&games=0&c=x", "&seed=-1", "&c=0"])
def test_an_address_that_makes_no_sense_shows_what_does(visitor, query):
    assert at(visitor, None, query).rows


def test_both_other_searches_and_the_panel_of_monte_carlo_lead_here_and_back(visitor):
    visitor.opens("tictactoe", ["a3"], ("person", "mcts"))
    assert visitor.at("?values=1&agent=mcts").analysis.links.tree == f"{visitor.path}/uct?ply=1"
    visitor.get(f"{visitor.path}/uct?ply=1")
    links = visitor.seen["tree"].algorithms
    assert [(title, chosen) for title, _, chosen in links] == [
        ("Alpha-beta", False),
        ("Minimax", False),
        ("UCT", True),
    ]
    visitor.get(links[0][1])
    assert visitor.seen["tree"].algorithms[2][1] == f"{visitor.path}/uct?ply=1"


def test_where_the_game_is_over_or_the_search_pending_the_page_says_so(visitor, start):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3")
    visitor.get(f"{visitor.path}/uct")
    assert visitor.seen["tree"].failed.startswith("The game is over here")
    waiting = Visitor(start(Never))
    waiting.opens("tictactoe", ["a3"])
    assert waiting.get(f"{waiting.path}/uct").status_code == 200
    assert waiting.seen["tree"].pending
    assert waiting.get(f"{waiting.path}/uct?known=1", **HTMX).status_code == 204


@pytest.mark.parametrize("game", ["quixo", "nim", "nim:preset=twenty-one"])
def test_no_page_weighs_more_than_100_kilobytes(visitor, game):
    visitor.opens(game, "")
    for query in ("?games=200", "?games=200&step=799"):
        assert len(visitor.get(f"{visitor.path}/uct{query}").data) < 100_000
