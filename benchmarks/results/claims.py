"""What each agent must reach, beside what a course's students published for the same idea.

Data only: `figures` measures them, and `python -m benchmarks.results` writes them down.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core import Seat


class Statistic(StrEnum):
    """What is counted, over all matches of a claim."""

    WINS = "wins"
    LOSSES = "losses"
    UNBEATEN = "wins or draws"
    MARGIN = "wins less losses"
    POINTS = "points"  # a draw is half of one


@dataclass(frozen=True, slots=True)
class Claim:
    """One figure of one agent against one opponent, and what it has to be."""

    game: str
    agent: str
    opponent: str
    measure: Statistic
    target: float | None = None  # None: the figure is told, and nothing is asked of it
    seat: Seat | None = None  # both alike where None
    at_most: bool = False  # the target is a ceiling
    surely: bool = False  # the whole interval has to be beyond the target, not the figure alone
    games: int = 0  # played to estimate the figure; 0 where it is computed exactly
    opening: int = 0  # random plies that each of those games begins with, played in both seats
    trainings: int = 0  # brains of as many seeds, whose mean it is; `games` are then of each
    seeds: int = 1  # how often the games are played, each time from another seed
    course: str = ""  # what was published
    course_figure: float | None = None  # the same as a number, where it can be compared
    course_error: float = 0.0  # by which what was published may be off, as it was played
    as_published: bool = False  # set as published: its figure has to be among those of our seeds
    elsewhere: str = ""  # what others measured, most by running public code again: in no report
    note: str = ""

    @property
    def name(self) -> str:
        """What `python -m benchmarks.results --only` finds it by."""
        return f"{self.game} {self.agent} {self.opponent}"

    @property
    def report(self) -> str:
        """Where its published figure stands."""
        return REPORTS[self.game.partition(":")[0]]

    @property
    def measured(self) -> tuple[object, ...]:
        """What decides its figure; the rest is what is said of it."""
        played = (self.games, self.opening, self.trainings, self.seeds)
        return (self.game, self.agent, self.opponent, self.measure, self.seat, self.at_most, played)

    def met_by(self, figure: float, interval: tuple[float, float] | None = None) -> bool:
        if self.target is None:
            return True
        slack = 1e-9  # what adding up chances may cost
        if self.surely and interval is not None:
            figure = max(interval) if self.at_most else min(interval)
        return figure <= self.target + slack if self.at_most else figure >= self.target - slack


NIM, TTT, QUIXO = "nim", "tictactoe", "quixo"
HEAPS = "random:by=heap"
REPORTS = {NIM: "lab 2", TTT: "lab 10", QUIXO: "Quixo report"}

CLAIMS = (
    Claim(
        TTT,
        "minimax:depth=9,remember=yes",
        "random",
        Statistic.LOSSES,
        0.0,
        at_most=True,
        note="exact at full depth",
    ),
    Claim(
        QUIXO,
        "minimax:depth=2",
        "random",
        Statistic.WINS,
        0.90,
        games=100,
        seeds=20,
        course='90 of 100, called "depth 3"',
        course_figure=0.90,
        elsewhere="86 %",
        note="the published depth 3 called its recursion with 1, and so looked two plies; it moved "
        "the wrong cubes there, which ours does not",
    ),
    Claim(QUIXO, "minimax:depth=3", "random", Statistic.WINS, 0.95, games=200),
    Claim(
        QUIXO,
        "alphabeta:depth=3",
        "random",
        Statistic.WINS,
        0.98,
        games=10,
        seeds=20,
        course="100 %",
        course_figure=1.0,
    ),
    Claim(NIM, "mcts:simulations=500", "random", Statistic.WINS, 0.99, games=1000),
    Claim(QUIXO, "mcts:simulations=500", "random", Statistic.WINS, 0.99, games=400),
    Claim(
        TTT,
        "mcts:simulations=500",
        "random",
        Statistic.MARGIN,
        0.9598 - 0.015,
        games=2000,
        note="within 1.5 points of the best response",
    ),
    Claim(TTT, "perfect", "random", Statistic.LOSSES, 0.0, at_most=True),
    Claim(TTT, "perfect", "perfect", Statistic.LOSSES, 0.0, at_most=True),
    Claim(NIM, "perfect", "random", Statistic.WINS, 1.0, seat=Seat.FIRST),
    Claim("quixo:size=3", "perfect", "random", Statistic.WINS, 1.0, seat=Seat.FIRST),
    Claim(
        TTT,
        "qlearning:opponent=random",
        "random",
        Statistic.MARGIN,
        0.9948 - 0.01,
        seat=Seat.FIRST,
        course="98 % wins",
        elsewhere="96.6 % wins",
    ),
    Claim(
        TTT,
        "qlearning:opponent=random",
        "random",
        Statistic.MARGIN,
        0.9249 - 0.01,
        seat=Seat.SECOND,
        course="96 % wins",
        elsewhere="29.1 % wins",
    ),
    Claim(
        TTT,
        "qlearning:opponent=random",
        "random",
        Statistic.WINS,
        0.94,
        seat=Seat.SECOND,
        at_most=True,
        course="96 % wins",
        course_figure=0.96,
        elsewhere="29.1 %",
        note="no player wins as many as claimed",
    ),
    Claim(
        TTT,
        "qlearning:opponent=random,draw_first=0.1,draw_second=0.3",
        "random",
        Statistic.MARGIN,
        0.9598 - 0.02,
        note="with what the course paid for draws",
    ),
    *(
        Claim(
            TTT,
            "qlearning:preset=published",
            "random",
            Statistic.WINS,
            seat=seat,
            trainings=20,
            course=f"{published:.0%} wins".replace("%", " %"),
            course_figure=published,
            elsewhere=elsewhere,
            note=note,
        )
        for seat, published, elsewhere, note in (
            (
                Seat.FIRST,
                0.98,
                "96.6 % wins",
                "as published: squares, draws at 0.01 and 0.09; run again elsewhere it gave 96.6 "
                "%, which is among these",
            ),
            (Seat.SECOND, 0.96, "29.1 % wins", "as published; nobody wins 96 % as second"),
        )
    ),
    Claim(TTT, "qlearning", "perfect", Statistic.LOSSES, 0.0, at_most=True),
    Claim(NIM, "qlearning", "perfect", Statistic.WINS, 1.0, seat=Seat.FIRST),
    Claim(NIM, "nim-sum", HEAPS, Statistic.WINS, 0.0, seat=Seat.FIRST, at_most=True),
    Claim(NIM, "nim-sum", HEAPS, Statistic.WINS, 0.0002, seat=Seat.SECOND, at_most=True),
    Claim(
        NIM,
        "nim-sum:leave=nonzero",
        HEAPS,
        Statistic.WINS,
        0.70,
        course='72 %, called "optimal"',
        course_figure=0.72,
    ),
    Claim(NIM, "nim-sum:leave=nonzero", "perfect", Statistic.WINS, 0.0, at_most=True),
    Claim(NIM, "nim-expert", HEAPS, Statistic.WINS, 1.0, seat=Seat.FIRST),
    Claim(NIM, "nim-expert", HEAPS, Statistic.WINS, 0.99993, seat=Seat.SECOND),
    Claim(
        NIM,
        "es-move",
        HEAPS,
        Statistic.WINS,
        0.95,
        games=600,
        elsewhere="88 ms a move, by public code",
    ),
    *(
        Claim(
            NIM,
            "es-move:preset=published",
            HEAPS,
            Statistic.WINS,
            0.94,
            seat=seat,
            games=100,
            seeds=20,
            course="about 95 % of 100",
            course_figure=0.95,
            as_published=True,
            note="as published: one parent, counts drawn by weight",
        )
        for seat in Seat
    ),
    Claim(
        NIM,
        "es-move:take=drawn",
        HEAPS,
        Statistic.WINS,
        0.99,
        games=600,
        note="counts drawn, one line of descent for each heap",
    ),
    Claim(
        NIM,
        "es-rules",
        HEAPS,
        Statistic.WINS,
        0.667 - 0.02,
        course="66 %",
        elsewhere="56 s of training, by public code",
        course_figure=0.66,
        note="three genes do 66.7 % at best",
    ),
    Claim(
        NIM,
        "es-rules",
        "nim-sum:leave=nonzero",
        Statistic.WINS,
        0.403 - 0.02,
        course="40 %",
        course_figure=0.40,
        note="three genes do 40.3 % at best",
    ),
    Claim(
        "nim:last=wins",
        "ea-table",
        HEAPS,
        Statistic.WINS,
        0.70,
        trainings=30,
        elsewhere="three heaps in 62 s, by public code",
        note="200 generations",
    ),
    Claim(
        "nim:last=wins",
        "ea-table:generations=5000,population=100,mutation=0.7",
        HEAPS,
        Statistic.WINS,
        0.95,
        note="a small population that mutates much and lives long",
    ),
    *(
        Claim(
            NIM,
            "es-rules:preset=published",
            opponent,
            Statistic.WINS,
            above,
            trainings=20,
            course=f"{published:.0%}".replace("%", " % of 1,000 games"),
            course_figure=published,
            course_error=0.03,
            as_published=True,
            note=f"as published, restarted until above {above:.0%}".replace("%", " %"),
        )
        for opponent, above, published in ((HEAPS, 0.65, 0.66), ("nim-sum:leave=nonzero", 0.4, 0.4))
    ),
    *(
        Claim(
            NIM,
            "es-rules:genes=traits",
            opponent,
            Statistic.WINS,
            above,
            trainings=20,
            surely=True,
            note="eleven genes, evolved by playing each other; the reviewers asked for this much",
        )
        for opponent, above in ((HEAPS, 0.75), ("nim-sum:leave=nonzero", 0.48))
    ),
    Claim(NIM, "es-mix", HEAPS, Statistic.WINS, 0.95, note="evolves towards the expert"),
    *(
        Claim(NIM, agent, opponent, Statistic.WINS)
        for agent in ("es-mix", "es-rules")
        for opponent in ("random", "greedy-heap", "nim-sum", "perfect")
    ),
    Claim(
        TTT,
        "reward-table",
        "opportunist",
        Statistic.WINS,
        0.80,
        course="80 % wins, 10 % losses after two minutes",
        course_figure=0.80,
    ),
    Claim(
        TTT,
        "reward-table",
        "opportunist",
        Statistic.LOSSES,
        0.10,
        at_most=True,
        course="10 % losses",
        course_figure=0.10,
    ),
    *(
        Claim(
            TTT,
            "reward-table:preset=published",
            "opportunist",
            measure,
            target,
            at_most=measure is Statistic.LOSSES,
            trainings=20,
            course=course,
            course_figure=published,
            note="as published: the last move alone is paid, nothing is explored; rounded to tens, "
            "as the report's 80, 10 and 10 % seem to be, it is the same",
        )
        for measure, target, course, published in (
            (Statistic.WINS, None, "80 %", 0.80),
            (Statistic.LOSSES, None, "10 %", 0.10),
        )
    ),
    Claim(
        TTT,
        "state-value",
        "random",
        Statistic.WINS,
        0.97,
        seat=Seat.FIRST,
        trainings=20,
        course="above 97 %",
    ),
    Claim(
        TTT,
        "menace",
        "perfect",
        Statistic.UNBEATEN,
        0.99,
        note="trained against perfect for 20,000 games",
    ),
    Claim(
        TTT,
        "menace:opponent=random",
        "perfect",
        Statistic.UNBEATEN,
        0.75,
        at_most=True,
        note="trained against random instead: it stays far below",
    ),
    Claim(
        QUIXO,
        "qlearning:unmet=random",
        "random",
        Statistic.POINTS,
        0.65,
        at_most=True,
        games=200,
        trainings=20,
        course="55 %",
        course_figure=0.55,
        as_published=True,
        note="847,288,609,443 boards: it hardly ever meets one twice, and stays weak",
    ),
    *(
        Claim(
            QUIXO,
            f"qlearning:{bonuses},unmet=random",
            "random",
            Statistic.POINTS,
            games=200,
            trainings=20,
            note="the same learner with a bonus",
        )
        for bonuses in ("four=0.1", "broken=0.1", "four=0.1,broken=0.1")
    ),
    *(
        Claim(
            QUIXO,
            f"quixo-evolved:depth={depth}",
            f"alphabeta:depth={depth}",
            Statistic.POINTS,
            0.5,
            surely=True,
            games=200,
            opening=4,
            note="c·3^c at the same depth; the whole interval has to be above",
        )
        for depth in (1, 2, 3)
    ),
    Claim(QUIXO, "quixo-deep:depth=4", "random", Statistic.WINS, 1.0, games=200),
    Claim(
        "quixo:size=4",
        "perfect",
        "quixo-deep:depth=6",
        Statistic.WINS,
        1.0,
        seat=Seat.FIRST,
        games=20,
    ),
    Claim(
        QUIXO,
        "network",
        "quixo-deep:level=sharp",
        Statistic.POINTS,
        0.45,
        games=100,
        opening=4,
        note="200 simulations, after 5,000 games with itself",
    ),
    Claim(QUIXO, "network", "mcts", Statistic.POINTS, 0.75, games=100, opening=4),
    Claim(QUIXO, "ntuple", "alphabeta:depth=2", Statistic.POINTS, games=100, opening=4),
    Claim(QUIXO, "ntuple", "mcts", Statistic.POINTS, games=100, opening=4),
    Claim(TTT, "network", "perfect", Statistic.LOSSES, 0.0, at_most=True),
    Claim(TTT, "dqn", "perfect", Statistic.LOSSES),
    Claim(TTT, "reinforce", "perfect", Statistic.LOSSES),
    Claim(TTT, "neuroevolution", "random", Statistic.WINS, note="bred against random moves"),
)
