"""Warming up: who gives hints, then every agent once, then what takes minutes."""

from threading import Event

from agents.optimisers.black_box.run import BoxRun
from engine.catalog import all_variants
from tests.webapp.visitor import InProcess
from tests.webapp.workers.asking import LONG
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.warm_up import warm_up, warm_up_analyses, warm_up_hints, warm_up_searches
from webapp.workers.worker import Result


class Echo(InProcess):
    """Keeps what it is asked, and lets the gentlest agent answer for all."""

    agents = []  # noqa: RUF012 - for one test

    def run(self, request, seconds, deadline):
        if not isinstance(request, AnalysisRequest):
            self.agents.append((request.problem, request.search))
            return Result(BoxRun(calls=1, best=0.0, ended=True), 0.0)
        self.agents.append((request.game, request.agent))
        random = AnalysisRequest(request.game, None, (), "random", request.seed)
        return super().run(random, seconds, deadline)


def test_every_agent_of_every_game_is_asked_once_at_the_start(pool_with):
    Echo.agents = []
    pool = pool_with(Echo)
    warm_up(pool, 0.2).join(LONG)
    asked = [(question.game, question.agent) for question in warm_up_analyses()]
    asked += [(each.problem, each.search) for each in warm_up_searches()]
    assert Echo.agents[-len(asked) :] == asked
    assert pool.has_answered("perfect:skill=0.5")


class Known(Echo):
    """A process of its own, with what it alone was asked."""

    games = []  # noqa: RUF012 - in the order of all

    def __init__(self, niceness=0):
        super().__init__(niceness)
        self.agents = []

    def run(self, request, seconds, deadline):
        self.games.append(getattr(request, "game", ""))
        return super().run(request, seconds, deadline)


def test_who_gives_hints_is_asked_in_every_worker(pool_with):
    """Each has tables of its own to load, and any of them may be asked for the next hint."""
    pool = pool_with(Known, workers=2)
    warm_up(pool, 0.2).join(LONG)
    advisers = [(hint.game, hint.agent) for hint in warm_up_hints(0)]
    assert [game for game, _ in advisers] == [game.spec for game in all_variants()]
    assert [worker.agents[: len(advisers)] for worker in pool.workers] == [advisers] * 3
    first = len(pool.workers)
    assert set(Known.games[:first]) == {advisers[0][0]}  # before any waits for a larger table


class Timed(Echo):
    """Keeps how long it may take."""

    deadlines = []  # noqa: RUF012 - for one test

    def run(self, request, seconds, deadline):
        self.deadlines.append(deadline)
        return super().run(request, seconds, deadline)


def test_a_variant_may_take_long_to_load_though_its_agent_has_answered_in_another(pool_with):
    """All 4×4 boards of Quixo are solved once, in longer than a thought may take."""
    Timed.deadlines = []
    pool = pool_with(Timed, first_grace=90.0)
    warm_up(pool, 0.2).join(LONG)
    hints = len(pool.inside) * len([*warm_up_hints(0)])
    assert min(Timed.deadlines[:hints]) > 90.0


class Build:
    """Stands for a process that works for minutes."""

    def __init__(self):
        self.ended = Event()
        self.begun_after = None

    def begin(self):
        self.begun_after = len(Echo.agents)
        return self

    def is_alive(self):
        return not self.ended.is_set()

    def join(self, seconds):
        self.ended.wait(seconds)

    def kill(self):
        self.ended.set()


def test_what_takes_minutes_begins_once_every_agent_has_answered(pool_with):
    Echo.agents, build = [], Build()
    build.ended.set()
    pool = pool_with(Echo)
    warm_up(pool, 0.2, build.begin).join(LONG)
    hints = len(pool.inside) * len([*warm_up_hints(0)])
    assert build.begun_after == hints + len([*warm_up_analyses(), *warm_up_searches()])


def test_what_takes_minutes_ends_with_the_pool(pool_with):
    Echo.agents, build = [], Build()
    pool = pool_with(Echo)
    warming = warm_up(pool, 0.2, lambda: (pool.close(), build.begin())[1])
    warming.join(LONG)
    assert build.ended.is_set()
    assert not warming.is_alive()
