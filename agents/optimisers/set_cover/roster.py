"""The searches for covers."""

from agents.optimisers.entry import SearchEntry
from agents.optimisers.set_cover.best_first import ESTIMATES, astar, breadth_first, depth_first
from agents.optimisers.set_cover.course import CourseCover
from agents.optimisers.set_cover.exact import Exact
from agents.optimisers.set_cover.greedy import Greedy
from engine.options import Kind, Option
from engine.problems.entry import ProblemShape

COVER = (
    SearchEntry(
        key="breadth-first",
        title="Breadth first",
        shape=ProblemShape.COVER,
        description=(
            "Tries all single sets, then all pairs, then all threes. "
            "The first cover it makes is the smallest there is, after looking at nearly everything."
        ),
        make=lambda _: breadth_first(),
    ),
    SearchEntry(
        key="depth-first",
        title="Depth first",
        shape=ProblemShape.COVER,
        description=(
            "Takes the first set that has anything missing, and goes on from there. "
            "It is soon done and takes far too many."
        ),
        make=lambda _: depth_first(),
    ),
    SearchEntry(
        key="greedy",
        title="Greedy",
        shape=ProblemShape.COVER,
        description=(
            "Takes whatever covers most of what is missing. "
            "It never looks back, and is often one set short of the best."
        ),
        make=lambda _: Greedy(),
    ),
    SearchEntry(
        key="astar",
        title="A*",
        shape=ProblemShape.COVER,
        description=(
            "Looks first where sets taken plus sets still needed are fewest. "
            "As long as its estimate never promises too much, its answer is the best there is."
        ),
        options=(
            Option(
                "estimate",
                Kind.CHOICE,
                "gains",
                "how it estimates what is needed yet: by the largest set, by the largest gain, by "
                "the largest gains together, or by the average gain, which promises too much",
                choices=tuple(ESTIMATES),
            ),
            Option(
                "branch",
                Kind.CHOICE,
                "all",
                "what it tries: all sets, or those with the rarest missing thing",
                choices=("all", "rarest"),
            ),
        ),
        make=lambda options: astar(options.text("estimate"), options.text("branch")),
    ),
    SearchEntry(
        key="course",
        title="The course’s",
        shape=ProblemShape.COVER,
        description=(
            "Breadth first, with the largest sets forced first, as students published it. "
            "Not A*, and not always the fewest."
        ),
        make=lambda _: CourseCover(),
    ),
    SearchEntry(
        key="exact",
        title="Exact",
        shape=ProblemShape.COVER,
        description=(
            "Asks for one set more and more whether that many will do, and rules out the rest. "
            "While it runs it says what is needed at least."
        ),
        make=lambda _: Exact(),
    ),
)
