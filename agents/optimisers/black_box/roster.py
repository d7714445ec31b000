"""The searches that ask a box."""

from agents.optimisers.black_box.batches import BatchSearch
from agents.optimisers.black_box.course import CourseFirst, CourseSecond, flip_chance
from agents.optimisers.black_box.evolution_strategies import OnePlusLambda
from agents.optimisers.black_box.genetic import Crowding, Genetic, Islands
from agents.optimisers.black_box.local_search import Annealing, Tabu
from agents.optimisers.black_box.probe import probe
from agents.optimisers.black_box.variation import (
    CROSSOVER,
    MUTATION,
    POINTS,
    SELECTION,
    SELECTIONS,
    cuts_of,
)
from agents.optimisers.black_box.weigh import weigh
from agents.optimisers.entry import SearchEntry
from engine.options import Kind, Option, Values
from engine.problems.entry import ProblemShape


def _population(default: int, what: str) -> Option:
    return Option("population", Kind.INTEGER, default, what, low=2, high=1_000)


def _rate() -> Option:
    what = "the chance of each bit to be flipped, at the start"
    return Option("mutation", Kind.NUMBER, 0.01, what, low=0.0001, high=0.25)


def _cuts(options: Values) -> int:
    return cuts_of(options.text("crossover"), options.integer("points"))


def _selection(options: Values) -> int:
    return SELECTIONS[options.text("selection")]


def _course_first(options: Values) -> CourseFirst:
    return CourseFirst(flip_chance(options.number("sigma")), _cuts(options), _selection(options))


def _genetic(options: Values) -> Genetic:
    rate = options.number("mutation")
    return Genetic(options.integer("population"), rate, _cuts(options), _selection(options))


def _islands(options: Values) -> Islands:
    return Islands(
        options.integer("islands"),
        options.integer("population"),
        options.integer("every"),
        options.number("mutation"),
        _cuts(options),
        _selection(options),
    )


def _crowding(options: Values) -> Crowding:
    return Crowding(options.integer("population"), options.number("mutation"), _cuts(options))


def _annealing(options: Values) -> Annealing:
    temperature = options.number("temperature")
    return Annealing(temperature, options.integer("half"), options.integer("flips"))


BOX = (
    SearchEntry(
        key="course-first",
        title="The course’s first",
        shape=ProblemShape.BOX,
        description=(
            "Ten individuals; each generation five children of the best five replace the worst. "
            "It ends when 2,000 generations have gained nothing."
        ),
        options=(
            Option(
                "sigma",
                Kind.NUMBER,
                0.2,
                "of the normal number added to each bit before it is rounded",
                low=0,
                high=10,
            ),
            CROSSOVER,
            POINTS,
            Option(
                "selection",
                Kind.CHOICE,
                "any",
                "how parents are chosen among the best five: any, or the best of three drawn",
                choices=tuple(SELECTIONS),
            ),
        ),
        make=_course_first,
    ),
    SearchEntry(
        key="course-second",
        title="The course’s second",
        shape=ProblemShape.BOX,
        description=(
            "Shuffles every child before it copies places from a parent. "
            "All ones do not mind being shuffled, so it does well where they are the answer."
        ),
        options=(
            Option(
                "parents",
                Kind.CHOICE,
                "best",
                "whom children are made of: the best, or any of the ten",
                choices=("best", "uniform"),
            ),
        ),
        make=lambda options: CourseSecond(options.text("parents") == "best"),
    ),
    SearchEntry(
        key="one-plus-one",
        title="(1+1), one fifth",
        shape=ProblemShape.BOX,
        description=(
            "One parent, one child, and the better of the two lives. "
            "It mutates more while more than a fifth of its children are better."
        ),
        options=(_rate(),),
        make=lambda options: OnePlusLambda(1, options.number("mutation")),
    ),
    SearchEntry(
        key="one-plus-lambda",
        title="(1+λ), one fifth",
        shape=ProblemShape.BOX,
        description=(
            "One parent, several children, and the best of all lives. "
            "It mutates more while more than a fifth of the children are better."
        ),
        options=(
            Option("children", Kind.INTEGER, 10, "of each generation", low=2, high=1_000),
            _rate(),
        ),
        make=lambda options: OnePlusLambda(options.integer("children"), options.number("mutation")),
    ),
    SearchEntry(
        key="genetic",
        title="Genetic algorithm",
        shape=ProblemShape.BOX,
        description=(
            "A population whose best are crossed and a little mutated. "
            "The best of parents and children live on."
        ),
        options=(
            _population(50, "who live, and how many children a generation has"),
            MUTATION,
            CROSSOVER,
            POINTS,
            SELECTION,
        ),
        make=_genetic,
    ),
    SearchEntry(
        key="islands",
        title="Islands",
        shape=ProblemShape.BOX,
        description=(
            "Several populations that breed apart. "
            "Now and then the best of each goes over to the next."
        ),
        options=(
            Option("islands", Kind.INTEGER, 5, "how many there are", low=2, high=50),
            _population(20, "of each island"),
            Option(
                "every",
                Kind.INTEGER,
                25,
                "generations from one exchange to the next",
                low=1,
                high=10_000,
            ),
            MUTATION,
            CROSSOVER,
            POINTS,
            SELECTION,
        ),
        make=_islands,
    ),
    SearchEntry(
        key="crowding",
        title="Kept apart",
        shape=ProblemShape.BOX,
        description=(
            "A child takes the place only of the one it differs least from. "
            "So those who live stay different from each other."
        ),
        options=(
            _population(50, "who live, and how many children a generation has"),
            MUTATION,
            CROSSOVER,
            POINTS,
        ),
        make=_crowding,
    ),
    SearchEntry(
        key="annealing",
        title="Simulated annealing",
        shape=ProblemShape.BOX,
        description=(
            "Goes on to something worse with a chance that falls as it cools. "
            "At last it only climbs."
        ),
        options=(
            Option("temperature", Kind.NUMBER, 0.002, "at the start", low=0.000001, high=1),
            Option("half", Kind.INTEGER, 2_000, "calls in which it halves", low=1, high=200_000),
            Option("flips", Kind.INTEGER, 1, "bits flipped at a time", low=1, high=100),
        ),
        make=_annealing,
    ),
    SearchEntry(
        key="tabu",
        title="Tabu search",
        shape=ProblemShape.BOX,
        description=(
            "Always goes on to the best neighbour it looks at, even a worse one. "
            "What it flipped lately it may not flip back."
        ),
        options=(
            Option("neighbours", Kind.INTEGER, 30, "asked about at a time", low=1, high=1_000),
            Option("tenure", Kind.INTEGER, 50, "moves for which a flip is tabu", low=0, high=900),
        ),
        make=lambda options: Tabu(options.integer("neighbours"), options.integer("tenure")),
    ),
    SearchEntry(
        key="probe",
        title="Probe",
        shape=ProblemShape.BOX,
        description=(
            "Asks about a random genome and each of its neighbours. "
            "The size of a change tells where a bit belongs, its sign whether it is right."
        ),
        make=lambda _: BatchSearch(probe),
    ),
    SearchEntry(
        key="weigh",
        title="Weigh",
        shape=ProblemShape.BOX,
        description=(
            "Flips many bits at once, by a design that finds false coins in few weighings. "
            "One number tells how many of them are right."
        ),
        make=lambda _: BatchSearch(weigh),
    ),
)
