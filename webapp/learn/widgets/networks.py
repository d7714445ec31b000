"""Widgets of networks: policy and visits as heat on a board, and learners in one chart."""

from __future__ import annotations

from agents.exhibits import Policy, Preference
from agents.roster import agent_spec, agent_title
from engine.catalog import load_game
from webapp.charts import Chart, Curve, chart
from webapp.exhibits.exhibit import fixed_context
from webapp.exhibits.policy import PolicyView
from webapp.learn.markup import figure_value
from webapp.learn.positions import read_position
from webapp.learn.widgets.learning import DRAW_LABEL, DRAWN_STATE
from webapp.learn.widgets.widget import Button, Widget
from webapp.questions.learning import curve_question
from webapp.questions.models import Question

TONES = ("second", "first", "win", "loss")


class Sight(Widget):
    """What a network makes of a position before and after the search in the state."""

    template = "learn/widgets/sight.html"
    sheets = ("exhibits/exhibits", "exhibits/policy")

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about.partition(" ")[2])
        found = figure_value(self.needs(about)[0])
        stages = tuple(
            (count, tuple(Preference(*move) for move in moves)) for count, moves in found["stages"]
        )
        counts = [count for count, _ in stages]
        step = int(held) if held in map(str, counts) else counts[0]
        context = fixed_context(self.position.game, self.position.state, step)
        self.exhibit = PolicyView(Policy(stages, found["value"], found["exact"]), context)
        self.steps = tuple(
            Button(str(count) if count else "", f"{count:,}", current=count == step)
            for count in counts
        )

    @staticmethod
    def needs(about: str) -> tuple[str]:
        """Policy, value and visits."""
        return (f"policy {about}",)


class Compared(Widget):
    """One metric of several learners of a game, hidden at first so that it can be predicted."""

    template = "learn/widgets/curves.html"
    sheets = ("charts/chart",)

    def __init__(self, about: str, held: str) -> None:
        is_drawn = held == DRAWN_STATE
        draw = Button(DRAWN_STATE, DRAW_LABEL, look="primary")
        self.chart = _compared_chart(about) if is_drawn else None
        self.presses = (Button("", "Hide it again", look="quiet") if is_drawn else draw,)

    @staticmethod
    def needs(about: str) -> tuple[str, ...]:
        """Every point of each curve."""
        game, metric, *agents = about.split()
        return tuple(f"points {agent} {game} {metric}" for agent in agents)

    @staticmethod
    def asks(about: str, held: str) -> Question | None:
        """How the first of them learned."""
        game, _, agent, *_ = about.split()
        return curve_question(game, agent_spec(agent, load_game(game)))


def _compared_chart(about: str) -> Chart:
    game, metric, *agents = about.split()
    lines = []
    for agent, need, tone in zip(agents, Compared.needs(about), TONES, strict=False):
        points = figure_value(need)
        name = agent.partition(":")[2].replace("=", " ")
        lines.append(Curve(name, tone, tuple((step, found[metric]) for step, found in points)))
    title = f"{agent_title(agents[0], game)} on {load_game(game).title}: positions played right"
    return chart(title, lines, x_name="games", log=True)


WIDGETS = {"policy": Sight, "compared": Compared}
