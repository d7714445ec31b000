"""A question stands in an address, and comes back from it."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from engine.errors import ZermeloError
from webapp.questions.models import Question
from webapp.questions.parser import parse_choices
from webapp.questions.plans import SHIPPED_PLANS, shipped_plan
from webapp.questions.query import ask_url, parse_question
from webapp.questions.truths import check_question

ROUNDS = [step.question for name in SHIPPED_PLANS for step in shipped_plan(name).rounds]


def through_address(posed):
    """The question as its address gives it back."""
    address = urlsplit(ask_url(posed))
    assert address.path == "/class/ask"
    assert ("game=" in address.query) == bool(posed.game)
    return parse_question(dict(parse_qsl(address.query)))


NO_GAME = "least-sets set-cover:things=12,sets=9"
OTHERS = [
    Question("", "How many?", NO_GAME, choices=parse_choices("= exactly 2 = 2 | More = over 2")),
    Question("tictactoe", "Where?", choices=parse_choices("The middle = b2 | A side = b1")),
]


@pytest.mark.parametrize("posed", [*ROUNDS, *OTHERS], ids=lambda posed: posed.truth)
def test_a_question_comes_back_from_its_address(posed):
    assert through_address(posed) == posed


def test_a_question_without_choices_comes_back_with_those_that_go_without_saying():
    posed = Question("tictactoe", "Who wins?", "value", moves=("b2", "a1"))
    assert through_address(posed) == check_question(posed)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"game": ""}, "unknown game ''"),
        ({"game": "", "truth": "is 3 <"}, "write it as is NUMBER < NUMBER"),
        ({"game": "", "truth": "is 3 < 4", "moves": "b2"}, "unknown game ''"),
        ({"game": "x" * 501}, "game is a text of at most 500 letters"),
        ({"state": "xxx"}, "'xxx' does not look like"),
        ({"moves": "b2 b2"}, "b2 cannot be played: b2 is taken"),
        ({"prompt": ""}, "what is asked has 1 to 300 letters, not 0"),
        ({"prompt": "?" * 301}, "prompt is a text of at most 300 letters"),
        ({"choices": "x wins"}, "needs 2 to 6 choices, not 1"),
        ({"choices": "x wins |"}, "a choice has 1 to 80 letters, not 0"),
        ({"truth": "guess"}, "unknown truth 'guess'"),
        ({"truth": "val\x00ue"}, "truth is a text of at most 120 letters"),
        ({"machine": "hal"}, "unknown agent 'hal'"),
    ],
)
def test_fields_that_ask_nothing_say_why(changed, why):
    fields = {"game": "tictactoe", "prompt": "Who wins?", "truth": "value"}
    with pytest.raises(ZermeloError) as raised:
        parse_question(fields | changed)
    assert why in str(raised.value)
