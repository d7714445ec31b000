"""Truths are computed, and a second algorithm comes to the same."""

from __future__ import annotations

import pytest

from agents.roster import read_agent
from agents.training.shipped import known_brain
from engine import load_game
from engine.errors import ZermeloError
from tests.webapp.questions.oracles import (
    alphabeta_looks,
    exact_score,
    lines_below,
    negamax,
    reached,
    turned,
    values_of_moves,
)
from webapp.questions import exact
from webapp.questions.facts import About
from webapp.questions.models import Choice, InvalidQuestionError, Question, Truth, UnknowableError
from webapp.questions.parser import MAX_TRUTH_CHARS, parse_arguments, parse_range
from webapp.questions.truths import TRUTHS, check_question, read_truth, subject_of, truth_of
from webapp.storage.tables.classes import ClassRoundRow

ENDING = "x.o/.x./..o x"
NIMS = ("nim:preset=marienbad", "nim:preset=normal", "nim:heaps=2-3-4,max_take=2")
EXAMPLES = (
    ("tictactoe", "value", ""),
    ("tictactoe", "best", ""),
    ("tictactoe", "plays opportunist", ""),
    ("nim:heaps=2-2", "nodes minimax", "under 50 | over 50"),
    ("tictactoe", "games-until draws>=0.99 menace", "up to 100 | over 100"),
    ("tictactoe", "curve draws at 50 menace", "under 50% | at least 50%"),
    ("nim:heaps=1-2", "wins nim-sum against random as=first", "0 | over 0"),
    ("nim:heaps=1-2", "draws nim-sum against random", "0 | over 0"),
    ("nim:heaps=1-2", "losses nim-sum against random", "0 | over 0"),
    ("nim:heaps=1-2-3", "three-genes random", "under 50 | at least 50"),
    ("nim:heaps=3-4-5", "nim-sum", "0 | 2 | 5"),
    ("quixo", "moves", "16 | 44"),
    ("quixo", "distinct-moves", "3 | 16 | 44"),
    ("tictactoe", "positions", "5,478 | 19,683"),
    ("tictactoe", "sets greedy on set-cover:things=4,sets=6", "1 to 4 | 5 or more"),
    ("tictactoe", "expanded greedy on set-cover:things=4,sets=6", "1 to 4 | 5 or more"),
    ("tictactoe", "calls weigh on black-box", "under 1,000 | 1,000 or more"),
    ("", "update 0.2 0.5 0 1 0.8", "0.4 | 0.5"),
    ("tictactoe", "preferred 50", ""),
    ("", "sets fewest on set-cover:things=4,sets=6", "1 to 4 | 5 or more"),
    ("", "least-sets set-cover:things=12,sets=9,seed=34", "2 | 3"),
    ("", "box-value 300 250 black-box:groups=2", "0.275 | 0.3"),
    ("", "is box-value 300 300 black-box:groups=2 > 0.3", ""),
    ("nim:heaps=2-2", "is nodes alphabeta < nodes minimax", ""),
)


def picks(text: str) -> tuple[Choice, ...]:
    return tuple(Choice(part.strip(), part.strip()) for part in text.split("|") if part.strip())


def posed(game: str, truth: str, choices: str = "", moves: str = "", **more: str) -> Question:
    return Question(
        game, "What do you say?", truth, moves=tuple(moves.split()), choices=picks(choices), **more
    )


def looked_at(line: tuple[str, ...], start: str = ENDING) -> Truth:
    question = posed("tictactoe", f"looks-at {line[-1]}", "", " ".join(line[:-1]), start=start)
    return truth_of(question)


@pytest.mark.parametrize("game", ["tictactoe", *NIMS])
@pytest.mark.parametrize("seed", range(6))
def test_best_moves_and_who_wins_are_what_plain_negamax_says(game: str, seed: int) -> None:
    state = reached(game, seed).state
    truth = truth_of(Question(game, "?", "best", start=str(state)))
    values, value = values_of_moves(state), negamax(state)
    assert {one.text: one.value for one in truth.answers} == values
    assert set(truth.right) == {move for move, worth in values.items() if worth == value}
    won = truth_of(Question(game, "?", "value", start=str(state)))
    mover = state.to_move
    words = {1: f"{mover.mark} wins", 0: "a draw", -1: f"{mover.other.mark} wins"}
    assert (won.shown, won.right) == (words[value], (words[value],))


def test_in_a_lost_position_no_answer_is_better_than_another() -> None:
    truth = truth_of(posed("nim:preset=marienbad", "best"))
    assert all(one.right for one in truth.answers)
    assert {one.value for one in truth.answers} == {-1}
    assert truth.sentence.startswith("Every move of x loses against best play; ")


def test_the_move_a_machine_plays_is_among_all_that_it_could() -> None:
    truth = truth_of(posed("tictactoe", "plays", moves="a1 b2 a2", machine="opportunist"))
    assert sorted(one.text for one in truth.answers) == ["a3", "b1", "b3", "c1", "c2", "c3"]
    lost = truth_of(posed("tictactoe", "plays", moves="a1 b2 a2 c3", machine="opportunist"))
    assert lost.right == ("a3",)


def test_a_choice_may_be_a_move() -> None:
    game, some = (
        "nim:heaps=1-5-6,last=wins",
        (Choice("One from b", "b1"), Choice("Two from c", "c2")),
    )
    truth = truth_of(Question(game, "What do you take?", "best", choices=some))
    every = truth_of(Question(game, "What do you take?", "best"))
    assert [(one.text, one.value) for one in truth.answers] == [
        (pick.text, every.answer(pick.claim).value)
        for pick in some  # type: ignore[union-attr]
    ]
    assert truth.right == ("Two from c",)


def test_alpha_beta_looks_where_a_second_alpha_beta_looks_and_tells_what_cut_a_move_off() -> None:
    state = load_game("tictactoe").parse_state(ENDING)
    seen = alphabeta_looks(state)
    asked = [line for line in lines_below(state) if len(line) > 1 and line[:-1] in seen]
    assert {line for line in asked if looked_at(line).shown == "yes"} == seen & set(asked)
    assert {looked_at(line).shown for line in asked} == {"yes", "no"}
    cut = next(line for line in asked if len(line) == 2 and line not in seen)
    assert f"instead of {cut[0]} x already has" in looked_at(cut).sentence


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_positions_looked_at_are_counted_as_they_come(algorithm: str) -> None:
    state = load_game("tictactoe").parse_state(ENDING)
    counts = {
        "minimax": len(list(lines_below(state))),
        "alphabeta": len(alphabeta_looks(state)) - 1,  # without the root
    }
    question = posed("tictactoe", f"nodes {algorithm} depth=9", "0 | over 0", start=ENDING)
    assert truth_of(question).shown == str(counts[algorithm])


def test_a_learner_is_asked_from_when_on_it_holds() -> None:
    game = load_game("tictactoe")
    entry, values = read_agent("menace", game)
    brain = known_brain(entry.key, game, values)
    assert brain is not None
    weak = [point.step for point in brain.curve if point.metrics["draws"] < 0.99]
    first = next(point.step for point in brain.curve if point.step > max(weak))
    choices = "up to 100 | 101 to 1,000 | over 1,000 | never"
    truth = truth_of(posed("tictactoe", "games-until draws>=0.99", choices, machine="menace"))
    assert (truth.shown, truth.right) == (f"{first:,}", ("101 to 1,000",))


def test_what_lies_between_two_points_of_a_curve_is_not_claimed() -> None:
    question = posed("tictactoe", "games-until draws>=0.99 menace", "up to 300 | over 300")
    with pytest.raises(UnknowableError, match="between 200 and 500, where nobody looked"):
        truth_of(question)


def test_what_a_learner_never_comes_to_is_never() -> None:
    truth = truth_of(posed("tictactoe", "games-until wins>0 menace", "under 9,000 | never"))
    assert truth.right == ("never",)


@pytest.mark.parametrize("seats", [("nim-sum", "random"), ("random", "nim-sum")])
def test_scores_are_those_of_every_line_with_its_chance(seats: tuple[str, str]) -> None:
    game = "nim:heaps=1-2-3"
    question = posed(game, f"wins {seats[0]} against {seats[1]} as=first", "0 to 100 | over 100")
    assert truth_of(question).shown == f"{100 * exact_score(game, *seats):.2f}%".replace(
        ".00%", "%"
    )


@pytest.mark.parametrize("size", [3, 4, 5])
def test_moves_that_differ_are_those_no_turn_makes_the_same(size: int) -> None:
    start = load_game(f"quixo:size={size}").start
    boards = [str(start.play(move)).partition(" ")[0] for move in start.legal_moves()]
    different = {min(turned(board)) for board in boards}
    truth = truth_of(posed(f"quixo:size={size}", "distinct-moves", "0 | over 0"))
    assert truth.shown == str(len(different))


@pytest.mark.parametrize(("game", "truth", "choices"), EXAMPLES)
def test_every_truth_can_be_had(game: str, truth: str, choices: str) -> None:
    found = truth_of(posed(game, truth, choices))
    assert found.right
    assert found.sentence.endswith(".")
    assert found.source


def test_every_truth_has_its_example() -> None:
    named = {read_truth(truth)[0].name for _, truth, _ in EXAMPLES}
    assert named | {"looks-at", "puzzle", "sketch"} == {kind.name for kind in TRUTHS}


@pytest.mark.parametrize(
    ("truth", "subject"),
    [
        ("value", About.POSITION),
        ("preferred 50", About.POSITION),
        ("curve draws at 50 menace", About.GAME),
        ("least-sets set-cover", About.NO_GAME),
        ("is 3 < 4", About.NO_GAME),
        ("is curve draws at 50 menace < 4", About.GAME),
        ("is calls weigh on black-box < nodes minimax", About.POSITION),
    ],
)
def test_a_truth_is_about_a_position_a_game_or_neither(truth: str, subject: About) -> None:
    assert subject_of(truth) is subject


def test_an_update_is_worked_out_as_it_is_written() -> None:
    truth = truth_of(posed("", "update 0.1 0.1 1 0.9 0.3", "0.217 | 0.2"))
    assert (truth.shown, truth.right) == ("0.217", ("0.217",))
    assert truth.sentence == "0.1 + 0.1 × (1 + 0.9 × 0.3 − 0.1) = 0.217."


def test_moves_that_lead_to_the_same_board_are_tried_together() -> None:
    truth = truth_of(posed("tictactoe", "preferred 50", start="x../.../... o"))
    assert truth.right == ("b1", "c2")
    assert truth.sentence.startswith("Of 50 games it tried b1 or c2 18")


def test_what_nobody_has_worked_out_is_said_to_be_unknown() -> None:
    with pytest.raises(UnknowableError, match="who wins here cannot be worked out: no endgames"):
        truth_of(posed("quixo", "value"))


def test_a_question_asks_for_the_picks_that_go_without_saying() -> None:
    asked = check_question(posed("tictactoe", "value"))
    assert [pick.text for pick in asked.choices] == ["x wins", "o wins", "a draw"]
    assert check_question(posed("tictactoe", "best")).wants_move


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (posed("tictactoe", "worth"), "unknown truth 'worth'"),
        (posed("tictactoe", "bes"), "did you mean 'best'?"),
        (posed("tictactoe", "best", "b2 | a9"), "'a9' is no cell"),
        (posed("tictactoe", "best", "b2 | a1", "a1"), "a1 cannot be played there"),
        (posed("tictactoe", "best", "b2 | a1"), "'b2' and 'a1' are both right"),
        (posed("tictactoe", "value", "x wins"), "needs 2 to 6 choices, not 1"),
        (posed("tictactoe", "value", "x wins | x wins"), "two choices read the same"),
        (posed("tictactoe", "value", "x wins | who knows"), "'who knows' cannot be held against"),
        (posed("tictactoe", "value", "x wins | o wins"), "none of the choices is right: it is a"),
        (posed("quixo", "moves", "44 | over 40"), "'44' and 'over 40' are both right: it is 44"),
        (posed("quixo", "moves"), "'moves' needs 2 to 6 choices, not 0"),
        (posed("quixo", "nim-sum", "0 | 1"), "quixo has no heaps"),
        (posed("tictactoe", "looks-at b1"), "looks at every move of the position it begins with"),
        (posed("tictactoe", "nodes minmax", "0 | 1"), "did you mean 'minimax'?"),
        (posed("tictactoe", "nodes minimax depth=0", "0 | 1"), "a whole number from 1 to 100"),
        (posed("tictactoe", "value depth=2"), "unknown option 'depth'"),
        (posed("tictactoe", "games-until drawn>=1 menace", "0 | 1"), "has wins, draws, losses"),
        (posed("tictactoe", "games-until often menace", "0 | 1"), "write a condition such as"),
        (posed("tictactoe", "games-until draws>=1", "0 | 1"), "whose curve?"),
        (posed("tictactoe", "games-until draws>=1 minimax", "0 | 1"), "does not learn"),
        (posed("", "value"), "'value' is about a game: say which"),
        (posed("", "is 3 < curve draws at 50 menace"), "is about a game: say which"),
        (posed("", "is 3 < 4", machine="menace"), "unknown game ''"),
        (posed("", "update 0.2 0.5 0 1 lots", "0 | 1"), "'lots' is no number"),
        (posed("tictactoe", "preferred 7"), "nobody looked after 7 games, but 1, 2, 5"),
        (posed("tictactoe", "preferred 501"), "a whole number from 1 to 500"),
        (posed("", "least-sets black-box", "0 | 1"), "black-box is no set cover"),
        (posed("", "box-value 1 2 set-cover", "0 | 1"), "set-cover is no black box that can be"),
        (posed("", "box-value 1 2 black-box:sealed=yes", "0 | 1"), "no black box that can be"),
        (posed("", "box-value 1 2 3 black-box:groups=2", "0 | 1"), "has 2 groups"),
        (posed("", "box-value 1 501 black-box:groups=2", "0 | 1"), "number from 0 to 500"),
        (posed("tictactoe", "is 3 4 5"), "with one of < <= = >= > between"),
        (posed("tictactoe", "is value < 4"), "'value' is no number"),
        (posed("tictactoe", "value", moves="b2 b2"), "b2 is taken"),
        (posed("tictactoe", "value", machine="deep"), "unknown agent 'deep'"),
        (posed("tictactoe", "value", start="xxx/oo./... o"), "the game is over there"),
        (posed("chess", "value"), "unknown game 'chess'"),
        (posed("tictactoe", "x" * 121), "a truth has at most 120 characters"),
    ],
)
def test_a_question_that_cannot_be_asked_says_why(question: Question, why: str) -> None:
    with pytest.raises(ZermeloError) as raised:
        truth_of(question)
    assert why in str(raised.value)


TRUE_OF_44 = (
    *("44", "44.0", "40 to 50", "40–44", "fewer than 45", "at most 44", "more than 43"),
    *("at least 44", "44 or fewer"),
)
FALSE_OF_44 = ("under 44", "≤ 43", "over 44", "45 or more", "1,000", "never")


@pytest.mark.parametrize("claim", [*TRUE_OF_44, *FALSE_OF_44])
def test_a_claim_is_held_against_the_number(claim: str) -> None:
    fact = exact.legal(Question("quixo", "?", "moves"), parse_arguments("moves"))
    assert fact.agrees(claim) is (claim in TRUE_OF_44)


@pytest.mark.parametrize("claim", ["", "four", "-3", "1 to", "٤٤", f"{10**15:,}", "1.2.3"])
def test_a_claim_that_is_no_number_is_refused(claim: str) -> None:
    with pytest.raises(InvalidQuestionError):
        parse_range(claim)


def test_the_longest_truth_fits_the_column_of_a_round():
    assert ClassRoundRow.__table__.c.truth.type.length >= MAX_TRUTH_CHARS
