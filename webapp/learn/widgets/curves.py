"""How a machine that comes along learned, as a curve: `menace tictactoe draws losses`."""

from __future__ import annotations

from dataclasses import dataclass

from agents.roster import find_agent
from engine.catalog import load_game
from webapp.charts import Chart, Curve, chart
from webapp.learn.figures import told
from webapp.learn.positions import Position
from webapp.learn.widgets.widget import Button, Widget
from webapp.questions.learning import curve_question
from webapp.questions.models import PosedQuestion

# What each figure of a curve is called, and which colour means it.
LINES = {
    "wins": ("games won", "win"),
    "draws": ("games drawn", "draw"),
    "losses": ("games lost", "loss"),
    "right": ("moves its fitness calls right", "first"),
}
HIDDEN = "Draw the curve"
SHOWN = "1"


@dataclass(frozen=True, slots=True)
class CurvesView:
    """The curve, once it was asked for."""

    chart: Chart | None
    presses: tuple[Button, ...]
    position: Position | None = None
    template: str = "learn/widgets/curves.html"
    sheets: tuple[str, ...] = ("charts/chart",)


def curves_view(about: str, held: str) -> CurvesView:
    """Hidden at first, so that it can be guessed."""
    if held != SHOWN:
        return CurvesView(None, (Button(SHOWN, HIDDEN, look="primary"),))
    agent, spec, *names = about.split()
    points = told(_figure(about))
    lines = [
        Curve(LINES[name][0], LINES[name][1], tuple((step, found[name]) for step, found in points))
        for name in names
    ]
    unit = "games" if points[-1][0] > 1000 else "generations"
    title = f"{find_agent(agent).title} on {load_game(spec).title}, by {unit}"
    drawn = chart(title, lines, x_name=unit, log=unit == "games")
    return CurvesView(drawn, (Button("", "Hide it again", look="quiet"),))


def _figure(about: str) -> str:
    return f"points {about}"


def curves_question(about: str, _: str) -> PosedQuestion | None:
    """What it came to, or how soon, before the class sees it."""
    agent, spec, *_names = about.split()
    return curve_question(spec, agent)


CURVES = Widget(curves_view, lambda about: (_figure(about),), curves_question)
