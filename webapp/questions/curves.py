"""What a class can be asked about a learner before it sees the curve."""

from __future__ import annotations

from itertools import pairwise

from agents.formats import counted
from agents.roster import agent_title
from agents.training.brains import Brain
from engine.errors import ZermeloError
from engine.options import parse_spec
from webapp.questions.learning import brain_at_hand, is_exact
from webapp.questions.posed import Pick, PosedQuestion

DOES = {"wins": "win", "draws": "draw"}  # what is asked about
MOST_BORDERS = 4
SHARE_OF_THE_END = 0.95  # of what it came to at last
SOMETHING = 0.05  # a share below which nothing was learned that is worth a question
ABOUT = 5  # of 100 games, within which two results are about the same


def curve_question(game: str, spec: str) -> PosedQuestion | None:
    """After how many games it was about as good as it became, and of one that became worse
    what it came to; None where that is not known exactly.
    """
    try:
        brain = brain_at_hand(game, spec)
    except ZermeloError:
        return None
    if brain is None or not is_exact(game) or not brain.reference or len(brain.curve) < 2:
        return None
    end = brain.curve[-1].metrics
    shares = {name: end[name] for name in DOES if SOMETHING <= end.get(name, 0.0) <= 1}
    if not shares:
        return None
    metric = max(shares, key=shares.__getitem__)
    fell = shares[metric] < SHARE_OF_THE_END * brain.curve[0].metrics[metric]
    return (_what_came if fell else _how_soon)(game, spec, brain, metric)


def _how_soon(game: str, spec: str, brain: Brain, metric: str) -> PosedQuestion:
    """Borders are powers of ten, at which every curve has a point."""
    least = int(100 * SHARE_OF_THE_END * brain.curve[-1].metrics[metric])
    title, rival = _title(spec, game), agent_title(brain.reference, game)
    return PosedQuestion(
        game=game,
        prompt=f"After how many {brain.unit} does {title} {DOES[metric]} at least {least} of 100 "
        f"games against {rival}, and keep to it?",
        truth=f"games-until {metric}>={least / 100}",
        picks=_picks(brain),
        machine=spec,
    )


def _what_came(game: str, spec: str, brain: Brain, metric: str) -> PosedQuestion:
    first, last = brain.curve[0], brain.curve[-1]
    was = round(100 * first.metrics[metric])
    low, high = max(0, was - ABOUT), min(100, was + ABOUT)
    title, rival = _title(spec, game), agent_title(brain.reference, game)
    begun = counted(first.step, brain.unit.removesuffix("s"), brain.unit)
    picks = (
        Pick(f"More than {high}", f"over {high}"),
        Pick(f"About as many, {low} to {high}", f"{low} to {high}"),
        Pick(f"Fewer than {low}", f"under {low}"),
    )
    return PosedQuestion(
        game=game,
        prompt=f"After {begun} {title} would {DOES[metric]} {was} of 100 games against {rival}. "
        f"And after {last.step:,}?",
        truth=f"curve {metric} at {last.step}",
        picks=picks,
        machine=spec,
    )


def _title(spec: str, game: str) -> str:
    """One that was trained here is pointed at: nobody in a class knows it by its digest."""
    key, texts = parse_spec(spec)
    return f"this {agent_title(key, game)}" if "brain" in texts else agent_title(spec, game)


def _picks(brain: Brain) -> tuple[Pick, ...]:
    """Powers of ten from where the curve begins to where it ends."""
    powers = [10**power for power in range(1, 9)]
    inside = [n for n in powers if brain.curve[0].step <= n < brain.steps]
    borders = inside[-MOST_BORDERS:] or powers[:1]
    first = Pick(f"Within {borders[0]:,}", f"up to {borders[0]:,}")
    between = [Pick(text := f"{low + 1:,} to {high:,}", text) for low, high in pairwise(borders)]
    last = Pick(text := f"More than {borders[-1]:,}", text)
    return (first, *between, last)
