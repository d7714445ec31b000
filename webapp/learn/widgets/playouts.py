"""Games played out at random from a position: what is thought of it after 1, 2, 5 … of them."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import Sample, Samples
from webapp.exhibits.exhibit import Stand
from webapp.exhibits.monte_carlo import SamplesView, samples_view
from webapp.learn.figures import told
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Button, Widget


@dataclass(frozen=True, slots=True)
class PlayoutsView:
    """One look at the games, and the ways to the others."""

    exhibit: SamplesView
    steps: tuple[Button, ...]
    position: Position
    template: str = "learn/widgets/playouts.html"
    sheets: tuple[str, ...] = ("exhibits/samples", "exhibits/rows")


def _figure(about: str) -> str:
    return f"samples {about}"


def playouts_view(about: str, held: str) -> PlayoutsView:
    """The look that is held, else the first."""
    position = read_position(about)
    stages = tuple(
        (games, tuple(Sample(*row) for row in rows)) for games, rows in told(_figure(about))
    )
    numbers = [games for games, _ in stages]
    step = int(held) if held in map(str, numbers) else numbers[0]
    stand = Stand(
        position.game,
        position.state,
        None,
        step,
        lambda *_: "",
        lambda _: "",
        lambda _: "",
    )
    return PlayoutsView(
        exhibit=samples_view(Samples(stages, ()), stand),
        steps=tuple(Button(str(games), f"{games:,}", current=games == step) for games in numbers),
        position=position,
    )


PLAYOUTS = Widget(playouts_view, lambda about: (_figure(about),))
