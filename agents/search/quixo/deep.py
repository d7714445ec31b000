"""quixo-deep, the strongest Quixo agent: iterative deepening on bit boards; and its levels, named
presets of its search depth and its share of random moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from agents.core import UNLIMITED, Agent, Analysis, Effort, Limit, conclude
from agents.entry import Entry, Level, Technique, only
from agents.quixo.endgame_tables import endgames, no_endgames
from agents.quixo.evaluation import LineEvaluation, course_evaluation
from agents.search.quixo.report import DeepReport
from agents.search.quixo.root import MAX_DEPTH, SLOTS, think
from agents.search.quixo.training import KEY, MEASURED, evaluation_of, train
from agents.training.loop import games_option
from agents.training.shipped import recall, unless_known
from agents.training.trainer import BRAIN
from agents.wrappers import Skilled
from engine.core import Game
from engine.options import Kind, Option, Role, Values
from engine.quixo import Push, QuixoState


def _level(name: str, depth: int | None, skill: float, description: str, title: str = "") -> Level:
    """A level by its depth, None for as long as it may, and the share of moves that are its own."""
    title = title or name.replace("-", " ").capitalize()
    return Level(name, title, description, Limit(depth=depth), skill)


LEVELS = (
    _level("first-steps", 1, 0.05, "Nearly all of its moves are random."),
    _level("newcomer", 1, 0.19, "One move of five is its own; the others are random."),
    _level("learner", 1, 0.34, "One move of three is its own; the others are random."),
    _level(
        "beginner",
        1,
        0.54,
        "Takes a line that is there to take, but nearly half of its moves are random.",
        "Apprentice",  # stands above Learner; stored matches name it `beginner`
    ),
    _level(
        "improver",
        1,
        0.78,
        "Takes most lines that are there to take; a fifth of its moves are random.",
    ),
    _level("casual", 1, 1.0, "Plays for more cubes in line, and does not look at your reply."),
    _level("steady", 2, 0.9, "Looks at your reply, and slips in one move of ten."),
    _level("keen", 3, 0.95, "Looks three moves ahead, and slips in one move of twenty."),
    _level(
        "sharp", 3, 1.0, "Looks three moves ahead and never slips: it will see your lines coming."
    ),
    _level("tough", 4, 0.98, "Looks four moves ahead, and slips in one move of fifty."),
    _level("strong", 4, 1.0, "Looks four moves ahead: only a plan will beat it."),
    _level("expert", 5, 1.0, "Looks five moves ahead."),
    _level("master", 6, 1.0, "Looks six moves ahead."),
    _level("grandmaster", 8, 1.0, "Looks eight moves ahead."),
    _level(
        "full",
        None,
        1.0,
        "Thinks for as long as it may, about nine moves ahead in a second.",
        "Full strength",
    ),
)
FULL_STRENGTH = LEVELS[-1].name

LEARNED_SIZE = 5  # of the board on which the shipped brain was trained
SLOTS_PER_MEGABYTE = (1 << 20) // 16
DEFAULT_LIMIT = Limit(seconds=1.0)  # where neither the caller nor the options set one


@dataclass(frozen=True)
class QuixoDeep:
    """Alpha-beta on bit boards with an evaluation of the lines."""

    game: Game[QuixoState, Push]
    evaluation: LineEvaluation
    own_limit: Limit = UNLIMITED
    contempt: float = 0.0  # how much worse than even it rates a draw, -1 to 1
    slots: int = SLOTS
    looks_up: bool = False  # whether it uses the endgame tables, where there are any
    threads: int = 1

    def analyse(
        self,
        state: QuixoState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[Any] = (),
        show: bool = False,
    ) -> Analysis[Push]:
        begun = perf_counter()
        asked = self.own_limit.tighter(limit)
        findings = think(
            self.game,
            state,
            self.evaluation,
            limit=DEFAULT_LIMIT if asked == UNLIMITED else asked,
            history=history,
            contempt=self.contempt,
            slots=self.slots,
            endgames=endgames() if self.looks_up else no_endgames(),
            threads=self.threads,
        )
        view = DeepReport(findings, self.evaluation)
        analysis = conclude(
            view.candidates(),
            view.reason,
            rng,
            evidence=view.evidence(),
            effort=Effort(findings.positions, findings.depth, perf_counter() - begun),
        )
        return replace(analysis, exhibit=view.deepening(analysis.choice)) if show else analysis


def make(game: Game[QuixoState, Push], options: Values) -> Agent[Any, Any]:
    """The agent of these options; a level sets its depth and its share of random moves."""
    level = next(level for level in LEVELS if level.name == options.text("level"))
    given = Limit(
        depth=options.optional_integer("depth"), seconds=options.optional_number("seconds")
    )
    agent = QuixoDeep(
        game,
        _evaluation(game, options),
        level.limit.tighter(given),
        options.number("contempt"),
        options.integer("table") * SLOTS_PER_MEGABYTE,
        options.switch("endgames") and level.name == FULL_STRENGTH,
        options.integer("threads"),
    )
    return agent if level.skill >= 1 else Skilled(agent, level.skill)


def _evaluation(game: Game[QuixoState, Push], options: Values) -> LineEvaluation:
    """The evaluation chosen; on boards it was not trained on, the course's."""
    size = game.start.table.size
    if _needs_no_brain(game, options):
        return course_evaluation(size)
    return evaluation_of(recall(KEY, game, options, train, _seconds), size)


def _needs_no_brain(game: Game[QuixoState, Push], options: Values) -> bool:
    untrained = game.start.table.size != LEARNED_SIZE and not options.text("brain")
    return options.text("evaluation") == "course" or untrained


def _seconds(game: Game[QuixoState, Push], options: Values) -> float:
    """The training time: too long to wait for."""
    return inf


def lasts(game: Game[QuixoState, Push], options: Values) -> float:
    """How long loading the agent takes: no time, or for ever where it has to be trained."""
    return 0.0 if _needs_no_brain(game, options) else unless_known(KEY, _seconds)(game, options)


PLAYING_OPTIONS = (
    Option(
        "level",
        Kind.CHOICE,
        FULL_STRENGTH,
        "how strong an opponent you would like",
        choices=tuple(level.name for level in LEVELS),
    ),
    Option(
        "depth",
        Kind.INTEGER,
        None,
        "how many plies it looks ahead; none: as many as its time allows",
        low=1,
        high=MAX_DEPTH,
        optional=True,
    ),
    Option(
        "seconds",
        Kind.NUMBER,
        None,
        "how long it thinks; none: one second where nothing else ends its thought",
        low=0.01,
        high=60.0,
        optional=True,
    ),
    Option(
        "contempt",
        Kind.NUMBER,
        0.3,
        "how much worse than an even game it takes a draw to be",
        low=-0.9,
        high=0.9,
        technical=True,
    ),
    Option(
        "evaluation",
        Kind.CHOICE,
        "learned",
        "what lines count at the horizon: as it learned, or c·3^c as in the course",
        choices=("learned", "course"),
    ),
    Option(
        "table",
        Kind.INTEGER,
        32,
        "megabytes to remember positions in",
        low=1,
        high=1024,
        technical=True,
    ),
    Option(
        "endgames",
        Kind.SWITCH,
        True,
        "whether it looks up the last cubes where tables of them have been built, at full strength",
        technical=True,
    ),
    Option(
        "threads",
        Kind.INTEGER,
        1,
        "processors it thinks with; with more than one, the same question may be answered anew",
        low=1,
        high=64,
        technical=True,
    ),
)
OPTIONS = (
    *(replace(option, role=Role.PLAYING) for option in PLAYING_OPTIONS),
    games_option(2_000, high=1_000_000),
    BRAIN,
)


ENTRIES = (
    Entry(
        key=KEY,
        title="Quixo engine",
        technique=Technique.SEARCH,
        order=4,
        description=(
            "Sees millions of positions a second and looks about nine moves ahead. "
            "It learned by playing itself how much lines are worth."
        ),
        options=OPTIONS,
        levels=LEVELS,
        make=make,
        refuses=only("quixo"),
        train=train,
        sampled=MEASURED,
        lasts=lasts,
        shows=True,
    ),
)
