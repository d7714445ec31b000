"""The story of a match: grades of its moves, and where it turned."""

import re
from random import Random

import pytest

from agents import Analysis, Candidate
from engine import Match, Seat, load_game
from tests.webapp.replays.blunders import known_blunders
from tests.webapp.visitor import HTMX, Never, Visitor
from webapp.replays.judgement import (
    DECIDED_FROM,
    Grade,
    JudgedMove,
    judge_moves,
    turning_points,
)

# Games with exactly one blunder; `tests/webapp/replays/blunders.py` proves it from the rules alone.
ONE_BLUNDER = [
    ("tictactoe", "b1 b2 b3 c2 a3 c3 a2 c1", 3),
    ("tictactoe", "b1 b3 a1 a3 c3 c1 b2", 4),
    ("tictactoe", "a2 a1 b2 c2 a3 c1 c3 b1", 5),
    ("tictactoe", "a2 a3 c1 c3 b3 b2 c2 a1", 7),
    ("tictactoe", "a2 b2 a3 a1 c3 c1 b3", 6),
    ("tictactoe", "b3 a2 b2 a3 b1", 2),
    ("tictactoe", "b1 b2 a3 a1 c3 b3 c2 a2 c1", 8),
    ("tictactoe", "a3 b2 b1 a1 a2 c3", 5),
    ("tictactoe", "b2 c3 a2 c2 a1 c1", 5),
    ("tictactoe", "a2 a1 c1 b2 c3 c2 a3 b1 b3", 8),
    ("nim", "b2 e7 d5 c5 e2 d1 b1 a1 d1", 1),
    ("nim", "e9 c4 d4 c1 b1 d2 d1 b2 a1", 7),
    ("nim", "e9 c3 d7 b3 a1 c1 c1", 5),
    ("nim", "e9 a1 c5 d4 b3 d2 d1", 3),
    ("nim:preset=marienbad", "c1 b1 d3 d2 c3 d1 b2 c1 d1 a1", 4),
    ("nim:preset=marienbad", "c1 d3 b2 c3 d4 c1 b1 a1", 2),
    ("nim:preset=normal", "a2 b1 c3 b3 a1 c2", 5),
    ("nim:preset=normal", "a2 c2 c1 b1 a1 b1 c1 b1 b1 c1", 3),
    ("nim:heaps=7-6-5,last=wins,max_take=3", "a2 b2 c2 a3 c1 b3 b1 a2 c2", 4),
    ("nim:heaps=7-6-5,last=wins,max_take=3", "a1 c1 b3 a3 b2 b1 c1 c1 a1 a2 c2", 6),
    ("quixo", "b5-e5 e3-a3 a4-a1 b5-b1 c1-c5 c1-a1 b1-b5 c1-c5 d1-a1 d1-a1 d1-d5 c5-c1 a2-a5", 12),
    (
        "quixo",
        "e1-e5 c5-c1 e4-e1 a5-e5 a4-a5 a1-a5 a4-a5 a4-a5 a2-a5 b1-a1 c5-e5 a2-a5 b5-a5 "
        "e3-e5 e2-e5 b1-e1 c1-a1 e2-e5 e4-e5 e4-e1 e3-a3",
        20,
    ),
    ("quixo", "c1-a1 b1-a1 a5-a1 a3-a1 b1-a1 d1-a1 e4-a4 e4-a4 e3-a3 d5-a5 a3-e3 e2-a2", 11),
    (
        "quixo",
        "a1-e1 c5-e5 e3-e5 c5-e5 a5-e5 c1-c5 c1-c5 e2-e1 a1-a5 a1-a5 b5-a5 e3-e5 c5-c1 a1-a5",
        13,
    ),
    (
        "quixo",
        "d1-a1 a5-e5 b1-e1 a3-a1 a5-e5 d1-e1 a5-a1 e2-e1 c5-a5 c5-a5 a4-a5 e3-e5 c1-e1 "
        "c5-a5 b5-b1 d5-a5 d5-d1",
        16,
    ),
    (
        "quixo",
        "b5-b1 e1-e5 a4-a1 a2-a1 b5-e5 e2-e5 a3-a1 a5-e5 e3-e5 a5-e5 c1-c5 a4-a1 d1-a1 "
        "e4-a4 e4-a4 d1-a1 a5-a1 a2-a5 e1-e5 a5-a1 b1-b5",
        20,
    ),
    ("quixo", "d1-a1 a3-a5 e2-a2 e1-a1 c1-a1 a3-a1 e5-a5 c5-a5 a4-a5 e3-a3 e1-a1 a3-e3 e4-a4", 12),
    (
        "quixo",
        "c5-a5 e3-e5 c5-e5 a1-a5 a1-a5 c5-a5 a1-a5 e4-e5 e1-e5 e2-e5 e1-e5 d1-e1 e5-a5 a3-e3",
        13,
    ),
    (
        "quixo",
        "a2-a5 d1-e1 a3-e3 e2-e5 a1-e1 c1-e1 d5-e5 b5-e5 a2-e2 a1-a5 a3-a5 a1-e1 e2-e1 "
        "e4-e1 e4-e5 b5-e5 d5-e5 e3-e5 a2-a1 a2-a5 c5-c1 c5-a5",
        21,
    ),
    (
        "quixo",
        "d1-a1 d1-e1 c5-e5 a5-a1 a3-a1 d1-a1 e3-a3 a4-a1 e3-a3 c5-c1 e2-e1 e3-a3 d1-a1 "
        "a5-a1 e1-e5 c5-c1",
        15,
    ),
]
TURNED_TWICE = "e1 e8 c2 d6 a1 d1 b2 c2 b1 c1"  # at Nim; the last match loses


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    """A tenth of a second a ply is enough to see a five in a row."""
    monkeypatch.setattr("webapp.replays.story.MAX_PLY_SECONDS", 0.1)


def story_at(visitor, query="?story=1"):
    return visitor.at(query).story


# At Quixo every ply takes its time to think about.
FEW, REST = ONE_BLUNDER[:23], ONE_BLUNDER[23:]


@pytest.mark.parametrize(("game", "moves", "ply"), ONE_BLUNDER)
def test_each_game_made_for_the_review_has_one_blunder_by_an_argument_of_its_own(game, moves, ply):
    assert known_blunders(game, moves) == [ply]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "moves", "ply"),
    [*FEW, *(pytest.param(*game, marks=pytest.mark.soak) for game in REST)],
)
def test_the_review_names_the_one_blunder(visitor, game, moves, ply):
    visitor.opens(game, moves)
    story = story_at(visitor)
    assert story.sentence.startswith(f"It turned at move {ply}: ")
    assert [move.number for move in story.moves if move.decided] == [ply]
    assert [point.ply for point in story.points if point.turning] == [ply]


def test_what_decided_is_the_last_move_that_changed_the_result(visitor):
    visitor.opens("nim", TURNED_TWICE)
    story = story_at(visitor)
    assert story.sentence == "It turned at move 8: Orange played c2, where c3 would have won."
    assert story.before == (
        "Before that the result changed once: Blue at move 1 (e1, where e9 would have won)."
    )
    assert [move.number for move in story.moves if move.grade == "blunder"] == [1, 8]


def test_every_move_is_judged_with_the_better_one(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3")
    story = story_at(visitor)
    assert [move.grade for move in story.moves] == ["best", "blunder", "best", "good", "best"]
    assert story.moves[1].better.endswith("would have held the draw")
    assert story.moves[3].better == "a3 ends it 2 moves later"
    assert story.tally == "Best moves: Player x 3 of 3, Player o 0 of 2."


def test_the_curve_has_a_point_for_every_ply_and_says_what_its_edges_mean(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3", ("person", "opportunist"))
    story = story_at(visitor)
    assert [point.ply for point in story.points] == [0, 1, 2, 3, 4, 5]
    assert [point.value for point in story.points] == [0, 0, 1, 1, 1, 1]
    assert story.ends == ("You win", "Opportunist wins")


def test_the_end_leads_to_the_review_which_stays_while_one_steps_through_it(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3")
    assert visitor.match.actions.story == f"{visitor.path}?story=1"
    shown = visitor.at("?ply=2&story=1")
    assert shown.actions.story is None
    assert [point.ply for point in shown.story.points if point.shown] == [2]
    assert [move.number for move in shown.story.moves if move.shown] == [2]
    assert shown.steps[2] == f"{visitor.path}?ply=3&story=1"
    assert shown.story.points[4].url == f"{visitor.path}?ply=4&story=1"
    visitor.get(f"{visitor.path}/story?ply=3", **HTMX)
    assert visitor.template == "replays/_story.html"
    assert [point.ply for point in visitor.seen["story"].points if point.shown] == [3]


def test_one_tries_again_from_before_the_move_that_decided(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3")
    story = story_at(visitor)
    visitor.path = visitor.post(story.play_on, {"ply": story.try_again}).location
    assert visitor.record["moves"] == ["a1"]


def test_where_the_opponent_decided_it_there_is_nothing_to_try_again(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3", ("person", "random"))
    assert story_at(visitor).try_again is None
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3", ("random", "person"))
    assert story_at(visitor).try_again == 1


def test_the_story_is_pending_until_every_ply_is_looked_at(start):
    visitor = Visitor(start(Never))
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3")
    story = story_at(visitor, "?ply=2&story=1")
    assert story.pending
    assert story.retry == f"{visitor.path}/story?ply=2"


@pytest.mark.slow
@pytest.mark.parametrize("plies", [70, 125])
def test_the_review_of_a_long_match_is_of_decent_size(visitor, monkeypatch, plies):
    monkeypatch.setattr("webapp.replays.story.MAX_PLY_SECONDS", 0.01)
    visitor.opens("quixo", long_quixo(plies))
    looks = ("?story=1", "?story=1&ply=12&values=1", "?story=1&ply=60&values=1&show=1")
    sizes = [len(visitor.get(f"{visitor.path}{query}").data) for query in looks]
    assert max(sizes) < 100_000
    story = story_at(visitor, "?story=1&ply=12")
    assert [move.number for move in story.moves if move.shown] == [12]
    assert len(story.points) >= plies
    assert len(story.presses) <= 32
    (current,) = (page.label for page in story.pages if page.current)
    assert current.startswith("1 to ")


def long_quixo(plies):
    """Random play that avoids the end of the game."""
    match, rng = Match.begin(load_game("quixo")), Random(1)
    for _ in range(plies):
        after = (match.play(move) for move in shuffled(match.state.legal_moves(), rng))
        match = next(each for each in after if each.outcome() is None)
    return " ".join(map(str, match.moves))


def shuffled(moves, rng):
    return rng.sample(moves, len(moves))


@pytest.mark.slow
def test_of_a_long_list_of_changes_the_last_are_told_and_all_are_judged(visitor, monkeypatch):
    monkeypatch.setattr("webapp.replays.story.strongest_agent", lambda game: "nim-expert")
    heaps = "nim:heaps=" + "-".join(["50"] * 4)
    visitor.opens(heaps, " ".join(f"{heap}1" for heap in "abcd" for _ in range(50)))
    story = story_at(visitor)
    number = int(re.search(r"changed (\d+) times, the last 10 of them: ", story.before)[1])
    assert story.before.count(" at move ") == 10
    blunders = {
        move.number
        for page in story.pages
        for move in story_at(visitor, page.url.removeprefix(visitor.path)).moves
        if move.grade == "blunder"
    }
    assert len(blunders) == number + 1


def step(best, played, *, ply=0, proven=False):
    """A move worth `played` in place of `best`, each a value, or a value and its plies."""
    values = [(worth if isinstance(worth, tuple) else (worth, None)) for worth in (best, played)]
    good, done = (
        Candidate("m", float(value), proven=proven, plies=plies) for value, plies in values
    )
    return JudgedMove(ply, Seat.FIRST, done, good)


@pytest.mark.parametrize(
    ("judged", "grade"),
    [
        (step(0.4, 0.39), Grade.BEST),
        (step(0.4, 0.35), Grade.GOOD),
        (step(0.45, 0.3), Grade.SLIP),
        (step(0.98, 0.83), Grade.SLIP),
        (step(0.9, 0.2), Grade.BLUNDER),
        (step(0.2, -0.9), Grade.BLUNDER),
        (step((1, 3), (1, 3), proven=True), Grade.BEST),
        (step((1, 3), (1, 5), proven=True), Grade.GOOD),
        (step((-1, 8), (-1, 2), proven=True), Grade.SLIP),
        (step((1, 3), 0, proven=True), Grade.BLUNDER),
        (step(0, (-1, 2), proven=True), Grade.BLUNDER),
        (step((0, 4), (0, 2), proven=True), Grade.BEST),
    ],
)
def test_a_move_is_graded_by_the_result_and_elsewhere_by_its_value(judged, grade):
    assert judged.grade is grade


def test_where_nothing_is_exact_it_turned_where_the_expected_result_changed():
    steps = [step(0.9, 0.1, ply=0), step(0.3, -0.9, ply=1), step(0.2, 0.1, ply=2)]
    assert turning_points(steps) == steps[:2]
    assert turning_points([step(0.45, 0.1), step(0.3, -0.2)]) == []


def shaky(match, seed):
    """What an agent of changing sight would say of every position: candidates of any value."""
    rng = Random(seed)
    for state in match.states[:-1]:
        moves = shuffled(state.legal_moves(), rng)
        values = sorted((rng.uniform(-1, 1) for _ in moves), reverse=True)
        told = [Candidate(move, value) for move, value in zip(moves, values, strict=True)]
        yield Analysis(tuple(told), "", moves[0])


def played_at_random(game, seed):
    rng, match = Random(seed), Match.begin(load_game(game))
    while match.outcome() is None:
        match = match.play(rng.choice(match.state.legal_moves()))
    return match


@pytest.mark.parametrize("game", ["tictactoe", "nim", "quixo:size=3", "quixo:size=4"])
@pytest.mark.parametrize("seed", range(10))
def test_no_story_names_the_played_move_or_its_mirror_image_as_the_better_one(game, seed):
    match = played_at_random(game, seed)
    analyses = list(shaky(match, seed))
    tops = 0
    for step in judge_moves(match, analyses).steps:
        state, top = match.states[step.ply], analyses[step.ply].candidates[0]
        if match.states.count(state) > 1:  # judged by one analysis of several
            continue
        images = {
            str(symmetry.state(state.play(step.played.move))) for symmetry in match.game.symmetries
        }
        if str(state.play(top.move)) in images:
            tops += 1
            assert step.grade is Grade.BEST
        elif step.grade is not Grade.BEST:
            assert str(state.play(step.best.move)) not in images
    assert tops  # the last moves of a game leave little choice


@pytest.mark.parametrize("seed", range(20))
def test_a_story_never_contradicts_itself_however_searches_of_its_positions_do(seed):
    """A blunder, and only a blunder, changes the expected result, which ends as the match did."""
    match = played_at_random("quixo:size=3", seed)
    judgement = judge_moves(match, list(shaky(match, seed)))
    assert judgement.values[-1] == match.outcome().score(Seat.FIRST)
    assert [step.ply for step in judgement.steps] == list(range(match.ply))

    def said(value):
        return (value >= DECIDED_FROM) - (value <= -DECIDED_FROM)

    for step, before, after in zip(
        judgement.steps, judgement.values, judgement.values[1:], strict=False
    ):
        sign = 1 if step.seat is Seat.FIRST else -1
        assert sign * (before - after) == pytest.approx(step.given_away)
        assert step.given_away >= 0
        assert (step.grade is Grade.BLUNDER) == (said(before) != said(after))
    turns = turning_points(judgement.steps)
    last = turns[-1].ply + 1 if turns else 0
    assert len({said(value) for value in judgement.values[last:]}) == 1


def in_order(state, *first, proven=False):
    """An analysis with these values, the named moves first."""
    moves = {str(move): move for move in state.legal_moves()}
    worth = dict(first) | {name: -1.0 for name in moves if name not in dict(first)}
    told = [Candidate(moves[name], value, proven=proven) for name, value in worth.items()]
    return Analysis(tuple(told), "", told[0].move)


@pytest.mark.parametrize(
    ("later", "grade", "better"),
    [
        pytest.param(("c4-d4", -1.0), Grade.BEST, "c4-d4", id="lost"),
        pytest.param(("a1-a4", 1.0), Grade.BLUNDER, "a1-a4", id="won by another move"),
    ],
)
def test_the_same_move_in_a_position_that_came_back_is_judged_alike(later, grade, better):
    """A result proven only the second time holds for the first time too."""
    game = load_game("quixo:size=4")
    moves = "a4-d4 a4-d4 c1-c4 a2-d2 c4-d4 c4-d4 c4-d4"
    match = Match.replay(game, map(game.parse_move, moves.split()))
    assert match.states[4] == match.states[6]
    analyses = [None] * match.ply
    analyses[4] = in_order(match.states[4], ("a1-d1", 0.3), ("c4-d4", 0.0))
    analyses[5] = in_order(match.states[5], ("b1-b4", 0.0), ("c4-d4", -0.2))
    analyses[6] = in_order(match.states[6], later, proven=True)
    steps = {step.ply: step for step in judge_moves(match, analyses).steps}
    assert [steps[ply].grade for ply in (4, 6)] == [grade, grade]
    assert [str(steps[ply].best.move) for ply in (4, 6)] == [better, better]


def test_a_position_that_came_back_is_judged_by_one_search_of_it():
    """Two searches of it, cut off at different depths, preferred different moves."""
    game = load_game("quixo:size=4")
    moves = "a4-d4 a4-d4 c1-c4 a2-d2 c4-d4 c4-d4 c4-d4"
    match = Match.replay(game, map(game.parse_move, moves.split()))
    analyses = [None] * match.ply
    analyses[4] = in_order(match.states[4], ("a1-d1", -0.5), ("c4-d4", -0.9))
    analyses[6] = in_order(match.states[6], ("c4-d4", -0.3))
    steps = {step.ply: step for step in judge_moves(match, analyses).steps}
    assert (steps[6].grade, str(steps[6].best.move)) == (Grade.BLUNDER, "a1-d1")
