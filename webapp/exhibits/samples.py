"""Games played out at random: which move they began with and how they went, as they grew."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import Sample, Samples
from agents.formats import counted, signed
from webapp.exhibits.growth import Growth, growth_of, tone_of
from webapp.exhibits.stand import Link, Stand

MOST_ROWS = 20
TREE = "tree"


@dataclass(frozen=True, slots=True)
class SampleRow:
    """The games that began with one move, or with moves that come to the same."""

    moves: str
    visits: str
    width: float  # of its bar, 0 to 1
    mean: str
    tone: str  # win, draw or loss: how they went
    proven: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SamplesView:
    """One look at the games played out, and the ways to the others."""

    steps: tuple[Link, ...]
    earlier: Link | None
    later: Link | None
    sentence: str
    rest: str
    rows: tuple[SampleRow, ...]
    more: tuple[Link, ...]
    ways: tuple[Link, ...]  # by first move, or as the tree that grew
    growth: Growth | None
    title: str = "The games it played out"
    template: str = "exhibits/samples.html"
    sheets: tuple[str, ...] = ("exhibits/samples", "exhibits/rows")
    press: str | None = None


def samples_view(shown: Samples, stand: Stand) -> SamplesView:
    """The look that the address names, else the last."""
    numbers = [games for games, _ in shown.stages]
    step = stand.step if stand.part is None else None
    at = numbers.index(step) if step in numbers else len(numbers) - 1
    games, sampled = shown.stages[at]
    samples = tuple(sorted(sampled, key=lambda sample: not stand.plays(sample.move.split())))
    steps = tuple(
        Link(f"{number:,}", stand.turn_to(None, number), current=number == games)
        for number in numbers
    )
    most = max(sample.visits for sample in samples) or 1
    growth = growth_of(shown.tree, stand) if stand.part == TREE else None
    return SamplesView(
        steps=steps,
        earlier=steps[at - 1] if at else None,
        later=steps[at + 1] if at + 1 < len(steps) else None,
        sentence=_sentence(games, samples, stand, "" if at + 1 == len(numbers) else "in the end "),
        rest=_rest(samples),
        rows=tuple(
            _row(sample, most, chosen=stand.plays(sample.move.split()))
            for sample in samples[:MOST_ROWS]
        ),
        more=tuple(Link(offer.label, stand.look_at(offer.settings)) for offer in shown.more),
        ways=_ways(shown, stand, in_tree=growth is not None),
        growth=growth,
    )


def _ways(shown: Samples, stand: Stand, *, in_tree: bool) -> tuple[Link, ...]:
    """Nothing to choose from where no tree is walked through."""
    if stand.paths is None or not shown.tree:
        return ()
    return (
        Link("By first move", stand.turn_to(None, None), current=not in_tree),
        Link("The tree that grew", stand.turn_to(TREE, None), current=in_tree),
    )


def _sentence(games: int, samples: tuple[Sample, ...], stand: Stand, when: str) -> str:
    """Which moves were looked at, which of them most, and which it plays where that is another."""
    seen = sum(sample.visits > 0 for sample in samples)
    top = max(samples, key=lambda sample: sample.visits)  # of equals the one it plays
    plays = f"{when}it plays {stand.choice}" if stand.choice else ""
    proofs = {word: sum(sample.proven == word for sample in samples) for word in ("win", "loss")}
    proven = "".join(
        f" {counted(number, 'move is', 'moves are')} proven to {verb}."
        for number, verb in ((proofs["win"], "win"), (proofs["loss"], "lose"))
        if number
    )
    if not seen:
        told = "No game was played out"
    else:
        told = (
            f"After {counted(games, 'game', 'games')} it has tried {seen} of {len(samples)} moves "
            f"that differ; most began with {top.move}: {top.visits:,}"
        )
    another = plays and not (seen and stand.plays(top.move.split()))
    return f"{told}; {plays}.{proven}" if another else f"{told}.{proven}"


def _rest(samples: tuple[Sample, ...]) -> str:
    left = samples[MOST_ROWS:]
    if not left:
        return ""
    games = sum(sample.visits for sample in left)
    return f"{counted(len(left), 'more move', 'more moves')} had {counted(games, 'game', 'games')}."


def _row(sample: Sample, most: int, *, chosen: bool) -> SampleRow:
    return SampleRow(
        moves=sample.move,
        visits=f"{sample.visits:,}",
        width=round(sample.visits / most, 4),
        mean=signed(sample.mean) if sample.visits else "–",
        tone=tone_of(sample.mean, sample.proven),
        proven={"win": "▲ proven", "loss": "▼ proven", "draw": "= proven", "": ""}[sample.proven],
        chosen=chosen,
    )
