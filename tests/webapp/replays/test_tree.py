"""The tree page: a textbook search, each step with an address of its own."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from agents.search.alphabeta import WIN
from agents.search.trace import MAX_POSITIONS, Algorithm, Order, Plan, moves_in, record
from agents.search.trace_view import Unfolded, cut_text, value_text
from engine import Match, Seat, load_game
from tests.positions import reachable_states
from tests.webapp.visitor import HTMX, Never, Visitor
from webapp.questions.query import parse_question
from webapp.questions.truths import truth_of
from webapp.workers import pool
from webapp.workers.pool import WorkerPool
from webapp.workers.recordings import TreeRequest
from webapp.workers.requests import Answer

MOVES = ["a3", "b3", "b2", "c1"]
SEARCHER = ("person", "alphabeta")
CUT = re.compile(
    r"With (?P<answer>\S+) (?P<mover>[xo]) has (?P<got>.+) here, or better; instead of "
    r"(?P<instead>\S+?)(, (?P<above>\d+) plies above,)? (?P<other>[xo]) already has "
    r"(?P<better>\S+), worth (?P<has>.+)\. That is no worse .* way: (?P<rest>\d+) other move"
)


def played(game, moves):
    rules = load_game(game)
    return Match.replay(rules, [rules.parse_move(text) for text in moves])


def searched(match, algorithm=Algorithm.ALPHABETA, depth=9):
    """The whole search, opened."""
    recording = record(match, Plan(algorithm, depth))
    moves = moves_in(Order.BOARD, match.game)
    return Unfolded(
        recording, match.state, moves, MAX_POSITIONS, prunes=algorithm is Algorithm.ALPHABETA
    )


def tree(visitor, query="", **headers):
    answer = visitor.get(f"{visitor.path}/tree{query}", **headers)
    assert answer.status_code == 200, answer.text
    return visitor.seen["tree"]


@pytest.fixture
def opened(visitor):
    visitor.opens("tictactoe", MOVES, SEARCHER)
    return visitor


def test_the_first_row_holds_every_answer_to_the_position(opened):
    (row,) = tree(opened, "?depth=9").rows
    assert [node.move for node in row.nodes] == ["a1", "b1", "a2", "c2", "c3"]
    assert row.nodes[0].value == "x wins in 3"
    assert (row.title, row.wants) == ("x to move", "wants the highest")


def test_each_row_holds_the_answers_to_the_framed_position_above(opened):
    view = tree(opened, "?depth=9&open=2.0.1")
    framed = [[node.move for node in row.nodes if node.framed] for row in view.rows]
    assert framed == [["a2"], ["a1"], ["c2"]]
    assert [crumb.text for crumb in view.crumbs] == ["a2", "a1", "c2"]
    assert view.rows[-1].note == "The game is over there: x wins in 3."


def test_both_algorithms_stand_beside_each_other_with_measured_counts(opened):
    looked = searched(played("tictactoe", MOVES)).recording.looked_at
    pruned, plain = looked[Algorithm.ALPHABETA], looked[Algorithm.MINIMAX]
    told = {f"Alpha-beta looks at {pruned:,}", f"Minimax looks at {plain:,}"}
    for algorithm in Algorithm:
        view = tree(opened, f"?depth=9&algorithm={algorithm}")
        assert all(part in view.counts for part in told)
        assert "Its answer: a1, worth x wins in 3." in view.answer
    assert pruned < plain


def test_minimax_looks_at_everything_and_has_no_windows(opened):
    view = tree(opened, "?depth=9&algorithm=minimax&open=0.0")
    nodes = [node for row in view.rows for node in row.nodes]
    assert {node.state for node in nodes} == {"seen"}
    assert {node.window for node in nodes} == {""}


def test_a_position_met_before_names_the_way_and_all_of_them_are_counted(opened):
    cell = load_game("tictactoe").parse_move
    start = played("tictactoe", MOVES).state

    def state(moves):
        reached = start
        for move in moves:
            reached = reached.play(cell(move))
        return reached

    found = 0
    for path in ("1.0", "2.0", "3.0", "4.0"):
        view = tree(opened, f"?depth=9&algorithm=minimax&open={path}")
        above = [crumb.text for crumb in view.crumbs]
        again = [node for node in view.rows[-1].nodes if node.again]
        assert all(state([*above, node.move]) == state(node.again.split()) for node in again)
        found += len(again)
    assert found > 2
    every = []

    def walk(here):
        every.append(here)
        for move in () if here.outcome() else here.legal_moves():
            walk(here.play(move))

    walk(start)
    met = len(every) - len(set(every))
    assert view.transpositions == (
        f"Only {len(set(every)) - 1} of them differ: {met} had been met before, by another order "
        "of moves."
    )


def test_the_order_of_moves_changes_the_count(opened):
    counts = {tree(opened, f"?depth=9&order={order}").counts for order in Order}
    assert len(counts) > 1


def test_a_step_shows_one_more_position_and_stepping_follows_the_search(opened):
    view = tree(opened, "?depth=9&upto=1")
    assert [node.state for node in view.rows[0].nodes] == ["now", *["later"] * 4]
    assert (view.rows[0].nodes[0].value, view.answer) == ("under way", "")
    assert view.search.steps[1] == f"{opened.path}/tree?depth=9&upto=0"
    seen, query = [], "?depth=9&upto=0"
    for _ in range(4):
        view = tree(opened, query)
        seen.append([crumb.text for crumb in view.crumbs])
        query = view.search.steps[2].partition("tree")[2]
    assert seen == [[], ["a1"], ["a1", "b1"], ["a1", "b1", "a2"]]


def test_next_cut_leads_from_cut_to_cut(opened):
    recording = searched(played("tictactoe", MOVES)).recording
    address, found = "?depth=9&upto=0", []
    while (url := tree(opened, address).search.leap) is not None:
        address = url.partition("tree")[2]
        found.append(int(address.rpartition("=")[2]))
    assert found == sorted({recording.end[node] - 1 for node in recording.cuts})


def value_of(state, ply):
    """An independent minimax for the first seat; a win at ply n is WIN - n."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome.score(Seat.FIRST) * (WIN - ply)
    values = [value_of(state.play(move), ply + 1) for move in state.legal_moves()]
    return max(values) if state.to_move is Seat.FIRST else min(values)


def value_in(words):
    """Parse the value in a sentence: `a win for x in 3`, `a draw`."""
    if words == "a draw":
        return 0
    mark, plies = re.fullmatch(r"a win for ([xo]) in (\d+)", words).groups()
    return (WIN - int(plies)) * (1 if mark == "x" else -1)


def cut_positions(count):
    """Every cut in the trees of some positions: the states down to it, and its text."""
    game = load_game("tictactoe")
    states = [s for s in reachable_states(game, 3 * count, seed=5) if str(s).count(".") <= 6]
    trees = [searched(Match.begin(game, state)) for state in states[:count]]
    spots = [
        (tree, tree.spots(tree.path_to(node))) for tree in trees for node in tree.recording.cuts
    ]
    return [
        ([spot.state for spot in line], CUT.match(cut_text(tree.cut(line))).groupdict())
        for tree, line in spots
    ]


def test_what_is_said_of_a_cut_is_true_of_its_position():
    """Recompute both values of a cut, and the number of moves left out, from the board."""
    cell = load_game("tictactoe").parse_move

    def is_true(states, said):
        above, plies, here = int(said["above"] or 1), len(states), states[-1]
        chooser, answer = states[-1 - above], cell(said["answer"])
        sign = -1 if said["mover"] == "x" else 1
        got, has = value_in(said["got"]), value_in(said["has"])
        legal = here.legal_moves()
        return (
            (here.to_move.mark, chooser.to_move.mark) == (said["mover"], said["other"])
            and value_of(chooser.play(cell(said["better"])), plies - above) == has
            and sign * value_of(here.play(answer), plies) <= sign * got <= sign * has
            and int(said["rest"]) == len(legal) - legal.index(answer) - 1
        )

    found = cut_positions(60)
    assert len(found) > 200
    assert [said for states, said in found if not is_true(states, said)] == []


def test_the_row_with_a_cut_says_why_and_shows_what_was_never_looked_at(opened):
    row = tree(opened, "?depth=9&open=2").rows[1]
    assert [node.state for node in row.nodes] == ["seen", "never", "never", "never"]
    assert row.cut.startswith("With a1 o has a win for x in 3 here, or better; instead of a2 x")


@pytest.mark.parametrize(
    ("value", "certain", "words"),
    [(WIN - 3.0, 1, "x wins in 3"), (4.0 - WIN, 0, "o wins in 4"), (0.0, 1, "draw")],
)
def test_a_value_in_words(value, certain, words):
    assert value_text(value, certain=bool(certain)) == words


def test_a_zero_at_the_horizon_is_not_called_a_draw(visitor):
    visitor.opens("nim", "")
    view = tree(visitor, "?depth=1")
    assert {node.value for node in view.rows[0].nodes} == {"0.00"}
    assert "count as 0" in view.horizon


@pytest.mark.parametrize(
    ("players", "query", "chosen"),
    [
        (("person", "minimax:depth=4"), "", ("Minimax", "4")),
        (("person", "alphabeta:depth=2"), "", ("Alpha-beta", "2")),
        (("person", "random"), "", ("Alpha-beta", "6")),
        (("person", "random"), "?agent=minimax:depth=3", ("Minimax", "3")),
        (("person", "minimax:depth=4"), "?algorithm=alphabeta&depth=3", ("Alpha-beta", "3")),
    ],
)
def test_it_searches_as_the_agent_would_unless_the_address_says_otherwise(
    visitor, players, query, chosen
):
    visitor.opens("tictactoe", MOVES, players)
    view = tree(visitor, query)
    algorithm = next(title for title, _, is_chosen in view.algorithms if is_chosen)
    assert (algorithm, next(c.value for c in view.choosers[0][2] if c.chosen)) == chosen


@pytest.mark.slow
def test_a_search_that_is_too_large_is_counted_and_only_depths_that_fit_are_offered(visitor):
    visitor.begins("tictactoe", "minimax")
    view = tree(visitor, "?algorithm=minimax&depth=9")
    assert view.failed.startswith("Minimax looks at 549,945 positions 9 plies deep.")
    assert [label for label, _ in view.offers] == ["7 plies", "6 plies", "5 plies"]
    assert {one.title: one.count for one in view.measured}["Minimax"] == "549,945"
    assert not tree(visitor, view.offers[0][1].partition("/tree")[2]).failed


def test_where_the_game_is_over_there_is_nothing_to_search(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3")
    assert tree(visitor).failed.startswith("The game is over here")
    assert tree(visitor, "?ply=4").rows


def test_while_it_is_searched_the_page_asks_again_and_a_poll_gets_nothing(start):
    visitor = Visitor(start(Never))
    visitor.opens("tictactoe", MOVES)
    assert tree(visitor).pending
    assert visitor.get(f"{visitor.path}/tree?known=1", **HTMX).status_code == 204


def test_anyone_with_the_link_sees_the_same_moment(opened, stranger):
    stranger.path = opened.path
    query = "?depth=9&upto=30&open=0.1"
    assert tree(opened, query).rows == tree(stranger, query).rows


@pytest.mark.parametrize(
    "query",
    [
        "?depth=0&algorithm=x&order=y",
        "?open=9.9.9",
        "?open=a.b",
        "?open=-1",
        "?open=" + "0." * 400,
        "?upto=999999&open=0",
        "?depth=99999999999999999999",
        "?agent=nobody&depth=2",
    ],
)
def test_an_address_that_makes_no_sense_shows_what_does(opened, query):
    assert tree(opened, query).rows


LARGE = [
    ("quixo", "?depth=3&open=0.0"),
    ("quixo", "?depth=2&algorithm=minimax&open=20"),
    ("nim", "?depth=3&open=0.0"),
    ("nim:preset=twenty-one", "?depth=9&open=0.0.0.0.0.0.0.0"),
    ("tictactoe", "?depth=9&open=0.0.0.0.0.0.0.0.0"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "query"), LARGE)
def test_no_page_of_a_tree_weighs_more_than_100_kilobytes(visitor, game, query):
    visitor.opens(game, "", SEARCHER)
    page = visitor.get(f"{visitor.path}/tree{query}")
    assert visitor.seen["tree"].rows
    assert len(page.data) < 100_000


def test_recorded_searches_are_kept_within_bytes_and_the_last_stays(start, monkeypatch):
    thinking = start().extensions["zermelo"][WorkerPool]
    plans = [Plan(Algorithm.ALPHABETA, depth) for depth in (4, 5, 6)]
    questions = [TreeRequest("tictactoe", None, ("b2",), plan) for plan in plans]
    sizes = [answered(thinking, question).result.size for question in questions]
    monkeypatch.setattr(pool, "MAX_CACHED_BYTES", sizes[-1] + 1)
    answered(thinking, questions[-1])
    answered(thinking, TreeRequest("tictactoe", None, ("b2",), Plan(Algorithm.ALPHABETA, 1)))
    assert [question in thinking._pending for question in questions] == [False, False, True]


def answered(thinking, question) -> Answer:
    return thinking.ask(question, 1.0).wait(0)


def test_the_panel_leads_to_the_tree_of_who_searches_so(opened):
    assert opened.at("?values=1").analysis.links.tree == f"{opened.path}/tree?ply=4&agent=alphabeta"
    assert opened.at("?values=1&agent=random").analysis.links.tree == ""


def asked(view):
    """The question that the page offers for a class, and its truth."""
    posed = parse_question(dict(parse_qsl(urlsplit(view.ask_url).query)))
    return posed, truth_of(posed).shown


def test_a_class_is_asked_about_the_move_that_waits(opened):
    view = tree(opened, "?depth=9&upto=2")
    posed, shown = asked(view)
    move = posed.truth.split()[1]
    whole = searched(played("tictactoe", MOVES))
    spot = whole.spots(whole.path_to(2))[-1]
    looked = {str(one.move): one.spot is not None for one in whole.tried(spot)}
    assert view.ask == f"Ask the class: will it look at {move}?"
    assert shown == ("yes" if looked[move] else "no")


def test_a_move_that_was_cut_off_is_not_looked_at_and_at_the_root_the_position_is_asked(opened):
    view = tree(opened, "?depth=9&open=1")
    posed, shown = asked(view)
    assert (posed.moves, shown) == ((view.crumbs[0].text,), "no")
    view = tree(opened, "?depth=9")
    assert view.ask == "Ask the class"
    assert "truth" not in view.ask_url
