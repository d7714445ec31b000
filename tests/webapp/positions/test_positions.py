"""The position editor: parsing, messages, editing, analysis, playing on."""

from random import Random
from urllib.parse import quote

import pytest

from engine import Match, load_game
from engine.catalog import all_variants
from tests.positions import random_match
from tests.webapp.visitor import HTMX, OWN_PAGE, Visitor
from webapp.boards.editor import editor_for
from webapp.config import Rate
from webapp.replays.models import PERSON
from webapp.replays.query import position_url

WON = "xxx/oo./... o"


def shown(visitor, game, state, **more):
    """The view that the template of this position reads."""
    answer = visitor.get(position_url(game, state) + "".join(f"&{k}={v}" for k, v in more.items()))
    assert answer.status_code == 200, answer.text
    return visitor.seen["position"]


def test_without_a_game_or_a_state_it_begins_with_an_empty_board(visitor):
    assert visitor.get("/positions").status_code == 200
    assert visitor.seen["position"].draft.shown_text == str(load_game("quixo").start)


@pytest.mark.parametrize("game", all_variants(), ids=lambda game: game.spec)
def test_the_example_of_a_text_is_a_position_of_that_game_with_pieces(visitor, game):
    example = shown(visitor, game.spec, str(game.start)).example
    assert game.parse_state(example) != game.start
    assert f"As in <code>{example}</code>" in visitor.get(f"/positions?game={game.spec}").text
    position = shown(visitor, game.spec, example)
    assert (position.draft.shown_text, position.message) == (example, None)
    assert position.playable


def test_what_is_over_is_not_played_on(visitor):
    fields = {"game": "tictactoe", "state": WON, "opponent": "random"}
    assert visitor.post("/positions", fields).status_code == 409


@pytest.mark.parametrize(
    ("game", "state", "why"),
    [
        ("tictactoe", "xxx/.../... x", "3 x and 0 o cannot be with x to move"),
        ("nim", "1-3-5-7-9 o", "no turn was taken to come here, so x would be to move"),
        ("quixo", "...../...../..x../...../..... o", "nothing could have stood before it"),
        ("quixo", "...../...../...../...../..... o", "o is never to move on a blank board"),
    ],
)
def test_what_no_play_reaches_is_said_with_its_board(visitor, game, state, why):
    position = shown(visitor, game, state)
    assert position.message.text.startswith("This cannot happen: ")
    assert why in position.message.text
    assert position.editor is not None


def test_a_position_that_play_reaches_is_said_nothing_of(visitor):
    match = random_match(load_game("quixo"), 30, Random(4))
    assert {shown(visitor, "quixo", str(state)).message for state in match.states} == {None}


def test_a_press_leads_to_the_address_of_the_next_position(visitor):
    position = shown(visitor, "quixo", str(load_game("quixo").start))
    corner = position.editor.rows[-1][1][0]
    assert (corner.name, corner.label) == ("a1", "a1, blank, place x")
    position = shown(visitor, "quixo", corner.state, place="o")
    assert position.draft.shown_text == "...../...../...../...../x.... x"
    corner = position.editor.rows[-1][1][0]
    assert (corner.label, corner.state) == ("a1, x, place o", "...../...../...../...../o.... x")
    middle = shown(visitor, "tictactoe", ".../.../... x").editor.rows[1][1][1]
    assert middle.state == ".../.x./... o"  # whose turn follows from the marks


def test_every_position_can_be_pressed_together_mark_by_mark():
    game = load_game("quixo:size=4")
    wanted = str(random_match(game, 25, Random(8)).state)
    text = str(game.start)
    for brush in "xo":
        cells = {cell.name for _, row in editor_for(game, text).rows for cell in row}
        for name in sorted(cells):
            found = {c.name: c for _, row in editor_for(game, wanted).rows for c in row}
            now = {c.name: c for _, row in editor_for(game, text, brush).rows for c in row}
            text = now[name].state if found[name].mark == brush else text
    turn = next(tool for tool in editor_for(game, text).turns if tool.state == wanted)
    assert turn.label == f"{wanted[-1]} to move"


def test_heaps_are_pressed_filled_and_cleared():
    game = load_game("nim:heaps=2-3-2")
    editor = editor_for(game, "2-1-0 x")
    sticks = {
        (heap.name, stick.number): stick.state for heap in editor.heaps for stick in heap.sticks
    }
    assert sticks["a", 2] == "1-1-0 x"
    assert sticks["b", 3] == "2-3-0 x"
    tools = {tool.label: tool.state for tool in (*editor.tools, *editor.turns)}
    assert tools["Fill up"] == "2-3-2 x"
    assert tools["Clear"] == "0-0-0 x"
    assert tools["Mirror"] == "0-1-2 x"
    assert tools["o to move"] == "2-1-0 o"


def test_a_heap_too_large_to_press_is_stepped_through():
    (heap,) = editor_for(load_game("nim:heaps=21,max_take=3"), "3 x").heaps
    assert [(step.label, step.state) for step in heap.steps] == [
        ("−5", "0 x"),
        ("−1", "2 x"),
        ("+1", "4 x"),
        ("+5", "8 x"),
    ]


def test_a_board_is_mirrored_left_to_right_and_twice_is_as_before():
    game = load_game("quixo:size=3")
    mirror = next(t for t in editor_for(game, "x../.o./..o x").tools if t.label == "Mirror")
    assert mirror.state == "..x/.o./o.. x"
    again = next(t for t in editor_for(game, mirror.state).tools if t.label == "Mirror")
    assert again.state == "x../.o./..o x"


def test_the_values_of_a_position_are_those_of_a_match_that_begins_there(visitor):
    position = shown(visitor, "tictactoe", "xx./oo./... x", values=1, agent="perfect")
    assert position.match.analysis.rows[0].move == "c3"
    badges = {c.name: c.badge for _, row in position.editor.rows for c in row if c.badge}
    assert badges["c3"].text == "▲1"
    nim = shown(visitor, "nim:heaps=1-3-2", "1-3-2 x", values=1, agent="perfect")
    assert nim.ask_url == "/class/ask?game=nim:heaps=1-3-2&state=1-3-2+x"
    assert visitor.get(nim.ask_url).status_code == 200
    assert {stick.badge.meaning for heap in nim.editor.heaps for stick in heap.sticks} == {"loss"}


def test_its_tree_is_walked_through_by_addresses_of_its_own(visitor):
    answer = visitor.get("/positions/tree?game=tictactoe&state=xx./oo./...+x&depth=3")
    tree = visitor.seen["tree"]
    assert answer.status_code == 200
    assert tree.action == "/positions/tree"
    assert tree.search.steps[1].startswith("/positions/tree?game=tictactoe&state=xx./oo./...+x&")
    assert dict(tree.fields)["state"] == dict(tree.search.fields)["state"] == "xx./oo./... x"
    assert visitor.get(tree.search.steps[1]).status_code == 200
    assert visitor.get("/positions/tree?game=tictactoe&state=nothing").status_code == 422


@pytest.mark.slow
def test_an_open_exhibit_and_a_comparison_stay_with_the_position(visitor):
    position = shown(visitor, "nim", "1-2-3-0-0 x", values=1, agent="nim-expert", show=1)
    assert position.match.analysis.exhibit is not None
    position = shown(visitor, "nim", "1-2-3-0-0 x", values=1, agent="perfect", versus="random")
    assert position.match.comparison.close.startswith("/positions?game=nim&state=1-2-3-0-0+x&")


@pytest.mark.parametrize(("seat", "seats"), [("x", [PERSON, "random"]), ("o", ["random", PERSON])])
def test_it_is_played_on_from_against_whom_and_on_which_seat_one_likes(visitor, seat, seats):
    fields = {"game": "quixo:size=3", "state": "x../.o./..x o", "opponent": "random", "seat": seat}
    answer = visitor.post("/positions", fields)
    assert answer.status_code == 303
    visitor.path = answer.location
    assert visitor.record["players"] == seats
    assert visitor.record["start"] == visitor.record["state"] == "x../.o./..x o"
    assert visitor.match.may_move is (seat == "o")


@pytest.mark.parametrize(
    "fields",
    [{"opponent": "nobody"}, {"seat": "z"}, {"opponent": "nim-expert"}, {"state": "xx"}],
    ids=str,
)
def test_a_form_that_makes_no_sense_is_said_on_the_page_and_begins_nothing(visitor, fields):
    usual = {"game": "tictactoe", "state": "x../.o./... x", "opponent": "random", "seat": "x"}
    answer = visitor.post("/positions", usual | fields)
    assert answer.status_code == 422
    assert visitor.seen["position"].message is not None


def test_every_ply_of_a_match_leads_to_its_position(visitor):
    visitor.begins("quixo", PERSON, preset="tiny")
    visitor.moves("a1-a3", "c3-c1")
    assert visitor.at("?ply=1").setup_url == "/positions?game=quixo:size=3&state=x../.../...+o"
    visitor.get(visitor.match.setup_url)
    assert visitor.seen["position"].draft.shown_text == visitor.record["state"]


def test_thinking_about_positions_is_counted(start):
    visitor = Visitor(start(rates_address=Rate(0.001, 2)))
    statuses = [visitor.get("/positions?game=nim&values=1").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert visitor.get("/positions?game=nim").status_code == 200


def hostile(rng):
    """Hostile texts."""
    words = ["\0", "x\0o", "\ud800", "\ufffd" * 9, "🙂", "🙂/🙂/🙂 x", "x" * 10_000, "🙂" * 10_000]
    words += ["'; drop table matches; --", "<script>alert(1)</script>", "{{ 7*7 }}", "../../etc"]
    words += ["%s%n", "1-3-5-7-9", "9" * 5000, "-1-3-5-7-9 x", "01-3-5-7-9 x", "x../.../... x x"]
    words += ["x../.../...\tx", "\u202ex../.../...", "ｘ../.../... x", "١-٣-٥-٧-٩ x", "", " "]
    letters = "xo./- 0123456789\n\0\u00e9"
    return words + ["".join(rng.choices(letters, k=rng.randrange(1, 40))) for _ in range(60)]


def texts():
    """(game, text) by the hundred: legal, over, unreachable, garbled and hostile."""
    rng = Random(1913)
    for game in all_variants():
        match = random_match(game, 60, rng)
        legal = [str(state) for state in match.states][:14]
        legal += [str(match.state)]
        for text in legal:
            yield game.spec, text
            yield game.spec, text[:-1] + ("x" if text[-1] == "o" else "o")
            yield game.spec, "".join(rng.sample(text, len(text)))
    for text in hostile(rng):
        for spec in ("nim", "tictactoe", "quixo"):
            yield spec, text


@pytest.mark.slow
def test_five_hundred_texts_each_get_a_board_or_one_clear_sentence(visitor):
    seen = {}
    for game, text in texts():
        query = f"game={quote(game)}&state={quote(text, errors='surrogatepass')}"
        answer = visitor.get(f"/positions?{query}", **HTMX)
        position = visitor.seen["position"]
        said = position.message.text if position.message else ""
        kind = said.partition(":")[0].partition(".")[0] if answer.status_code == 200 else "unread"
        seen[answer.status_code, kind] = seen.get((answer.status_code, kind), 0) + 1
        assert answer.status_code in (200, 422), (game, text)
        assert position.editor or position.board
        assert "<script>alert" not in answer.text
        assert answer.status_code == 200 or (0 < len(said) < 300 and said.count("\n") == 0)
        assert len(answer.data) < 60_000
    assert sum(seen.values()) >= 500
    kinds = {kind for _, kind in seen}
    assert kinds == {"", "unread", "It is over already", "This cannot happen"}


@pytest.mark.parametrize("game", ["chess", "nim:heaps=0", "\0", "quixo:size=9", "x" * 9000, "🙂"])
def test_a_game_that_there_is_not_is_one_clear_sentence(visitor, game):
    answer = visitor.get(f"/positions?game={quote(game)}")
    assert answer.status_code == 422
    assert visitor.template == "web/error.html"
    assert visitor.post("/positions", {"game": game}, OWN_PAGE).status_code == 422


def test_a_match_from_a_position_is_played_to_its_end(visitor):
    fields = {"game": "tictactoe", "state": "xx./oo./... x", "opponent": PERSON}
    visitor.path = visitor.post("/positions", fields).location
    assert visitor.moves("c3").result == "Player x wins: three in row 3"
    game = load_game("tictactoe")
    start = game.parse_state(visitor.record["start"])
    assert Match.replay(game, [game.parse_move("c3")], start).result() == visitor.record["result"]
