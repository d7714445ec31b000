"""Page objects, made of records alone: no app, no database, no request."""

from dataclasses import replace

import pytest

from agents import load_agent
from agents.contest.results import Result as GameResult
from agents.contest.standings import standings_of
from agents.formats import ordinal
from agents.roster import agents_for, player_spec
from engine import Match, Seat, load_game
from webapp.classroom.addresses import Site
from webapp.classroom.control_page import AskPage, ControlPage
from webapp.classroom.cup import CupPage, CupRecord, plan_cup
from webapp.classroom.models import (
    AnswerRecord,
    ClassRecord,
    ClassSession,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
    Turnout,
)
from webapp.classroom.page import ClassData
from webapp.classroom.phone_page import PhonePage
from webapp.classroom.results import Result
from webapp.classroom.screen_page import ReportPage, ScreenPage
from webapp.jobs.kinds.arena import arena_job
from webapp.jobs.models import JobState
from webapp.lab.arena.page import ArenaPage
from webapp.lab.query import ArenaQuery
from webapp.questions.models import Choice, Judgement, Question, Truth
from webapp.questions.plans import plan_text
from webapp.replays.models import new_record
from webapp.workers.requests import MoveAnswer

GAME = "nim:heaps=1-2,last=wins"
SITE = Site("http", "school.example", "0.0.0.0")
RECORD = ClassRecord("id", "teacher", "key", "BCDF", version=3, round=1, names=True)
TRUTH = Truth((Judgement("b1", True, value=1.0, plies=3), Judgement("a1", False, value=-1.0)))
CLOSED = RoundRecord(1, Question(GAME, "What?"), Phase.CLOSED, truth=TRUTH, named=True)
SEATS = tuple(SeatRecord(n, f"p{n}", f"Student {n}", joined=0, seen=90) for n in (1, 2))
ANSWERS = (AnswerRecord(1, 1, 1, "b1"), AnswerRecord(1, 1, 2, "a1"))


def data(current=CLOSED, record=RECORD, **read):
    known = {"turnout": Turnout(2, 4), "seats": SEATS, "answers": ANSWERS} | read
    return ClassData(ClassSession(record, current), SITE, now=100.0, **known)


def test_a_control_counts_votes_and_advises():
    page = ControlPage(data())
    assert (page.right, page.advice.split()[0]) == ("50% are right", "Let")
    assert (page.talk, page.settling) == (True, False)
    assert [(seat.name, here, answer) for seat, here, answer in page.students] == [
        ("Student 1", True, "b1"),
        ("Student 2", True, "a1"),
    ]
    assert page.key_url == "http://school.example/class/id/key/key"
    assert page.addresses == ()


@pytest.mark.parametrize(
    ("answers", "favourite", "best"), [(ANSWERS[:1], "b1", None), (ANSWERS[1:], "a1", "b1")]
)
def test_a_best_move_is_offered_beside_a_favourite_that_is_none(answers, favourite, best):
    page = ControlPage(data(answers=answers))
    assert (page.favourite, page.best) == (favourite, best)


def test_a_control_shows_the_step_of_its_plan():
    plan = plan_text("how-machines-play")
    first, last = (ControlPage(data(record=replace(RECORD, plan=plan, step=n))) for n in (0, 99))
    assert (first.plan.number, first.plan.action) == (1, "Ask it")
    assert (last.plan.number, last.plan.following) == (last.plan.count, "")


def test_a_page_is_another_once_a_machine_has_thought_it_over():
    revealed = replace(CLOSED, phase=Phase.REVEALED)
    game = load_game(GAME)
    comment = MoveAnswer(load_agent("perfect", game).analyse(game.start), move="b1")
    for make in (ControlPage, ScreenPage):
        pending = make(data(revealed, machine="perfect"))
        done = make(data(revealed, machine="perfect", comment=comment))
        assert (pending.said.pending, done.said.pending) == (True, False)
        assert pending.follow != done.follow


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.CLOSED, Phase.TALK])
def test_a_screen_has_no_result_before_the_reveal(phase):
    page = ScreenPage(data(replace(CLOSED, phase=phase)))
    assert (page.result, page.said, page.turnout.text) == (None, None, "2 of 4")


def test_a_screen_shows_the_result_and_drives_a_match_for_its_teacher_only():
    revealed = ScreenPage(data(replace(CLOSED, phase=Phase.REVEALED)))
    assert revealed.result.headline == "2 votes: b1 wins"
    match = new_record("teacher", Match.begin(load_game(GAME)), (RECORD.seat, "perfect"))
    playing = data(record=replace(RECORD, scene=Scene.MATCH, match_id="m"), match=match)
    drives = [ScreenPage(playing, who).drives for who in ("teacher", "p1", None)]
    assert drives == [True, False, False]
    page = ScreenPage(playing)
    assert (page.opponent, page.question.prompt) == ("Perfect", "What do we play?")
    lost = replace(match, resigned=Seat.FIRST)
    assert ScreenPage(replace(playing, match=lost)).match_result == "Perfect wins"


def test_a_phone_shows_its_own_answer_and_its_worth_after_the_reveal():
    closed = PhonePage(data(answers=()), SEATS[0], ANSWERS[:1])
    assert closed.status == "The vote is closed. You said b1. Look at the screen."
    assert (closed.told, closed.best) == ((), "")
    talking = PhonePage(data(replace(CLOSED, phase=Phase.TALK)), SEATS[0], ANSWERS[:1])
    assert talking.status == "Talk to your neighbour. You said b1. Then we vote again."
    revealed = replace(CLOSED, phase=Phase.REVEALED)
    shown = PhonePage(data(revealed, answers=()), SEATS[1], ANSWERS[1:])
    assert shown.told[0].startswith("You said a1: ")
    assert shown.best == "Best: b1"


def test_a_report_has_revealed_rounds_only():
    other = replace(CLOSED, number=2, phase=Phase.REVEALED)
    answers = (*ANSWERS, AnswerRecord(2, 1, 1, "a1"))
    (reported,) = ReportPage([CLOSED, other], SEATS, answers).rounds
    assert (reported[0].number, reported[3].totals) == (2, (1,))


def test_a_question_about_to_be_asked_is_complete_or_about_a_position():
    about = AskPage(Question(GAME, "What?"))
    assert (about.given, about.machines[0].chosen) == ((), True)
    complete = AskPage(Question(GAME, "What?"), is_complete=True)
    assert dict(complete.given)["truth"] == "best"
    assert complete.machines == ()


def drawn_games(count, *, but=()):
    """One game of each pair, drawn but where its first player is to win."""
    return [
        GameResult(one, two, 0, 0 if (one, two) in but else None, "", "", False, (0, 0), (0.0, 0.0))
        for one in range(count)
        for two in range(one + 1, count)
    ]


def cup_page(machines, *, names=False, step=0, results=(), state=JobState.QUEUED):
    """A cup that is being played by these machines, each entered by one student."""
    seats = [
        SeatRecord(n, f"p{n}", f"Name {n}", 0, 0, machine=machine, alias=f"Otter {n}")
        for n, machine in enumerate(machines, start=1)
    ]
    plan = plan_cup(CupRecord("tictactoe", 1), machines).plan
    job = replace(arena_job("teacher", "The cup", plan), step=step, state=state)
    arena = ArenaPage("/jobs/1", job, standings_of(plan.terms, results), ArenaQuery(present=True))
    return CupPage(CupRecord("tictactoe", 1, "1"), seats, 1, arena, names=names)


def test_a_cup_shows_the_top_ten_with_their_owners_by_made_up_names():
    machines = [f"mcts:simulations={n}" for n in range(1, 28)]
    cup = cup_page(machines)
    assert [row.rank for row in cup.top] == list(range(1, 11))
    assert (len(cup.rows), cup.more) == (27, "and 17 more machines")
    assert {(row.spec, row.owner) for row in cup.rows} == {
        (machine, f"Otter {n}") for n, machine in enumerate(machines, start=1)
    }
    assert (cup.winner, cup.podium) == ("", ())
    assert {row.owner for row in cup_page(machines, names=True).rows} == {
        f"Name {n}" for n in range(1, 28)
    }


def ended_cup(count, **games):
    machines = [f"mcts:simulations={n}" for n in range(1, count + 1)]
    results = drawn_games(count, **games)
    return cup_page(machines, step=len(results), results=results, state=JobState.DONE)


def test_machines_that_are_level_share_their_place_and_the_cup():
    cup = ended_cup(5)
    assert [row.rank for row in cup.rows] == [1] * 5
    assert cup.winner == "5 machines are level: they share the cup"
    assert cup.podium == ()  # it has no room for five
    assert cup.place_of("mcts:simulations=3") == "You are 1st of 5."
    cup = ended_cup(4, but=[(0, 3), (1, 3)])
    assert [row.rank for row in cup.rows] == [1, 1, 3, 4]
    assert cup.winner.endswith(" share the cup")
    assert len(cup.podium) == 3
    cup = ended_cup(4, but=[(0, 1), (0, 2), (1, 2), (1, 3)])
    assert [row.rank for row in cup.rows] == [1, 2, 3, 4]
    assert [row.rank for row in ended_cup(4, but=[(0, 2), (0, 3)]).podium] == [1, 2]
    cup = ended_cup(3, but=[(0, 1)])
    assert [row.points for row in cup.rows] == ["1½", "1", "½"]
    assert cup.winner == cup.headline
    assert cup.winner.endswith("wins the cup")


def test_a_winner_with_long_names_leaves_them_to_the_podium():
    cup = ended_cup(3, but=[(0, 1)])
    long = replace(cup.rows[0], owners=("W" * 40, "V" * 40))
    cup.rows = (long, *cup.rows[1:])
    assert "W" * 40 in cup.winner
    assert cup.headline == f"{long.machine} wins the cup"


def test_a_phone_says_which_place_its_machine_has():
    cup = cup_page(["random", "perfect", "minimax", "minimax"], step=2)
    rank = next(row.rank for row in cup.rows if row.spec == "random")
    assert cup.place_of("random") == f"You are {ordinal(rank)} of 3 so far."
    assert cup.place_of("minimax").endswith("of 3, with 1 other so far.")
    assert (cup.place_of("menace"), cup.place_of(None)) == ("", "")
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 27)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "27th")
    ]


def result_of(question, *said, truth=None):
    answers = [AnswerRecord(1, 1, seat, answer) for seat, answer in enumerate(said, start=1)]
    return Result(RoundRecord(1, question, Phase.REVEALED, truth=truth), answers, ())


def test_mirror_images_of_a_move_are_one_bar_and_the_most_given_of_them_is_played():
    corner = result_of(Question("tictactoe", "?"), "c3", "a1", "c3", "b2", "b2")
    assert [(bar.shown, bar.counts) for bar in corner.bars] == [
        ("a1 or c3", (3,)),
        ("b2", (2,)),
    ]
    assert corner.favourite == "c3"
    placed = result_of(Question("tictactoe", "?", moves=("a2",)), "a1", "a3", "c1")
    assert [bar.shown for bar in placed.bars] == ["a1 or a3", "c1"]
    many = result_of(Question("tictactoe", "?"), "a1", "a3", "c1")
    assert [bar.shown for bar in many.bars] == ["a1 or alike"]


def test_choices_keep_their_order_and_where_no_move_stands_out_that_is_said():
    ranges = tuple(Choice(text, text) for text in ("Within 100", "101 to 1,000", "Never"))
    asked = Question("", "?", "poll", choices=ranges)
    assert [bar.answer for bar in result_of(asked, "Never", "Never").bars] == [
        *("Within 100", "101 to 1,000", "Never")
    ]
    quixo = Question("quixo", "?")
    flat = Truth(tuple(Judgement(move, True, value=0.1, proven=False) for move in quixo.answers))
    assert result_of(quixo, "a1-a5", truth=flat).headline == "1 vote: no move stands out"


def test_a_match_is_offered_only_with_machines_that_play_its_game():
    def offered(game):
        return {choice.value for choice in ControlPage(data(), game=game).opponents}

    assert "nim-sum" in offered(None)  # Nim comes first
    assert "nim-sum" not in offered("tictactoe")
    assert "menace" in offered("tictactoe")
    assert offered("quixo") == {
        entry.key
        for entry in agents_for(load_game("quixo"))
        if player_spec(entry.key, load_game("quixo"))
    }
    (chosen,) = (
        each.value for each in ControlPage(data(), game="quixo").match_games if each.chosen
    )
    assert chosen == "quixo"
