"""Facts about searches: positions visited by textbook searches, moves tried by Monte Carlo."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from agents.core import Limit
from agents.formats import counted
from agents.roster import load_agent, read_agent
from agents.search.trace import (
    MAX_POSITIONS,
    Algorithm,
    Order,
    Plan,
    Recording,
    moves_in,
    record,
    usual_depth,
)
from agents.search.trace_view import Spot, Tried, Unfolded, count_text, cut_text
from engine import Match, load_game
from engine.errors import ZermeloError
from engine.transcript import replayed
from webapp.questions.facts import HoldsFact, MovesFact, NumberFact, join_texts
from webapp.questions.models import InvalidQuestionError, Judgement, Question, UnknowableError
from webapp.questions.parser import Arguments

MAX_DEPTH = 100


def looks_at(question: Question, arguments: Arguments) -> HoldsFact:
    """Whether alpha-beta, searching from the start, visits a move in the position.

    At its root it visits every move, so the question needs moves from there.
    """
    move = arguments.words[0]
    if not question.moves:
        why = (
            "alpha-beta looks at every move of the position it begins with: give the moves that "
            "lead on from there, as in `moves: b2 a1`"
        )
        raise InvalidQuestionError(question.truth, why)
    root = replayed(question.game, question.start, ())
    plan = plan_of(question, Algorithm.ALPHABETA, root, arguments)
    unfolded = unfold(root, plan)
    spots = _spots_along(unfolded, question)
    tried = unfolded.tried(spots[-1])
    named = {str(one.move): one for one in tried}
    if not named:
        raise UnknowableError(f"its search ends here, {counted(plan.depth, 'ply', 'plies')} deep")
    if move not in named:
        raise InvalidQuestionError(move, f"{move} cannot be played here")
    source = f"textbook alpha-beta, {counted(plan.depth, 'ply', 'plies')} deep"
    if named[move].spot is not None:
        return HoldsFact(True, _looked(named[move], tried), source)
    cut = unfolded.cut(spots)
    assert cut is not None, "what is not looked at was cut off"
    return HoldsFact(False, cut_text(cut), source)


def nodes(question: Question, arguments: Arguments) -> NumberFact:
    """The number of positions that an algorithm visits below this one."""
    algorithm = Algorithm(arguments.one_of(0, tuple(Algorithm)))
    match = question.match
    plan = plan_of(question, algorithm, match, arguments)
    found = _recorded(match, plan).looked_at
    number = found[algorithm]
    if number is None:
        raise UnknowableError(
            f"{algorithm} looks at more than {MAX_POSITIONS:,} positions here: "
            "ask for a smaller depth"
        )
    other = next(name for name in Algorithm if name is not algorithm)
    deep = counted(plan.depth, "ply", "plies")
    sentence = (
        f"{count_text(algorithm, number)} positions, at most {deep} deep; "
        f"{count_text(other, found[other])} for the same answer."
    )
    return NumberFact(number, sentence, f"the textbook's search, {deep} deep")


def plan_of(
    question: Question, algorithm: Algorithm, match: Match[Any, Any], arguments: Arguments
) -> Plan:
    """Depth and order of the truth's options, else of the machine, else a quick depth."""
    depth = arguments.whole("depth", 1, MAX_DEPTH)
    order = Order(arguments.option("order", tuple(Order)) or Order.BOARD)
    evaluation = "game"
    if question.machine.partition(":")[0] in list(Algorithm):
        _, values = read_agent(question.machine, match.game)
        depth = depth or values.optional_integer("depth")
        evaluation = values.text("evaluation")
    return Plan(algorithm, depth or usual_depth(match.state), order, evaluation)


@lru_cache(maxsize=32)
def _recorded(match: Match[Any, Any], plan: Plan) -> Recording:
    return record(match, plan)


def unfold(root: Match[Any, Any], plan: Plan) -> Unfolded:
    """The whole search tree; raises UnknowableError if it is too large."""
    recording, prunes = _recorded(root, plan), plan.algorithm is Algorithm.ALPHABETA
    if not recording.is_whole:
        raise UnknowableError(f"{count_text(plan.algorithm, None)} positions: it is not kept")
    upto = len(recording.end) - 1
    return Unfolded(recording, root.state, moves_in(plan.order, root.game), upto, prunes)


def _spots_along(unfolded: Unfolded, question: Question) -> list[Spot]:
    """The positions from the root along the moves; raises UnknowableError if pruned."""
    path: list[int] = []
    for text in question.moves:
        found = _find(unfolded.tried(unfolded.spots(path)[-1]), text, question)
        if found.spot is None:
            raise UnknowableError(f"alpha-beta never comes to this position: it leaves out {text}")
        path.append(found.turn)
    return unfolded.spots(path)


def _find(tried: tuple[Tried, ...], text: str, question: Question) -> Tried:
    try:
        move = load_game(question.game).parse_move(text)
    except ZermeloError as error:
        raise InvalidQuestionError(text, str(error)) from error
    for one in tried:
        if one.move == move:
            return one
    raise UnknowableError(f"its search ends before {text}: ask for a larger depth")


def _looked(one: Tried, tried: tuple[Tried, ...]) -> str:
    if one.turn == 0:
        return f"{one.move} is the first of {len(tried)} moves that it tries here."
    before = counted(one.turn, "move", "moves")
    return (
        f"{one.move} comes after {before}, and none of them settles that the game will not come "
        "this way."
    )


MAX_GAMES = 500
SEED = 1

# [(games, [(moves that lead to the same board, games tried, mean result, proven), …]), …]
Stages = tuple[tuple[int, tuple[tuple[str, int, float, str], ...]], ...]


def preferred(question: Question, arguments: Arguments) -> MovesFact:
    """The move tried most after so many games; moves to the same board count as one."""
    games = arguments.count(arguments.words[0], "the number of games", 1, MAX_GAMES)
    stages = dict(sampled(question.game, str(question.match.state)))
    if games not in stages:
        known = join_texts([str(stage) for stage in stages])
        raise UnknowableError(f"nobody looked after {counted(games, 'game', 'games')}, but {known}")
    tried = sorted(stages[games], key=lambda one: -one[1])
    answers = tuple(
        Judgement(move, one == tried[0], counted(one[1], "game", "games"))
        for one in tried
        for move in one[0].split()
    )
    counts = join_texts([f"{_either(one[0])} {one[1]}" for one in tried[:3]])
    sentence = f"Of {counted(games, 'game', 'games')} it tried {counts}."
    return MovesFact(answers, sentence, "Monte Carlo itself, asked here", tried[0][0].split()[0])


def _either(moves: str) -> str:
    """`b1 or c2`."""
    return " or ".join(moves.split())


@lru_cache(maxsize=32)
def sampled(game: str, state: str) -> Stages:
    """The moves that Monte Carlo has tried at each of its stages."""
    rules = load_game(game)
    agent: Any = load_agent(f"mcts:simulations={MAX_GAMES}", rules)
    analysis = agent.analyse(rules.parse_state(state), limit=Limit(), rng=Random(SEED), show=True)
    return tuple(
        (
            games,
            tuple((one.move, one.visits, round(one.mean, 4), one.proven) for one in stage),
        )
        for games, stage in analysis.exhibit.stages
    )
