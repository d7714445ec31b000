"""What learning comes to: one step of it; and by its curve how good a learner was after so many
games, and from when on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import ge, gt, le, lt

from agents.formats import counted, portion
from agents.roster import agent_title, pinned_spec, read_agent, training_seconds
from agents.tabular.tables import why_too_many
from agents.training.brains import Brain, Point
from agents.training.curves import MOST_STATES
from agents.training.shipped import known_brain
from agents.training.trainer import SEED, finish
from engine import load_game
from engine.errors import quoted
from webapp.questions.arguments import Arguments
from webapp.questions.claims import number_in
from webapp.questions.errors import UnknowableError
from webapp.questions.facts import NumberFact
from webapp.questions.posed import PosedQuestion

CONDITION = re.compile(r"([a-z_]+)(>=|<=|>|<)([\d.,]+%?)")
HOLDS: dict[str, Callable[[float, float], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt}
ON_THE_SPOT = 5.0  # seconds that a learner without a brain may train for a question
LONGEST = 20_000_000
SHARES = ("wins", "draws", "losses", "known", "right")  # metrics that are shares of one


def update(_: PosedQuestion, arguments: Arguments) -> NumberFact:
    """A Q after one update: Q + alpha (reward + gamma * the best Q of what follows - Q)."""
    worth, alpha, reward, gamma, best = map(_fraction, arguments.words)
    number = worth + alpha * (reward + gamma * best - worth)
    q, a, r, g, b = (f"{float(_fraction(word)):g}" for word in arguments.words)
    written = f"{float(number):g}"
    sentence = f"{q} + {a} × ({r} + {g} × {b} − {q}) = {written}."
    return NumberFact(float(number), sentence, "the rule of Q-learning", written=written)


def _fraction(text: str) -> Fraction:
    """As it is written, so that a half is a half."""
    number_in(text)
    return Fraction(text.replace(",", "").removesuffix("%")) / (100 if text.endswith("%") else 1)


def games_until(posed: PosedQuestion, arguments: Arguments) -> NumberFact:
    """After how many games something holds of the learner, and keeps holding to its end.

    As exact as the curve is dense: what lies between two of its points is left open.
    """
    found = CONDITION.fullmatch(arguments.words[0])
    if found is None:
        raise arguments.wrong("write a condition such as draws>=0.99 or losses<=0")
    metric, sign, text = found.groups()
    limit = number_in(text) / (100 if text.endswith("%") else 1)
    learner, curve = _curve(posed, arguments, 1)
    _check_metric(metric, curve[0], arguments)
    kept = [HOLDS[sign](point.metrics[metric], limit) for point in curve]
    if not kept[-1]:
        sentence = f"{learner.title} has {learner.told(metric, curve[-1])} at its end."
        return NumberFact(None, sentence, learner.source)
    at = next(n for n in range(len(curve)) if all(kept[n:]))
    if at == 0:
        sentence = f"{learner.title} has {learner.told(metric, curve[0])} from the first point on."
        return NumberFact(curve[0].step, sentence, learner.source, since=0)
    before, after = curve[at - 1], curve[at]
    was, now = learner.told(metric, before), learner.told(metric, after)
    sentence = f"{learner.title} has {now}, and stays there; the point before: {was}."
    return NumberFact(after.step, sentence, learner.source, since=before.step)


def on_curve(posed: PosedQuestion, arguments: Arguments) -> NumberFact:
    """What the learner scored after so many games, shares in per cent."""
    metric, at, step = arguments.words[:3]
    if at != "at":
        raise arguments.wrong("write it as in `curve draws at 50`")
    wanted = arguments.count(step.replace(",", ""), "the number of games", 1, LONGEST)
    learner, curve = _curve(posed, arguments, 3)
    _check_metric(metric, curve[0], arguments)
    point = next((point for point in curve if point.step == wanted), None)
    if point is None:
        steps = sorted((point.step for point in curve), key=lambda step: abs(step - wanted))
        near = ", ".join(f"{step:,}" for step in sorted(steps[:4]))
        raise UnknowableError(f"nobody looked after {wanted:,} {learner.unit}, but after {near}")
    is_share = metric in SHARES
    number = point.metrics[metric] * (100 if is_share else 1)
    sentence = f"{learner.title} has {learner.told(metric, point)}."
    return NumberFact(number, sentence, learner.source, unit="%" if is_share else "")


@dataclass(frozen=True, slots=True)
class Learner:
    """Whose curve it is, in words."""

    title: str
    unit: str
    rival: str
    exact: bool

    @property
    def source(self) -> str:
        how = "measured" if self.exact else "sampled"
        return f"the curve of {self.title}, {how}{self.rival}"

    def told(self, metric: str, point: Point) -> str:
        """`99.7% draws against Perfect after 500 games`."""
        number = point.metrics[metric]
        amount = f"{portion(number)} {metric}" if metric in SHARES else f"{metric} {number:,.4g}"
        one = self.unit.removesuffix("s")
        return f"{amount}{self.rival} after {counted(point.step, one, self.unit)}"


def _curve(
    posed: PosedQuestion, arguments: Arguments, at: int
) -> tuple[Learner, tuple[Point, ...]]:
    """Of the learner that the truth names, else of the question's machine."""
    spec = arguments.words[at] if len(arguments.words) > at else posed.machine
    if not spec:
        raise arguments.wrong("whose curve? name a learner after it, or as the machine")
    brain = brain_of(posed.game, spec)
    if not brain.curve:
        raise UnknowableError(f"nobody measured {spec} as it learned")
    rival = f" against {agent_title(brain.reference, posed.game)}" if brain.reference else ""
    title, exact = agent_title(spec, posed.game), is_exact(posed.game)
    return Learner(title, brain.unit, rival, exact), brain.curve


def is_exact(game: str) -> bool:
    """Whether curves of this game are worked out, rather than sampled by playing."""
    return why_too_many(load_game(game), MOST_STATES, "tabulate") is None


def brain_of(game: str, spec: str) -> Brain:
    """The brain that ships for it or has been trained; else one trained here if that is quick.

    Raises UnknowableError where it takes longer, and as `load_agent` does.
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
    if training_seconds(entry, rules, values) > ON_THE_SPOT:
        raise UnknowableError(f"no brain of {quoted(spec)} is there, and training it takes long")
    return finish(entry.train(rules, values, SEED, None))


def brain_at_hand(game: str, spec: str) -> Brain | None:
    """The brain that ships for it or has been trained; None where it would have to be."""
    rules = load_game(game)
    entry, values = read_agent(pinned_spec(spec, rules), rules)
    return None if entry.train is None else known_brain(entry.key, rules, values)


def _check_metric(metric: str, point: Point, arguments: Arguments) -> None:
    """Raises where no curve of this learner has it."""
    if metric not in point.metrics:
        raise arguments.wrong(f"its curve has {', '.join(point.metrics)}, not {quoted(metric)}")
