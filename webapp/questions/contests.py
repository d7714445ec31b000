"""Facts about machines: the move one plays, and its exact score against another."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from random import Random
from typing import Any

from agents import Analysis, Limit, ask, load_agent
from agents.formats import portion
from agents.roster import OPPONENTS, agent_title, pinned_spec
from agents.tabular.exact import Chances, chances, over_seats
from agents.tabular.graph import graph_of
from agents.tabular.tables import why_too_many
from engine import Game, Seat, load_game
from webapp.questions.facts import MovesFact, NumberFact, list_text
from webapp.questions.models import Judgement, Question, UnknowableError
from webapp.questions.parser import Arguments

ANALYSIS_LIMIT = Limit(nodes=200_000)
MAX_MATCH_STATES = 50_000
MAX_NAMED = 4


def plays(question: Question, arguments: Arguments) -> MovesFact:
    """The moves that a machine may play here, each with its chance."""
    why = "which machine? name it after it, or as the machine"
    spec = pinned_spec(arguments.machine(0, question.machine, why), load_game(question.game))
    analysis = _analysis(question, spec)
    title = agent_title(spec, question.game)
    chance = {str(one.move): one.chance for one in analysis.candidates if one.chance}
    moves = sorted(
        map(str, question.match.state.legal_moves()), key=lambda move: -chance.get(move, 0)
    )
    answers = tuple(
        Judgement(move, move in chance, portion(chance[move]) if move in chance else "not played")
        for move in moves
    )
    shown = list_text([one.text for one in answers if one.right], MAX_NAMED, "moves")
    return MovesFact(answers, analysis.reason, f"{title} itself, asked here", shown)


def _analysis(question: Question, spec: str) -> Analysis[object]:
    """Its analysis, seeded by the question, so that it is the same every time."""
    agent = load_agent(spec, load_game(question.game))
    return ask(agent, question.match, ANALYSIS_LIMIT, Random(f"{spec} {question.match.state}"))


def scores(question: Question, arguments: Arguments) -> NumberFact:
    """The exact share of wins, draws or losses of one machine against another, in per cent."""
    one, against, other = arguments.words
    if against != "against":
        raise arguments.wrong("write it as in `wins nim-sum against random`")
    seat = arguments.option("as", tuple(str(seat) for seat in Seat))
    game = load_game(question.game)
    specs = [pinned_spec(spec, game) for spec in (one, other)]
    found = _score(game.spec, specs[0], specs[1], seat)
    number = {"wins": found.wins, "draws": found.draws, "losses": found.losses}[arguments.name]
    titles = [agent_title(spec, question.game) for spec in specs]
    seats = "over both seats" if seat is None else f"moving {seat}"
    sentence = (
        f"{titles[0]} wins {portion(found.wins)}, draws {portion(found.draws)} and loses "
        f"{portion(found.losses)} against {titles[1]}, {seats}."
    )
    source = "exact: every line of play with its chance"
    return NumberFact(100 * number, sentence, source, unit="%")


@lru_cache(maxsize=64)
def _score(game: str, one: str, other: str, seat: str | None) -> Chances:
    rules = load_game(game)
    if why_too_many(rules, MAX_MATCH_STATES, "tabulate") is not None:
        raise UnknowableError(f"{game} has too many positions to say exactly how machines fare")
    for spec in (one, other):
        check_tabulated(spec, rules)
    tables = graph_of(rules).tables
    mine, theirs = (OPPONENTS.policy(spec, rules) for spec in (one, other))
    if seat is None:
        return over_seats(tables, mine, theirs)
    return chances(tables, mine, theirs, Seat[seat.upper()])


def check_tabulated(spec: str, game: Game[Any, Any]) -> None:
    """Raises UnknowableError for a machine that searches: tabulating it takes too long."""
    if OPPONENTS.seconds(spec, game) == inf:
        raise UnknowableError(f"{spec} thinks anew in every position: nobody waits for that")
