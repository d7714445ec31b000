"""The page of a machine: analysis of its showpiece position, and measured results."""

import re
from html import unescape

import pytest

from agents.contest.ratings import Score
from agents.contest.strength import measured_fields
from agents.roster import BUILT_IN, agents_for, find_agent, load_agent
from engine import Match, load_game
from engine.catalog import catalog
from tests.webapp.visitor import HTMX
from webapp.machines.analysis import Demonstration, shown_game
from webapp.machines.origins import DEFAULT_SHOWPIECES, ORIGINS, SHOWPIECES, TAGLINES, showpiece
from webapp.machines.page import MachinePage, extremes_text
from webapp.machines.query import MachineQuery

KEYS = [entry.key for entry in BUILT_IN]
SLOW = {("perfect", "quixo")}  # all of 4×4 Quixo is solved first
SHOWN = [
    (entry.key, game.key)
    for entry in BUILT_IN
    for game in catalog()
    if entry in agents_for(load_game(game.key)) and (entry.key, game.key) not in SLOW
]


def page(visitor, key, query=""):
    answer = visitor.get(f"/machines/{key}{query}")
    assert answer.status_code == 200
    assert len(answer.data) < 100_000
    return visitor.seen["machine"]


def position(key, game):
    rules = load_game(game)
    moves = [rules.parse_move(text) for text in showpiece(key, game).moves.split()]
    return Match.replay(rules, moves)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "game"), SHOWN)
def test_its_own_exhibit_is_there_and_says_what_it_plays(visitor, key, game):
    view = page(visitor, key, f"?game={game}")
    thought = view.thought
    assert not thought.pending
    assert not thought.failed
    assert (thought.exhibit is not None) == find_agent(key).shows
    assert bool(thought.rows) != (find_agent(key).shows or bool(thought.tree))
    named = set(re.findall(r"[a-e][0-9](?:-[a-e][0-9])?", thought.reason))
    legal = {str(move) for move in position(key, game).state.legal_moves()}
    assert not named or named & legal, thought.reason


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("game", DEFAULT_SHOWPIECES)
def test_every_position_worth_seeing_is_reached_by_play_and_open(key, game):
    assert position(key, game).outcome() is None


@pytest.mark.parametrize(("key", "game"), SHOWPIECES)
def test_positions_of_their_own_are_for_machines_that_play_the_game(key, game):
    assert find_agent(key) in agents_for(load_game(game))


def values(state, game):
    """move -> exact value, by the solver."""
    analysis = load_agent("perfect", load_game(game)).analyse(state)
    return {str(candidate.move): candidate.value for candidate in analysis.candidates}


def test_the_position_of_nim_has_one_good_answer_and_in_that_of_tic_tac_toe_one_can_go_wrong():
    found = values(position("random", "nim").state, "nim")
    assert sum(value > 0 for value in found.values()) == 1
    found = values(position("random", "tictactoe").state, "tictactoe")
    assert set(found.values()) == {0.0, -1.0}
    for key in ("minimax", "alphabeta"):  # all but one answer to the threat are lost
        found = values(position(key, "tictactoe").state, "tictactoe")
        assert {move for move, value in found.items() if value == 0} == {"a1"}


def test_where_the_nim_sum_is_led_astray_it_gives_a_won_game_away():
    state = position("nim-sum", "nim").state
    found = values(state, "nim")
    plays = {
        agent: str(load_agent(agent, load_game("nim")).analyse(state).choice)
        for agent in ("nim-sum", "nim-expert")
    }
    assert (found[plays["nim-sum"]], found[plays["nim-expert"]]) == (-1.0, 1.0)


def test_the_opportunist_takes_what_is_there():
    match = position("opportunist", "tictactoe")
    choice = load_agent("opportunist", match.game).analyse(match.state).choice
    assert match.play(choice).outcome().winner is match.state.to_move


@pytest.mark.parametrize("key", ["random", "nim-sum", "menace", "minimax"])
def test_what_it_is_good_and_bad_at_is_what_was_measured(visitor, key):
    view = page(visitor, key)
    game = shown_game(find_agent(key), "").key
    fields = [
        field
        for spec, field in measured_fields().items()
        if spec.partition(":")[0] == game and key in field.agents
    ]
    assert len(view.results) == len(fields)
    for field, result in zip(fields, view.results, strict=True):
        met = [(other, score) for other, score in field.met(key) if other in field.agents]
        met.sort(key=lambda each: (-each[1].rate, each[0]))
        assert {row.title: row.share for row in result.rows} == {
            find_agent(other).title: round(score.rate, 4) for other, score in met
        }
        shares = [row.share for row in result.rows]
        assert shares == sorted(shares, reverse=True)
        assert result.extremes == extremes_text(met)
        assert f"{result.rows[0].points} of the points" in result.extremes
        assert result.meter.share == round(field.strength(key).rate, 4)


@pytest.mark.parametrize(
    ("wins", "told"),
    [
        ({"random": 9}, "Against Random: 90% of the points."),
        ({"random": 9, "minimax": 9}, "Against everyone: 90% of the points."),
        (
            {"random": 9, "minimax": 2},
            "Best against Random: 90% of the points. Worst against Minimax: 20% of the points.",
        ),
        (
            {"random": 9, "minimax": 9, "alphabeta": 9, "mcts": 9, "perfect": 0},
            "Best against Random, Minimax and 2 others: 90% of the points. "
            "Worst against Perfect: 0% of the points.",
        ),
    ],
)
def test_best_and_worst_are_named_where_there_are_any(wins, told):
    assert extremes_text([(key, Score(wins=n, losses=10 - n)) for key, n in wins.items()]) == told


def test_levels_have_the_strengths_that_were_measured(visitor):
    view = page(visitor, "quixo-deep", "?game=quixo:size=3")
    field = measured_fields()["quixo:size=3"]
    first, *_, full = view.levels
    assert first.meter.share == round(field.scores["quixo-deep:level=first-steps"].rate, 4)
    assert full.meter.share == round(field.scores["quixo-deep"].rate, 4)


@pytest.mark.parametrize("key", KEYS)
def test_every_machine_says_where_its_idea_comes_from(key):
    assert 1900 < ORIGINS[key].year < 2026
    assert find_agent(key).technique in TAGLINES


def test_the_engine_for_quixo_shows_how_it_learned(visitor):
    chart = page(visitor, "quixo-deep", "?game=quixo").thought.chart
    assert chart.title.startswith("How it learned: its results against Quixo engine")
    assert {line.name for line in chart.lines} == {"wins", "draws", "losses"}


def thinking(visitor, key):
    """The match that "see it think" begins."""
    answer = visitor.post(f"/machines/{key}/think", {"game": "tictactoe"})
    assert answer.status_code == 303
    visitor.path, _, query = answer.location.partition("?")
    return visitor.at(f"?{query}")


def test_see_it_think_begins_a_match_with_its_exhibit_open_in_which_it_is_to_move(visitor):
    match = thinking(visitor, "menace")
    assert (match.players[0].name, match.players[0].to_move) == ("MENACE", True)
    assert match.analysis.exhibit is not None
    match = thinking(visitor, "minimax")
    assert [player.name for player in match.players] == ["You", "Minimax"]
    assert visitor.record["moves"] == ["a3", "b2", "a2"]


def test_watch_opens_the_two_pickers_with_it_as_the_first(visitor):
    visitor.get(page(visitor, "menace").watch_url.partition("#")[0])
    setup = visitor.seen["setup"]
    chosen = [c.value for group in setup.opponent.groups for c in group.choices if c.chosen]
    assert chosen == ["menace"]
    assert [mode.value for mode in setup.modes if mode.chosen] == ["watch"]


@pytest.mark.parametrize("key", ["es-rules", "es-mix", "ea-table", "es-move"])
def test_what_the_genes_say_is_said_once(visitor, key):
    text = visitor.get(f"/machines/{key}?game=nim").text
    read = re.sub(r'<span class="meaning".*?</span>|<[^>]*>', "", text)
    sentence = visitor.seen["machine"].thought.exhibit.sentence
    assert unescape(read).count(sentence) == 1


def test_an_exhibit_turns_on_the_machines_own_page(visitor):
    answer = visitor.get("/machines/menace?agent=menace:games=10", **HTMX)
    assert (answer.status_code, visitor.template) == (200, "machines/_match.html")
    assert answer.text.lstrip().startswith('<section id="match"')
    assert "/machines/menace?" in answer.text


@pytest.mark.parametrize(
    "query",
    [
        *("?game=chess", "?agent=perfect", "?agent=menace:games=many", "?part=%3Cb%3E&step=-1"),
        *("?step=99999999999&present=1", "?agent=" + "x" * 2000),
    ],
)
def test_what_cannot_be_read_counts_for_nothing(visitor, query):
    assert page(visitor, "menace", query).title == "MENACE"


@pytest.mark.parametrize("key", ["nobody", "%00", "x" * 300])
def test_there_is_no_page_for_nobody(visitor, key):
    assert visitor.get(f"/machines/{key}").status_code == 404
    assert visitor.post(f"/machines/{key}/think").status_code == 404


@pytest.mark.parametrize("game", ["nim", "tictactoe", "quixo"])
@pytest.mark.parametrize("key", ["minimax", "alphabeta"])
def test_who_searches_by_the_book_shows_the_tree_it_searches(visitor, key, game):
    whole = visitor.get(f"/machines/{key}?game={game}").text
    thought = visitor.seen["machine"].thought
    assert (thought.rows, thought.exhibit) == ((), None)
    part, alone = visitor.get(thought.tree, **HTMX).text, visitor.get(thought.tree).text
    assert [text.count("<h1") for text in (whole, part, alone)] == [1, 0, 1]
    tree = visitor.seen["tree"]
    chosen = [title for title, _, chosen in tree.algorithms if chosen]
    assert (tree.failed, chosen) == ("", [find_agent(key).title])
    assert tree.rows
    if (key, game) == ("alphabeta", "tictactoe"):  # opens where something is cut
        assert "already has a1" in tree.rows[-1].cut


@pytest.mark.parametrize("key", KEYS)
def test_a_page_is_made_without_an_app(key):
    view = MachinePage(Demonstration(find_agent(key), MachineQuery(present=True)), None)
    assert view.thought.pending
    assert view.results
    assert all("present=1" in link.url for link in view.games)
    assert [(row.name, row.help) for row in view.parameters] == [
        (option.label, option.help) for option in find_agent(key).all_options
    ]
    assert {"Half", "Shape", "Draw first"}.isdisjoint(row.name for row in view.parameters)


def test_a_machine_with_published_settings_says_which(visitor):
    answer = visitor.get("/machines/es-move").text
    (row,) = visitor.seen["machine"].presets
    assert f"<code>{row.spec}</code>: as the course published it." in answer
    assert row.spec == "es-move:preset=published"
    assert load_agent(row.spec, load_game("nim")).spec == f"es-move:{row.options.replace(' ', '')}"
    assert not page(visitor, "perfect").presets


@pytest.mark.parametrize(
    ("key", "game"), [("menace", "tictactoe"), ("random", "quixo"), ("perfect", "nim")]
)
def test_a_machine_is_downloaded_as_the_file_that_the_command_writes(visitor, key, game):
    url = page(visitor, key, f"?game={game}").source_url
    answer = visitor.get(url)
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{key}.py"'
    names = {}
    exec(answer.text, names)
    assert names["PLAYS"] == [shown_game(find_agent(key), game).spec]


@pytest.mark.slow
def test_a_file_that_is_large_is_offered_with_its_size(visitor):
    url = page(visitor, "qlearning", "?game=quixo:size=3").source_url
    offer = visitor.get(url)
    link = re.search(r'href="([^"]+)" download>Download ([\d,]+) kB', offer.text)
    answer = visitor.get(unescape(link[1]))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="qlearning.py"'
    assert f"{len(answer.data) / 1000:,.0f}" == link[2]
    assert len(answer.data) > 200_000


@pytest.mark.parametrize("key", ["mcts", "quixo-deep"])
def test_a_machine_that_searches_is_not_offered_as_a_file(visitor, key):
    assert page(visitor, key).source_url is None
    assert visitor.get(f"/machines/{key}/source").status_code == 404
