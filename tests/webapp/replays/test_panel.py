"""The analysis panel and hints."""

from dataclasses import replace

import pytest

from agents import load_agent
from agents.core import Candidate
from agents.roster import agents_for
from engine import load_game
from engine.catalog import catalog
from tests.webapp.visitor import HTMX, Never, Visitor, use_pool
from webapp.analysis.summary import outlook_text
from webapp.boards import move_text
from webapp.workers.pool import WorkerPool

EVERYONE = [
    (entry.key, agent.key) for entry in catalog() for agent in agents_for(load_game(entry.key))
]


def panel_of(visitor, query):
    answer = visitor.get(f"{visitor.path}/analysis{query}", **HTMX)
    assert answer.status_code == 200
    assert visitor.template == "replays/_analysis.html"
    return visitor.seen["analysis"]


def test_nothing_is_thought_until_someone_asks(start):
    visitor = Visitor(start(Never))
    assert not visitor.begins("tictactoe", "perfect").analysis.asked


def test_the_panel_gives_every_legal_move_its_value(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b1")
    panel = panel_of(visitor, "?agent=perfect")
    told = {move: row for row in panel.rows for move in (row.move, *row.others)}
    assert set(told) == {"c1", "a2", "b2", "c2", "a3", "b3", "c3"}
    assert (told["a2"].glyph, told["a2"].meaning, told["a2"].value) == ("▲", "win", "win in 5")
    assert panel.verdict == "Player x wins in 5 with best play."
    assert panel.balance == 1.0


def test_what_is_not_proven_is_a_lead(visitor):
    visitor.begins("quixo", "alphabeta:depth=1")
    visitor.moves("c1-c5")
    panel = panel_of(visitor, "?ply=1&agent=alphabeta:depth=1")
    best = panel.rows[0]
    assert float(best.value) > 0
    assert panel.verdict == f"Alpha-beta · depth 1 is ahead ({best.value})."
    assert panel.effort.startswith("It looked at 17 positions, 1 move deep")


@pytest.mark.stores
@pytest.mark.parametrize("agent", ["random", "mcts:simulations=50"])
def test_the_panel_shows_the_thought_that_moved_which_is_kept_and_another_is_said_to_be(
    visitor, agent
):
    visitor.begins("tictactoe", agent)
    visitor.moves("b2")
    visitor.hears()
    assert panel_of(visitor, "?ply=1&agent=perfect").again
    assert not panel_of(visitor, "?agent=perfect").again
    visitor.app.extensions["zermelo"][WorkerPool].ask = None
    panel = panel_of(visitor, "?ply=1")
    played = visitor.record["moves"][1]
    assert [row.move for row in panel.rows if row.chosen] == [panel.rows[0].move] == [played]
    assert not panel.again
    assert played in panel.reason


def test_an_imported_match_is_thought_about_again(visitor):
    visitor.opens("tictactoe", "b2 a1", ("person", "perfect"))
    assert panel_of(visitor, "?ply=1").again


@pytest.mark.parametrize(
    ("agent", "verdict"),
    [
        ("greedy-heap", "It always plays a1 here."),
        ("random", "It plays any of these 25 moves, each as often as the next."),
    ],
)
def test_no_lead_is_claimed_from_what_is_no_value(visitor, agent, verdict):
    visitor.begins("nim", agent)
    panel = visitor.at("?values=1").analysis
    assert (panel.verdict, panel.balance) == (verdict, None)


def test_the_line_it_expects_begins_with_the_move_it_chose(visitor):
    first = set()
    for _ in range(12):  # it draws one of four corners
        visitor.begins("tictactoe", "perfect")
        panel = visitor.at("?values=1").analysis
        chosen = next(row.move for row in panel.rows if row.chosen)
        assert str(panel.line.steps[0].move) == chosen
        first.add(chosen)
    assert len(first) > 1
    visitor.begins("tictactoe", "qlearning")  # looks no further than its move
    assert visitor.at("?values=1").analysis.line is None


@pytest.mark.slow
@pytest.mark.parametrize(("game", "agent"), EVERYONE)
def test_every_agent_of_the_roster_fills_the_panel(start, game, agent):
    visitor = Visitor(start(pool_first_grace=600))
    visitor.begins(game, agent)
    panel = visitor.at("?values=1").analysis
    assert panel.failed is None
    assert panel.reason
    assert panel.rows


def test_a_thought_that_takes_longer_is_asked_for_again(start):
    visitor = Visitor(start(Never))
    visitor.begins("tictactoe", "perfect")
    match = visitor.at("?values=1")
    assert match.analysis.pending
    asked = f"{visitor.path}?values=1&known=0-10"
    assert (match.analysis.links.retry, match.analysis.links.target) == (asked, "#match")
    links = panel_of(visitor, "?ply=0").links
    assert (links.retry, links.target) == (f"{visitor.path}/analysis?ply=0", "#analysis")


def test_when_the_game_is_over_there_is_nothing_to_think_about(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b1", "a2", "b2", "a3")
    assert panel_of(visitor, "").failed.startswith("The game is over here")


@pytest.mark.parametrize("agent", ["nobody", "perfect:skill=9", "perfect:depth=1", "x" * 600])
def test_an_agent_that_cannot_be_asked_is_a_message_on_the_board(visitor, agent):
    visitor.begins("nim", "person")
    answer = visitor.get(f"{visitor.path}/analysis?agent={agent}")
    assert answer.status_code == 422
    assert visitor.seen["match"].message.text


@pytest.mark.parametrize(
    ("sent", "depth", "deep"), [("1", "1", 1), ("999", "2", 2), ("many", "2", 2), ("", "2", 2)]
)
def test_how_deep_the_analyst_looks_can_be_set_within_its_bounds(visitor, sent, depth, deep):
    visitor.begins("tictactoe", "alphabeta:depth=2")
    panel = panel_of(visitor, f"?depth={sent}")
    named = "it" if depth == "2" else f"Alpha-beta · depth {depth}"  # 2 is what it plays at
    assert panel.title == f"What would {named} do here?"
    assert [(field.name, field.value) for field in panel.settings] == [("depth", depth)]
    assert f"{deep} {'move' if deep == 1 else 'moves'} deep" in panel.effort


def test_a_setting_that_an_analyst_does_not_have_is_left_aside(visitor):
    visitor.begins("quixo", "quixo-deep:level=casual")
    assert panel_of(visitor, "?agent=random&level=casual&depth=3").title == (
        "What would Random do here?"
    )
    level, depth = panel_of(visitor, "?level=steady").settings
    assert [choice.label for choice in level.choices if choice.chosen] == ["Steady"]
    assert depth.name == "depth"


def test_while_a_watched_machine_thinks_the_last_thought_stays(start):
    app = start()
    watcher = Visitor(app)
    watcher.begins("tictactoe", "random", mode="watch", rival="random")
    watcher.hears()
    use_pool(app, Never())
    match = watcher.at("?values=1")
    assert match.analysis.pending
    assert match.analysis.rows[0].move == watcher.record["moves"][0]
    assert match.analysis.before.endswith(f"Before, of {match.analysis.rows[0].move}:")
    assert not match.analysis.values


def test_a_hint_names_a_move_and_its_reason_in_ones_own_match(visitor, stranger):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b1")
    visitor.get(f"{visitor.path}/hint")
    hint = visitor.seen["match"].hint
    assert hint.text == f"Mark {hint.move}: that wins."
    assert visitor.seen["match"].status == hint.text
    stranger.get(f"{visitor.path}/hint")
    assert stranger.seen["match"].hint is None


def test_a_hint_that_takes_longer_is_asked_for_again(start):
    visitor = Visitor(start(Never))
    visitor.begins("tictactoe", "person")
    visitor.get(f"{visitor.path}/hint")
    hint = visitor.seen["match"].hint
    assert (hint.move, hint.retry) == (None, f"{visitor.path}?hint=1&known=0-01")


def test_a_hint_and_the_values_stand_together(visitor):
    visitor.begins("tictactoe", "person")
    hint = visitor.at("?values=1").actions.hint
    visitor.get(hint)
    seen = visitor.seen["match"]
    assert (bool(seen.hint.move), bool(seen.analysis.rows)) == (True, True)
    badges = [cell.badge for row in seen.board.rows for cell in row.cells if cell.badge]
    assert (len(badges), seen.values_url) == (9, f"{visitor.path}?hint=1")
    assert visitor.at("?hint=1").values_url == f"{visitor.path}?hint=1&values=1"


@pytest.mark.parametrize("query", ["values=1", "hint=1", "values=1&hint=1"])
def test_while_nothing_is_worked_out_whoever_asks_again_gets_nothing(start, query):
    visitor = Visitor(start(Never))
    visitor.begins("tictactoe", "person")
    visitor.get(f"{visitor.path}?{query}", **HTMX)
    match = visitor.seen["match"]
    retry = match.hint.retry if match.hint else match.analysis.links.retry
    assert visitor.get(retry, **HTMX).status_code == 204
    assert visitor.get(retry).status_code == 200


def test_whoever_asks_again_sees_what_happened_meanwhile(start):
    visitor = Visitor(start(Never))
    visitor.begins("tictactoe", "person")
    visitor.get(f"{visitor.path}?values=1", **HTMX)
    retry = visitor.seen["match"].analysis.links.retry
    visitor.moves("b2")
    answer = visitor.get(retry, **HTMX)
    assert (answer.status_code, visitor.seen["match"].ply) == (200, 1)


def test_results_of_games_are_told_as_so_many_in_ten_and_judgements_are_not(start):
    visitor = Visitor(start(think_seconds=60.0))  # until its 500 playouts are done
    visitor.begins("tictactoe", "person")
    panel = visitor.at("?values=1&agent=mcts:simulations=500").analysis
    best = max(candidate.value for candidate in panel.values.values())
    won = round(10 * (1 + abs(best)) / 2)
    assert 5 < won < 10  # or it would be told in other words
    assert f"wins {won} times in 10 from here in its playouts" in panel.verdict
    judged = visitor.at("?values=1&agent=alphabeta:depth=2").analysis
    assert "in 10" not in judged.verdict


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("", "that leaves you even"),
        ("xx./oo./... x", "that wins"),
        ("x.x/.o./... o", "that holds the draw"),
    ],
)
def test_a_hint_says_what_the_move_leads_to(visitor, moves, says):
    """Asserted of the sentence, with candidates made by hand for what no agent is unsure of."""
    game = load_game("tictactoe")
    state = game.parse_state(moves) if moves else game.start
    analysis = load_agent("perfect", game).analyse(state)
    chosen = analysis.chosen if moves else Candidate(analysis.choice, 0.01, 1.0)
    assert outlook_text(chosen) == says
    assert outlook_text(replace(chosen, value=0.13, proven=False)) == (
        "that leaves you a little ahead"
    )
    assert outlook_text(replace(chosen, value=-0.4, proven=False)) == "that leaves you behind"


@pytest.mark.parametrize(
    ("spec", "move", "says"),
    [
        ("quixo", "a2-a5", "Take a2 and push it in at the top of column a"),
        ("quixo", "a2-a1", "Take a2 and push it in at the bottom of column a"),
        ("quixo", "c1-a1", "Take c1 and push it in on the left of row 1"),
        ("quixo:size=3", "a2-c2", "Take a2 and push it in on the right of row 2"),
        ("nim", "d4", "Take 4 from row d"),
        ("tictactoe", "b2", "Mark b2"),
    ],
)
def test_a_move_is_said_about_the_board(spec, move, says):
    game = load_game(spec)
    assert move_text(game, game.start, game.parse_move(move)) == says


def test_why_comes_first_and_is_what_the_opponent_said_of_its_last_move(visitor):
    visitor.begins("tictactoe", "alphabeta")
    assert visitor.at("").why is None
    visitor.moves("a1")
    visitor.does("reply")
    last = visitor.record["moves"][-1]
    closed = visitor.at("")
    assert (closed.why.move, closed.why.panel) == (last, None)
    opened = visitor.at("?why=1")
    assert str(opened.why.panel.analysis.choice) == last
    assert last in opened.why.panel.reason
    assert opened.analysis.title == "What would it do here?"
    assert not opened.board.rows[0].cells[0].badge  # of the position before
    assert "why=1" in visitor.at("?why=1").values_url


def test_no_fact_is_said_twice_and_agents_have_their_names(visitor):
    visitor.begins("nim", "person")
    panel = visitor.at("?values=1&agent=alphabeta").analysis
    assert panel.effort.startswith("It looked at ")
    assert not {"positions looked at", "plies ahead"} & {name for name, _ in panel.evidence}
    for agent in ("es-rules", "qlearning"):
        facts = " ".join(sum(visitor.at(f"?values=1&agent={agent}").analysis.evidence, ()))
        assert "random:" not in facts
        assert ("itself" in facts) or ("random (by heap)" in facts)
