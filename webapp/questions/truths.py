"""All kinds of truth by name, the check of a question, and the truth of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from operator import eq, ge, gt, le, lt

from agents.roster import pinned_spec, read_agent
from engine import load_game
from engine.errors import IllegalMoveError, quoted, unknown_text
from webapp.questions import contests, exact, learning, problems, puzzles, search, sketches
from webapp.questions.facts import (
    About,
    AnsweredBy,
    CurveFact,
    HoldsFact,
    NumberFact,
    TruthKind,
)
from webapp.questions.models import Choice, InvalidQuestionError, Judgement, Question, Truth
from webapp.questions.parser import (
    Arguments,
    parse_arguments,
    parse_legal_move,
    parse_range,
    parse_winner,
    parse_yes_no,
)
from webapp.questions.plain import check_plain, is_plain, plain_truth

MAX_CHOICES = 6
SIGNS: dict[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}


# For questions without choices.
DEFAULT_CHOICES = {
    AnsweredBy.WINNER: tuple(Choice(text, text) for text in ("x wins", "o wins", "a draw")),
    AnsweredBy.HOLDS: tuple(Choice(text, text.lower()) for text in ("Yes", "No")),
}


def comparison(question: Question, arguments: Arguments) -> HoldsFact:
    """Whether a comparison of two numbers holds, each a truth or a literal."""
    sign, sides = _sides(arguments)
    one, other = (_number(question, side, arguments) for side in sides)
    sentence = " ".join(side.sentence for side in (one, other) if side.sentence)
    if one.number is None or other.number is None:
        raise arguments.wrong("one of the two never comes about")
    source = " and ".join(dict.fromkeys(side.source for side in (one, other) if side.source))
    curve = max(filter(None, (one.curve, other.curve)), key=lambda c: len(c.points), default=None)
    return HoldsFact(SIGNS[sign](one.number, other.number), sentence, source, curve)


def _sides(arguments: Arguments) -> tuple[str, tuple[str, str]]:
    """The operator of a comparison, and its two sides."""
    words = arguments.text.split()
    found = [at for at, word in enumerate(words) if word in SIGNS]
    if len(found) != 1:
        raise arguments.wrong("write two numbers with one of < <= = >= > between, spaces around")
    return words[found[0]], (" ".join(words[1 : found[0]]), " ".join(words[found[0] + 1 :]))


def _is_number(text: str) -> bool:
    """Whether it is a literal number."""
    return text.replace(",", "").replace(".", "").rstrip("%").isdecimal()


def _number(question: Question, text: str, arguments: Arguments) -> NumberFact:
    if _is_number(text):
        return NumberFact(parse_range(text).low, "", "")
    kind, parts = read_truth(text)
    if kind.answers is not AnsweredBy.NUMBER:
        raise arguments.wrong(f"{quoted(text)} is no number")
    fact = kind.find(question, parts)
    assert isinstance(fact, NumberFact)
    return fact


TRUTHS = (
    TruthKind("value", AnsweredBy.WINNER, "who wins with best play", exact.value),
    TruthKind("best", AnsweredBy.MOVE, "which moves are best", exact.best),
    TruthKind("puzzle ID", AnsweredBy.MOVE, "which moves solve a puzzle", puzzles.puzzle_moves),
    TruthKind("plays [MACHINE]", AnsweredBy.MOVE, "which move it plays", contests.plays),
    TruthKind(
        "looks-at MOVE [depth=N] [order=board]",
        AnsweredBy.HOLDS,
        "whether alpha-beta, begun before the moves, looks at this one",
        search.looks_at,
    ),
    TruthKind(
        "nodes ALGORITHM [depth=N] [order=board]",
        AnsweredBy.NUMBER,
        "how many positions minimax or alphabeta looks at",
        search.nodes,
    ),
    TruthKind(
        "games-until draws>=0.99 [LEARNER]",
        AnsweredBy.NUMBER,
        "after how many games this holds of a learner, and keeps holding",
        learning.games_until,
        About.GAME,
    ),
    TruthKind(
        "curve draws at GAMES [LEARNER]",
        AnsweredBy.NUMBER,
        "what a learner scored after so many games, shares in per cent",
        learning.on_curve,
        About.GAME,
    ),
    TruthKind(
        "sketch draws GAMES GAMES GAMES GAMES GAMES",
        AnsweredBy.SKETCH,
        "a learning curve that everyone draws first, by its heights at five places",
        sketches.learned_curve,
        About.GAME,
    ),
    *(
        TruthKind(
            f"{name} MACHINE against MACHINE [as=first]",
            AnsweredBy.NUMBER,
            f"how often one machine {name.replace('losses', 'loses')} against another, in per cent",
            contests.scores,
            About.GAME,
        )
        for name in ("wins", "draws", "losses")
    ),
    TruthKind(
        "three-genes MACHINE",
        AnsweredBy.NUMBER,
        "the most that rules of three genes win against a machine at Nim, in per cent",
        learning.three_genes,
        About.GAME,
    ),
    TruthKind(
        "update Q ALPHA REWARD GAMMA NEXT",
        AnsweredBy.NUMBER,
        "a Q after one update, where NEXT is the best Q of what follows",
        learning.update,
        About.NO_GAME,
    ),
    TruthKind(
        "preferred GAMES",
        AnsweredBy.MOVE,
        "which move Monte Carlo has tried most after so many games",
        search.preferred,
    ),
    TruthKind("nim-sum", AnsweredBy.NUMBER, "the nim-sum of the heaps", exact.sum_of_heaps),
    TruthKind("moves", AnsweredBy.NUMBER, "how many moves there are", exact.legal),
    TruthKind("distinct-moves", AnsweredBy.NUMBER, "how many of them differ", exact.distinct),
    TruthKind("positions", AnsweredBy.NUMBER, "how many play can reach", exact.positions),
    TruthKind(
        "sets SEARCH on PROBLEM",
        AnsweredBy.NUMBER,
        "how many sets a search needs to cover all, or `fewest`",
        problems.sets,
        About.NO_GAME,
    ),
    TruthKind(
        "expanded SEARCH on PROBLEM",
        AnsweredBy.NUMBER,
        "how many states a search for a cover expands",
        problems.expanded,
        About.NO_GAME,
    ),
    TruthKind(
        "calls SEARCH on PROBLEM",
        AnsweredBy.NUMBER,
        "how many questions a search asks a black box",
        problems.calls,
        About.NO_GAME,
    ),
    TruthKind(
        "least-sets PROBLEM",
        AnsweredBy.NUMBER,
        "how many sets a cover has at least, by the size of the largest",
        problems.least_sets,
        About.NO_GAME,
    ),
    TruthKind(
        "box-value ONES … PROBLEM",
        AnsweredBy.NUMBER,
        "what a black box says to so many ones in each of its groups",
        problems.box_value,
        About.NO_GAME,
        more_words=7,
    ),
    TruthKind(
        "is NUMBER < NUMBER",
        AnsweredBy.HOLDS,
        "whether one truth is less than another, or than a number",
        comparison,
        About.NO_GAME,  # of itself: see `subject_of`
        more_words=17,
        more_options=("depth", "order", "as"),
    ),
)
KINDS = {kind.name: kind for kind in TRUTHS}


def read_truth(text: str) -> tuple[TruthKind, Arguments]:
    """The kind and arguments of a truth's text; raises InvalidQuestionError."""
    arguments = parse_arguments(text)
    if (kind := KINDS.get(arguments.name)) is None:
        raise InvalidQuestionError(text, unknown_text("truth", arguments.name, KINDS))
    if not kind.takes(len(arguments.words)):
        raise arguments.wrong(f"write it as {kind.usage}")
    for name, _ in arguments.options:
        if name not in kind.options:
            raise arguments.wrong(f"unknown option {quoted(name)}: write it as {kind.usage}")
    return kind, arguments


def subject_of(truth: str) -> About:
    """What a truth is about; for a comparison, the most that one of its sides is about."""
    if is_plain(truth):
        return About.NO_GAME
    kind, arguments = read_truth(truth)
    if kind.find is not comparison:
        return kind.about
    _, sides = _sides(arguments)
    return max(About.NO_GAME if _is_number(side) else subject_of(side) for side in sides)


def has_board(question: Question) -> bool:
    """Whether its position is shown: it is asked about, or a machine will comment on it."""
    if is_plain(question.truth):
        return bool(question.game)
    has_comment = bool(question.machine and question.game) and not question.wants_sketch
    return has_comment or subject_of(question.truth) is About.POSITION


def check_question(question: Question) -> Question:
    """Check a question without computing its truth, and add default choices.

    Raises InvalidQuestionError, or errors of its game or machine.
    """
    if is_plain(question.truth):
        _check_subject(question)
        _check_count(question.choices, question)
        check_plain(question)
        return question
    kind, arguments = read_truth(question.truth)
    _check_subject(question)
    if kind.answers is AnsweredBy.SKETCH:
        sketches.check_sketch(question, arguments)
        return question
    if kind.answers is AnsweredBy.MOVE and not question.choices:
        return question
    choices = question.choices or DEFAULT_CHOICES.get(kind.answers, ())
    _check_choices(choices, kind, question)
    return replace(question, choices=choices)


def _check_subject(question: Question) -> None:
    """Raises if it lacks the game or the position that its truth is about."""
    subject = subject_of(question.truth)
    if not question.game and not (question.start or question.moves or question.machine):
        if subject is not About.NO_GAME:
            why = f"{quoted(question.truth, 60)} is about a game: say which"
            raise InvalidQuestionError(question.truth, why)
        return
    game, match = load_game(question.game), question.match
    if subject is About.POSITION and match.outcome() is not None:
        raise IllegalMoveError("", match.state, "the game is over there: nothing is left to ask")
    if question.machine:
        read_agent(question.machine, game)


def _check_count(choices: tuple[Choice, ...], question: Question) -> None:
    """Raises unless it has 2 to MAX_CHOICES different choices."""
    if not 2 <= len(choices) <= MAX_CHOICES:
        why = f"{quoted(question.truth)} needs 2 to {MAX_CHOICES} choices, not {len(choices)}"
        raise InvalidQuestionError(question.truth, why)
    if len({choice.text for choice in choices}) < len(choices):
        raise InvalidQuestionError(question.truth, "two choices read the same")


def _check_choices(choices: tuple[Choice, ...], kind: TruthKind, question: Question) -> None:
    _check_count(choices, question)
    for choice in choices:
        match kind.answers:
            case AnsweredBy.WINNER:
                parse_winner(choice.claim, question.to_move)
            case AnsweredBy.HOLDS:
                parse_yes_no(choice.claim)
            case AnsweredBy.MOVE:
                parse_legal_move(choice.claim, question.match)
            case _:
                parse_range(choice.claim)


def truth_of(question: Question) -> Truth:
    """Compute the truth, which may take seconds: for workers.

    Raises as `check_question` does, and UnknowableError.
    """
    whole = check_question(question)
    if whole.machine:
        whole = replace(whole, machine=pinned_spec(whole.machine, load_game(whole.game)))
    return _truth_of(whole)


@lru_cache(maxsize=512)
def _truth_of(question: Question) -> Truth:
    if is_plain(question.truth):
        return plain_truth(question)
    kind, arguments = read_truth(question.truth)
    fact = kind.find(question, arguments)
    answers = fact.judge(question.choices)
    if question.choices:
        _check_one_right(answers, fact.shown, question)
    curve = fact.curve if isinstance(fact, HoldsFact | NumberFact | CurveFact) else None
    return Truth(answers, fact.sentence, fact.source, fact.shown, curve)


def _check_one_right(answers: tuple[Judgement, ...], shown: str, question: Question) -> None:
    """Raises unless exactly one choice is right."""
    right = [quoted(one.text) for one in answers if one.right]
    if not right:
        raise InvalidQuestionError(question.truth, f"none of the choices is right: it is {shown}")
    if len(right) > 1:
        why = f"{' and '.join(right)} are both right: it is {shown}"
        raise InvalidQuestionError(question.truth, why)
