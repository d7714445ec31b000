"""Exhibits on the page of a match: opened, stepped through, closed, true of the move."""

import re
from math import exp, log
from random import Random

import pytest

from agents import Limit, load_agent
from agents.exhibits import KINDS
from agents.roster import agents_for
from engine import Match, load_game
from engine.catalog import catalog
from tests.positions import random_match
from tests.webapp.visitor import HTMX, Never, Visitor, use_pool
from webapp.boards import board_for, picture_for
from webapp.exhibits import VIEWS
from webapp.learn.widgets.learning import AgedBox
from webapp.services import NAME
from webapp.workers.pool import WorkerPool

SHOWING = [
    (entry.key, agent.key)
    for entry in catalog()
    for agent in agents_for(load_game(entry.key))
    if agent.shows
]
LARGEST_PAGE = 100_000


@pytest.fixture
def visitor(start):
    """Agents end by bounds of their own: how far one comes in half a second, the machine says."""
    return Visitor(start(think_seconds=60.0))


def open_exhibit(visitor, game, agent, query="", **fields):
    visitor.begins(game, agent, **fields)
    return visitor.at(f"?values=1&show=1{query}").analysis


def test_every_kind_has_a_view():
    assert set(VIEWS) == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "agent"), SHOWING)
def test_every_exhibit_that_can_be_opened_is_a_page_of_decent_size_and_keeps_focus(
    start, game, agent
):
    visitor = Visitor(start(pool_first_grace=600))
    visitor.begins(game, agent)
    answer = visitor.get(f"{visitor.path}?values=1&show=1")
    assert visitor.seen["match"].analysis.exhibit is not None
    head = answer.text.partition('<section id="exhibit"')[2]
    swapping = re.findall(r"<a [^>]*hx-get[^>]*>", head)
    assert swapping
    assert [link for link in swapping if " id=" not in link] == []  # by which htmx finds it again
    assert len(answer.data) < LARGEST_PAGE


@pytest.mark.parametrize(
    ("game", "agent", "query", "fields"),
    [
        ("quixo", "mcts", "&part=tree&open=0.0.0", {}),
        ("nim", "mcts", "&part=tree&open=0.0.0.0", {}),
        ("nim", "mcts", "&part=tree&open=0.0", {"preset": "custom", "nim.heaps": "12-" * 7 + "12"}),
        ("nim", "minimax:depth=2", "", {"preset": "custom", "nim.heaps": "12-" * 7 + "12"}),
        ("quixo", "quixo-deep:depth=4", "&part=line&step=1", {}),
    ],
)
def test_the_largest_exhibits_are_pages_of_decent_size(visitor, game, agent, query, fields):
    open_exhibit(visitor, game, agent, query, **fields)
    answer = visitor.get(f"{visitor.path}?values=1&show=1{query}")
    assert len(answer.data) < LARGEST_PAGE


@pytest.mark.parametrize(
    ("game", "agent", "query", "url"),
    [
        ("nim", "nim-expert", "", "?values=1&show=1"),
        ("nim", "nim-expert", "?values=1", "?values=1&show=1"),
        ("tictactoe", "random", "?values=1&show=1", None),
    ],
)
def test_nothing_is_opened_unless_asked_for_nor_where_there_is_nothing(
    visitor, game, agent, query, url
):
    visitor.begins(game, agent)
    panel = visitor.at(query).analysis
    assert (panel.exhibit, panel.links.show_url) == (None, url and visitor.path + url)


def test_an_open_exhibit_stays_open_after_a_move(visitor):
    visitor.begins("tictactoe", "menace:games=100")
    answer = visitor.does("moves", move="b2", values="1", show="1")
    assert answer.location == f"{visitor.path}?values=1&show=1"


def test_the_panel_beside_it_is_of_the_same_thought(visitor):
    panel = open_exhibit(visitor, "tictactoe", "menace:games=1000")
    drawn = panel.rows[0].move
    assert f"of them for {drawn}" in panel.reason
    assert drawn in " ".join(colour.moves for colour in panel.exhibit.colours).split()


def test_with_its_exhibit_open_the_thought_that_moves_is_the_one_that_is_shown(visitor):
    visitor.begins("tictactoe", "mcts:simulations=50", starts="opponent")
    first = visitor.at("?values=1&show=1").analysis.rows[0].move
    pool = visitor.app.extensions[NAME][WorkerPool]
    thoughts = len(pool._pending)
    visitor.does("reply", values="1", show="1")
    assert (visitor.record["moves"], len(pool._pending)) == ([first], thoughts)


# --- the board's own aid


def test_the_nim_sum_is_shown_on_request_and_then_stays(visitor):
    visitor.begins("nim", "greedy-heap")
    assert not visitor.match.board.aid
    assert visitor.match.aid_url == f"{visitor.path}?aid=1"
    assert visitor.at("?aid=1").board.aid
    assert visitor.does("moves", move="e1", aid="1").location == f"{visitor.path}?aid=1"


# --- matchbox


def test_with_its_box_open_or_being_opened_the_machine_waits_for_the_press(visitor):
    visitor.begins("tictactoe", "menace:games=1000", starts="opponent")
    shut, open_ = visitor.match.reply, visitor.at("?values=1&show=1").reply
    assert (shut.automatic, shut.label) == (True, "Let it move")
    assert (open_.automatic, open_.label) == (False, "Draw a bead")
    assert visitor.at("?values=1&show=1").status == "MENACE · 1,000 games to move"
    use_pool(visitor.app, Never())
    opening = visitor.at("?values=1&show=1")
    assert opening.analysis.pending
    assert (opening.reply.automatic, opening.reply.label) == (False, "Let it move")
    assert ">Its head</a>" in visitor.get(f"{visitor.path}?values=1&show=1").text
    visitor.begins("tictactoe", "random", starts="opponent")
    assert visitor.at("?values=1&show=1&agent=menace").reply.automatic  # someone else's thoughts


def test_its_boxes_come_in_pages(visitor):
    query = "&part=boxes&step=27"
    last = open_exhibit(visitor, "tictactoe", "menace:games=100", query).exhibit.shelf
    assert len(last.boxes) == 627 - 26 * 24
    assert [page.label for page in last.pages] == ["1", "26", "27"]
    beyond = visitor.at("?values=1&show=1&part=boxes&step=999").analysis.exhibit.shelf
    assert beyond == last


def test_a_younger_machine_can_be_looked_at_and_played(visitor):
    exhibit = open_exhibit(visitor, "tictactoe", "menace").exhibit
    young = exhibit.ages[1]
    visitor.get(young.link.url)
    assert visitor.seen["match"].analysis.title == "What would MENACE · 10 games do here?"
    visitor.begins(**dict(exhibit.begin), opponent=young.spec)
    assert visitor.record["players"][1] == "menace:games=10"


def finished(visitor):
    """A game against the machine to its end, and what it would learn from that."""
    visitor.begins("tictactoe", "menace:games=1000")
    while visitor.match.outcome is None:
        state = load_game("tictactoe").parse_state(visitor.record["state"])
        visitor.moves(str(state.legal_moves()[0]))
        if visitor.match.outcome is None:
            visitor.hears()
    return visitor.at("?values=1&show=1").analysis.exhibit


def change(lesson):
    before, after = (int(text.replace(",", "")) for text in (lesson.colour.count, lesson.after))
    return after - before


def test_after_a_game_the_boxes_it_opened_say_what_would_come_and_go(visitor):
    taught = finished(visitor)
    won, drew, lost = (word in taught.sentence for word in ("It won", "It drew", "It lost"))
    assert {change(lesson) for lesson in taught.lessons} <= {3 * won + drew - lost}
    plies = [lesson.ply for lesson in taught.lessons]
    turns = list(range(2, len(visitor.record["moves"]) + 1, 2))
    assert set(plies) <= set(turns)
    assert ("without a bead" in taught.sentence) == (plies != turns)


def test_the_end_offers_what_it_would_learn_and_asks_until_its_boxes_were_looked_into(visitor):
    finished(visitor)
    assert visitor.match.analysis.links.lesson_url == f"{visitor.path}?values=1&show=1"
    use_pool(visitor.app, Never())
    answer = visitor.get(f"{visitor.path}?values=1&show=1")
    analysis = visitor.seen["match"].analysis
    assert (analysis.exhibit, analysis.pending) == (None, True)
    assert f'hx-get="{analysis.links.retry}"' in answer.text.replace("&amp;", "&")
    assert "Look again" in answer.text


# --- numbers


def test_a_move_that_was_never_tried_is_drawn_differently(visitor):
    exhibit = open_exhibit(visitor, "quixo", "qlearning").exhibit
    rows = [*exhibit.rows, *exhibit.rest]
    untried = [row for row in rows if row.tone == "never"]
    assert all(row.value == "never tried" for row in untried)
    assert re.match(r"It remembers [\d,]+ positions of at most [\d,]+ there can be", exhibit.known)


# --- samples


def test_the_growth_of_an_opinion_can_be_stepped_through(visitor):
    exhibit = open_exhibit(visitor, "tictactoe", "mcts:simulations=60", "&step=10").exhibit
    assert [step.label for step in exhibit.steps] == ["1", "2", "5", "10", "20", "50", "60"]
    assert [step.label for step in exhibit.steps if step.current] == ["10"]
    assert exhibit.sentence.startswith("After 10 games it has tried ")
    visitor.get(exhibit.more[0].url)
    assert visitor.seen["match"].analysis.exhibit.steps[-1].label == "160"


# --- genes


def test_a_gene_is_changed_by_a_link_and_an_ancestor_played(visitor):
    exhibit = open_exhibit(visitor, "nim", "es-rules:odd=40", preset="marienbad").exhibit
    less, more = exhibit.genes[0].changes
    visitor.get(more.url)
    changed = visitor.seen["match"].analysis.exhibit
    assert (exhibit.genes[0].worth, changed.genes[0].worth) == ("40%", "50%")
    assert "as it evolved" in changed.consequence
    visitor.begins(**dict(exhibit.begin), opponent=exhibit.ancestors[0].spec)
    assert visitor.record["game"] == "nim:heaps=1-3-5-7"
    assert visitor.record["players"][1] == "es-rules:generations=1"
    assert less.label == "less odd"


def test_evolved_quixo_has_weights_by_line_kind_and_ancestors_to_play(visitor):
    exhibit = open_exhibit(visitor, "quixo", "quixo-evolved:depth=1").exhibit
    assert exhibit.columns[0] == "line"
    own, theirs, results = (figure.chart for figure in exhibit.figures)
    assert (own.presses, theirs.presses) == ((), ())  # along cubes, not generations
    visitor.get(results.presses[1].url)
    earlier = visitor.seen["match"].analysis.exhibit
    assert earlier.sentence.endswith(f"weights of {results.presses[1].label}.")
    assert earlier.genes != exhibit.genes
    visitor.begins(**dict(exhibit.begin), opponent=exhibit.ancestors[0].spec)
    assert visitor.record["players"][1] == "quixo-evolved:depth=1,ancestor=1"


def test_the_tree_that_grew_is_opened_row_by_row(visitor):
    game = load_game("tictactoe")
    shut = open_exhibit(visitor, "tictactoe", "mcts:simulations=200", "&part=tree").exhibit
    assert [row.title for row in shut.growth.rows] == ["x to move"]
    corner = shut.growth.rows[0].nodes[0]
    visitor.get(corner.url)
    first, second = visitor.seen["match"].analysis.exhibit.growth.rows
    assert [node.move for node in first.nodes if node.framed] == [corner.move]
    assert second.title == "o answers"
    after = game.start.play(game.parse_move(corner.move))
    reply = game.parse_move(second.nodes[0].move)
    assert second.nodes[0].board == picture_for(game, after.play(reply), reply)


def test_a_path_that_leads_nowhere_opens_as_much_as_there_is(visitor):
    panel = open_exhibit(visitor, "tictactoe", "mcts:simulations=50", "&part=tree&open=0.99.7")
    assert [row.title for row in panel.exhibit.growth.rows] == ["x to move", "o answers"]
    assert visitor.at("?values=1&show=1&part=tree&open=x.-1").analysis.exhibit.growth.rows


def test_what_is_not_drawn_of_a_row_can_be_opened_from_a_list(visitor):
    growth = open_exhibit(visitor, "nim", "mcts:simulations=200", "&part=tree").exhibit.growth
    (row,) = growth.rows
    assert (len(row.nodes), len(row.others)) == (9, 16)
    fields = "&".join(f"{name}={value}" for name, value in growth.fields)
    visitor.get(f"{growth.action}?{fields}&open={row.others[-1].value}")
    opened = visitor.seen["match"].analysis.exhibit.growth.rows[0]
    assert [node.move for node in opened.nodes if node.framed] == [
        row.others[-1].label.partition(":")[0]
    ]


# --- deepening


def test_there_is_an_arrow_for_each_push_that_leads_to_a_board_of_its_own(visitor):
    exhibit = open_exhibit(visitor, "quixo", "quixo-deep:depth=3").exhibit
    start = load_game("quixo").start
    boards = {start.play(move) for move in start.legal_moves()}
    assert len(exhibit.pushes) == len({push.arrow for push in exhibit.pushes}) == len(boards)
    assert exhibit.sentence.startswith(
        "44 moves lead to 16 boards, 3 of them when mirror images count once."
    )


def test_the_engine_says_that_its_value_is_the_mean_of_an_even_and_an_odd_depth(visitor):
    panel = open_exhibit(visitor, "quixo", "quixo-deep:depth=4")
    *_, (_, odd, _, _), (_, even, _, _) = panel.exhibit.depths
    told = panel.exhibit.pushes[0].value
    assert len({odd, told, even}) == 3
    assert panel.exhibit.swings.endswith(
        f"an even and an odd depth: {even} at 4 and {odd} at 3 plies make {told}."
    )
    assert told.lstrip("+") == panel.rows[0].value


@pytest.mark.slow
def test_what_the_engine_tells_is_halfway_between_its_last_two_depths_in_log_odds():
    """Over positions of many games; (1 + value) / 2 is its chance to win."""
    game, rng = load_game("quixo"), Random(3)
    matches = [random_match(game, rng.randint(0, 12), rng) for _ in range(12)]
    found = 0
    for match in (match for match in matches if match.outcome() is None):
        for depth in (3, 4):
            agent = load_agent(f"quixo-deep:depth={depth}", game)
            shown = agent.analyse(match.state, limit=Limit(), rng=Random(1), show=True)
            values = [each.value for each in shown.exhibit.depths[-2:]]
            if shown.exhibit.branches[0].sure or max(map(abs, values)) == 1:
                continue
            odds = [log((1 + value) / (1 - value)) for value in values]
            told = 2 / (1 + exp(-sum(odds) / 2)) - 1
            assert shown.exhibit.branches[0].value == pytest.approx(told, abs=0.005)
            found += 1
    assert found > 12


# --- what it expects


@pytest.mark.parametrize(
    ("game", "agent"),
    [("tictactoe", "mcts:simulations=100"), ("tictactoe", "perfect"), ("nim", "minimax:depth=3")],
)
def test_the_line_it_expects_is_played_out_on_the_board(visitor, game, agent):
    visitor.begins(game, agent)
    panel = visitor.at("?values=1").analysis
    assert (panel.line.shown, panel.line.back.current) == (None, True)
    moves = [load_game(game).parse_move(str(step.move)) for step in panel.line.steps]
    foreseen = Match.replay(load_game(game), moves[:2])
    visitor.get(panel.line.steps[1].link.url)
    match = visitor.seen["match"]
    board = board_for(foreseen, ply=2, may_move=False, last_move=moves[1])
    assert match.board == board
    assert match.status.startswith(f"What it expects: after 2 of {len(moves)}, {moves[1]}")
    assert match.analysis.line.steps[1].picture == picture_for(
        load_game(game), foreseen.state, moves[1]
    )
    visitor.get(match.analysis.line.back.url)
    assert visitor.seen["match"].status == "Your move"


def test_a_step_that_no_line_has_leaves_the_board_as_it_is(visitor):
    visitor.begins("tictactoe", "perfect")
    assert visitor.at("?values=1&part=line&step=99").status == "Your move"


# --- compare


def test_two_analysts_stand_side_by_side_on_the_same_position(visitor):
    visitor.begins("tictactoe", "random")
    visitor.get(f"{visitor.path}/compare?agent=perfect&versus=minimax&depth=2")
    told = visitor.seen["match"].comparison
    assert told.names == ("Perfect", "Minimax · depth 2")
    moves = [move for row in told.rows for move in row.moves.split()]
    assert sorted(moves) == sorted(str(move) for move in load_game("tictactoe").start.legal_moves())
    assert [sum(row.chosen[at] for row in told.rows) for at in (0, 1)] == [1, 1]
    assert visitor.get(told.close).status_code == 200
    assert visitor.seen["match"].comparison is None


def test_both_of_two_analysts_think_about_one_position_within_one_limit(visitor, monkeypatch):
    visitor.begins("tictactoe", "random")
    asked, thinking = [], visitor.app.extensions[NAME][WorkerPool]
    ask = thinking.ask

    def noting(question, seconds, rank, whose):
        asked.append((question, seconds, rank))
        return ask(question, seconds, rank, whose)

    monkeypatch.setattr(thinking, "ask", noting)
    visitor.get(f"{visitor.path}/compare?agent=alphabeta&versus=mcts")
    compared = {(q.agent.partition(":")[0], q.game, q.moves, *how) for q, *how in asked}
    assert {agent for agent, *_ in compared} == {"alphabeta", "mcts"}
    assert len({tuple(rest) for _, *rest in compared}) == 1


def test_a_rival_that_cannot_play_is_a_message_on_the_board(visitor):
    visitor.begins("tictactoe", "random")
    answer = visitor.get(f"{visitor.path}/compare?versus=nim-sum", **HTMX)
    assert (answer.status_code, visitor.seen["match"].comparison) == (422, None)


def test_a_move_keeps_the_colour_of_its_beads_at_every_stage_and_in_the_lesson(visitor):
    young, old = (
        open_exhibit(visitor, "tictactoe", f"menace:games={games}").exhibit for games in (10, 2000)
    )
    colours = [
        {colour.moves: (colour.number, colour.letter) for colour in exhibit.colours}
        for exhibit in (young, old, AgedBox("tictactoe", "10").exhibit)
    ]
    assert colours[0] == colours[1] == colours[2]
    assert len(set(colours[0].values())) == len(colours[0]) == 3
    counts = [[colour.count for colour in exhibit.colours] for exhibit in (young, old)]
    assert counts[0] != counts[1]
    match = visitor.seen["match"]
    labels = {cell.name: cell.badge.label for row in match.board.rows for cell in row.cells}
    assert labels["a3"].endswith("beads, shared by a1, c1, a3 and c3")
    held = sum(int(colour.count.replace(",", "")) for colour in old.colours)
    assert f" {held:,} beads" in old.sentence
