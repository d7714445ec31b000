"""Facts about learning: one update of Q-learning, and points of a learner's curve."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from operator import ge, gt, le, lt

from agents.evolution.rules_fitness import best_of_a_grid
from agents.formats import counted, portion
from agents.roster import OPPONENTS, agent_title, pinned_spec, read_agent, training_seconds
from agents.tabular.tables import why_too_many
from agents.training.brains import Brain, Point
from agents.training.curve_exhibit import MAX_CEILING_STATES
from agents.training.shipped import known_brain
from agents.training.trainer import SEED, finish
from engine import load_game
from engine.errors import ZermeloError, quoted
from engine.nim import NimState
from engine.options import parse_spec
from webapp.questions.contests import MAX_MATCH_STATES, check_tabulated
from webapp.questions.facts import NumberFact
from webapp.questions.models import Choice, CurveTrace, Question, UnknowableError
from webapp.questions.parser import Arguments, parse_number

CONDITION = re.compile(r"([a-z_]+)(>=|<=|>|<)([\d.,]+%?)")
HOLDS: dict[str, Callable[[float, float], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt}
MAX_TRAINING_S = 5.0  # of a learner without a brain, for a question
MAX_GAMES = 20_000_000
SHARES = ("wins", "draws", "losses", "known", "right", "searched")  # metrics from 0 to 1
RESULT_VERBS = {"wins": "win", "draws": "draw"}  # by metric of games against the reference
MAX_BORDERS = 4
NEAR_FINAL_SHARE = 0.95  # of the final result
MIN_SHARE = 0.05  # of wins or draws, below which there is nothing to ask
SIMILAR_GAMES = 5  # of 100, within which two results are about the same


def update(_: Question, arguments: Arguments) -> NumberFact:
    """A Q after one update: Q + alpha (reward + gamma * best next Q - Q)."""
    worth, alpha, reward, gamma, best = map(_fraction, arguments.words)
    number = worth + alpha * (reward + gamma * best - worth)
    q, a, r, g, b = (f"{float(_fraction(word)):g}" for word in arguments.words)
    written = f"{float(number):g}"
    sentence = f"{q} + {a} × ({r} + {g} × {b} − {q}) = {written}."
    return NumberFact(float(number), sentence, "the rule of Q-learning", written=written)


def _fraction(text: str) -> Fraction:
    """The exact number of a text."""
    parse_number(text)
    return Fraction(text.replace(",", "").removesuffix("%")) / (100 if text.endswith("%") else 1)


def games_until(question: Question, arguments: Arguments) -> NumberFact:
    """The number of games after which a condition holds to the end of the curve.

    As exact as the curve is dense: between two of its points it is unknown.
    """
    found = CONDITION.fullmatch(arguments.words[0])
    if found is None:
        raise arguments.wrong("write a condition such as draws>=0.99 or losses<=0")
    metric, sign, text = found.groups()
    limit = parse_number(text) / (100 if text.endswith("%") else 1)
    learner, curve = learner_curve(question, arguments, 1)
    check_metric(metric, curve[0], arguments)
    kept = [HOLDS[sign](point.metrics[metric], limit) for point in curve]
    if not kept[-1]:
        sentence = f"{learner.title} has {learner.metric_text(metric, curve[-1])} at its end."
        return NumberFact(None, sentence, learner.source, curve=learner.trace(metric, curve))
    at = next(n for n in range(len(curve)) if all(kept[n:]))
    if at == 0:
        sentence = (
            f"{learner.title} has {learner.metric_text(metric, curve[0])} from the first point on."
        )
        trace = learner.trace(metric, curve)
        return NumberFact(curve[0].step, sentence, learner.source, since=0, curve=trace)
    before, after = curve[at - 1], curve[at]
    was, now = learner.metric_text(metric, before), learner.metric_text(metric, after)
    sentence = f"{learner.title} has {now}, and stays there; the point before: {was}."
    trace = learner.trace(metric, curve)
    return NumberFact(after.step, sentence, learner.source, since=before.step, curve=trace)


def on_curve(question: Question, arguments: Arguments) -> NumberFact:
    """A metric of the learner after so many games, shares in per cent."""
    metric, at, step = arguments.words[:3]
    if at != "at":
        raise arguments.wrong("write it as in `curve draws at 50`")
    wanted = arguments.count(step.replace(",", ""), "the number of games", 1, MAX_GAMES)
    learner, curve = learner_curve(question, arguments, 3)
    check_metric(metric, curve[0], arguments)
    point = next((point for point in curve if point.step == wanted), None)
    if point is None:
        steps = sorted((point.step for point in curve), key=lambda step: abs(step - wanted))
        near = ", ".join(f"{step:,}" for step in sorted(steps[:4]))
        raise UnknowableError(f"nobody looked after {wanted:,} {learner.unit}, but after {near}")
    is_share = metric in SHARES
    number = point.metrics[metric] * (100 if is_share else 1)
    sentence = f"{learner.title} has {learner.metric_text(metric, point)}."
    upto = tuple(point for point in curve if point.step <= wanted)  # the rest may be asked next
    trace = learner.trace(metric, upto)
    return NumberFact(number, sentence, learner.source, unit="%" if is_share else "", curve=trace)


@dataclass(frozen=True, slots=True)
class Learner:
    """The owner of a curve, in words."""

    title: str
    unit: str
    rival: str
    exact: bool

    @property
    def source(self) -> str:
        how = "measured" if self.exact else "sampled"
        return f"the curve of {self.title}, {how}{self.rival}"

    def trace(self, metric: str, curve: tuple[Point, ...]) -> CurveTrace | None:
        """The curve of a metric to draw; None unless it is a share."""
        if metric not in SHARES or len(curve) < 2:
            return None
        points = tuple((float(point.step), point.metrics[metric]) for point in curve)
        return CurveTrace(self.title, metric, self.unit, points)

    def metric_text(self, metric: str, point: Point) -> str:
        """`99.7% draws against Perfect after 500 games`."""
        number = point.metrics[metric]
        amount = f"{portion(number)} {metric}" if metric in SHARES else f"{metric} {number:,.4g}"
        one = self.unit.removesuffix("s")
        rival = "" if metric in ("right", "searched") else self.rival
        return f"{amount}{rival} after {counted(point.step, one, self.unit)}"


def learner_curve(
    question: Question, arguments: Arguments, at: int
) -> tuple[Learner, tuple[Point, ...]]:
    """The curve of the learner in the truth's arguments, else of the question's machine."""
    why = "whose curve? name a learner after it, or as the machine"
    spec = arguments.machine(at, question.machine, why)
    brain = brain_of(question.game, spec)
    if not brain.curve:
        raise UnknowableError(f"nobody measured {spec} as it learned")
    title, exact = agent_title(spec, question.game), is_exact(question.game)
    return Learner(title, brain.unit, rival_text(brain, question.game), exact), brain.curve


def rival_text(brain: Brain, game: str) -> str:
    """` against Perfect`, or nothing where the curve was measured without an opponent."""
    return f" against {agent_title(brain.reference, game)}" if brain.reference else ""


def is_exact(game: str) -> bool:
    """Whether curves of this game are computed exactly, rather than sampled by playing."""
    return why_too_many(load_game(game), MAX_CEILING_STATES, "tabulate") is None


def brain_of(game: str, spec: str) -> Brain:
    """The shipped or trained brain of a spec; else one trained here if that is quick.

    Raises UnknowableError if it is not, and as `load_agent` does.
    """
    return _brain_of(game, pinned_spec(spec, load_game(game)))


@lru_cache(maxsize=16)
def _brain_of(game: str, spec: str) -> Brain:
    rules = load_game(game)
    entry, values = read_agent(spec, rules)
    if entry.train is None:
        raise UnknowableError(f"{entry.key} does not learn, so it has no curve")
    if (known := known_brain(entry.key, rules, values)) is not None:
        return known
    if training_seconds(entry, rules, values) > MAX_TRAINING_S:
        raise UnknowableError(f"no brain of {quoted(spec)} is there, and training it takes long")
    return finish(entry.train(rules, values, SEED, None))


def brain_at_hand(game: str, spec: str) -> Brain | None:
    """The shipped or trained brain of a spec, if there is one."""
    rules = load_game(game)
    entry, values = read_agent(pinned_spec(spec, rules), rules)
    return None if entry.train is None else known_brain(entry.key, rules, values)


def check_metric(metric: str, point: Point, arguments: Arguments) -> None:
    """Raises InvalidQuestionError if the curve has no such metric."""
    if metric not in point.metrics:
        raise arguments.wrong(f"its curve has {', '.join(point.metrics)}, not {quoted(metric)}")


def three_genes(question: Question, arguments: Arguments) -> NumberFact:
    """The best score of rules of three genes against a machine, each setting computed exactly."""
    game = load_game(question.game)
    if not isinstance(game.start, NimState):
        raise arguments.wrong(f"these genes play Nim, not {question.game}")
    if why_too_many(game, MAX_MATCH_STATES, "tabulate") is not None:
        raise UnknowableError(f"{question.game} has too many positions to try out every setting")
    spec = pinned_spec(arguments.words[0], game)
    check_tabulated(spec, game)
    share = best_of_a_grid(OPPONENTS, game, spec)
    sentence = (
        f"Of settings all over their range the best wins {portion(share)} against "
        f"{agent_title(spec, question.game)}."
    )
    return NumberFact(100 * share, sentence, "each setting's games counted exactly", unit="%")


def curve_question(game: str, spec: str) -> Question | None:
    """When a learner was near its final result, or what that was if it became worse.

    None where that is not known exactly.
    """
    try:
        brain = brain_at_hand(game, spec)
    except ZermeloError:
        return None
    if brain is None or not is_exact(game) or len(brain.curve) < 2:
        return None
    if (metric := telling_metric(brain)) is None:
        return None
    end = brain.curve[-1].metrics
    fell = end[metric] < NEAR_FINAL_SHARE * brain.curve[0].metrics[metric]
    return (_final_question if fell else _speed_question)(game, spec, brain, metric)


def telling_metric(brain: Brain) -> str | None:
    """The result that says most of what was learned; None if there is nothing to ask."""
    end = brain.curve[-1].metrics
    names = RESULT_VERBS if brain.reference else ("right",)
    shares = {name: end[name] for name in names if MIN_SHARE <= end.get(name, 0.0) <= 1}
    return max(shares, key=shares.__getitem__, default=None)


def _speed_question(game: str, spec: str, brain: Brain, metric: str) -> Question:
    """After how many games: borders are powers of ten, at which every curve has a point."""
    least = int(100 * NEAR_FINAL_SHARE * brain.curve[-1].metrics[metric])
    return Question(
        game=game,
        prompt=f"After how many {brain.unit} does {learner_title(spec, game)} "
        f"{_share_text(brain, game, metric, f'at least {least}')}, and keep to it?",
        truth=f"games-until {metric}>={least / 100}",
        choices=_choices(brain),
        machine=spec,
    )


def _final_question(game: str, spec: str, brain: Brain, metric: str) -> Question:
    first, last = brain.curve[0], brain.curve[-1]
    was = round(100 * first.metrics[metric])
    low, high = max(0, was - SIMILAR_GAMES), min(100, was + SIMILAR_GAMES)
    begun = counted(first.step, brain.unit.removesuffix("s"), brain.unit)
    choices = (
        Choice(f"More than {high}", f"over {high}"),
        Choice(f"About as many, {low} to {high}", f"{low} to {high}"),
        Choice(f"Fewer than {low}", f"under {low}"),
    )
    return Question(
        game=game,
        prompt=f"After {begun} {learner_title(spec, game)} would "
        f"{_share_text(brain, game, metric, str(was))}. And after {last.step:,}?",
        truth=f"curve {metric} at {last.step}",
        choices=choices,
        machine=spec,
    )


def _share_text(brain: Brain, game: str, metric: str, count: str) -> str:
    """`win 51 of 100 games against Random`, or `play right in 51 of 100 positions`."""
    if metric in RESULT_VERBS:
        return f"{RESULT_VERBS[metric]} {count} of 100 games{rival_text(brain, game)}"
    return f"play right in {count} of 100 positions"


def learner_title(spec: str, game: str) -> str:
    """The machine's title; for a brain trained here without its digest."""
    key, texts = parse_spec(spec)
    return f"this {agent_title(key, game)}" if "brain" in texts else agent_title(spec, game)


def _choices(brain: Brain) -> tuple[Choice, ...]:
    """Picks with powers of ten along the curve as borders."""
    powers = [10**power for power in range(1, 9)]
    inside = [n for n in powers if brain.curve[0].step <= n < brain.steps]
    borders = inside[-MAX_BORDERS:] or powers[:1]
    first = Choice(f"Within {borders[0]:,}", f"up to {borders[0]:,}")
    between = [Choice(text := f"{low + 1:,} to {high:,}", text) for low, high in pairwise(borders)]
    last = Choice(text := f"More than {borders[-1]:,}", text)
    return (first, *between, last)
