"""Warming up: every agent is asked once at the start, then what takes minutes begins."""

from threading import Event

from agents.optimisers.black_box.run import BoxRun
from tests.webapp.visitor import InProcess
from tests.webapp.workers.asking import LONG
from webapp.workers.requests import AnalysisRequest
from webapp.workers.warm_up import warm_up, warm_up_analyses, warm_up_searches
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
    assert Echo.agents == asked + [(each.problem, each.search) for each in warm_up_searches()]
    assert pool.has_answered("perfect:skill=0.5")


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
    warm_up(pool_with(Echo), 0.2, build.begin).join(LONG)
    assert build.begun_after == len([*warm_up_analyses(), *warm_up_searches()])


def test_what_takes_minutes_ends_with_the_pool(pool_with):
    Echo.agents, build = [], Build()
    pool = pool_with(Echo)
    warming = warm_up(pool, 0.2, lambda: (pool.close(), build.begin())[1])
    warming.join(LONG)
    assert build.ended.is_set()
    assert not warming.is_alive()
