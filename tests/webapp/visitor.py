"""Someone with a browser, as the tests tell it: begins matches, moves, looks."""

import json
from contextlib import contextmanager
from dataclasses import replace

from flask import template_rendered

from benchmarks.guard.page import Page
from webapp.config import PoolLimits
from webapp.jobs.brain_store import BrainStore
from webapp.services import NAME
from webapp.workers.client import WorkerClient
from webapp.workers.pool import WorkerPool
from webapp.workers.worker import run_request

OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
HTMX = {"HX-Request": "true"}
USUAL = PoolLimits(workers=2)


def changed(config, **changes):
    """The config with other settings, those of a group by both names: `jobs_each`."""
    for name, value in changes.items():
        group, _, field = name.partition("_")
        if group in GROUPS:
            other = replace(getattr(config, group), **{field: value})
            config = replace(config, **{group: other})
        else:
            config = replace(config, **{name: value})
    return config


GROUPS = ("pool", "jobs", "http", "rates")


class InProcess:
    """A worker in this process."""

    is_alive = True
    memory = 0

    def __init__(self, niceness=0):
        self.niceness = niceness

    def run(self, request, seconds, deadline):
        return run_request(request, seconds)

    def close(self):
        return None


class AtOnce(WorkerPool):
    """Runs requests in this process, before `ask` returns."""

    def __init__(self, limits=USUAL, make_worker=InProcess):
        super().__init__(make_worker, limits)

    def _start(self):
        return None

    def ask(self, *asked):
        pending = super().ask(*asked)
        while len(self._queue):
            self.run(self._next(number=self.limits.workers), self.workers[0])
        return pending


class Never(WorkerPool):
    """Takes every request and answers none."""

    def __init__(self, limits=USUAL):
        super().__init__(InProcess, limits)

    def _start(self):
        return None


def filled_in(page, action):
    """What a browser would send of the form on this page, untouched: the first value of a name."""
    (form,) = (form for form in Page(page).forms if (form.method, form.action) == ("post", action))
    return dict(reversed(form.fields({}, None)))


def use_pool(app, pool):
    """From now on the app asks this pool."""
    services = app.extensions[NAME]
    services[WorkerPool] = pool
    services[WorkerClient] = WorkerClient(pool, services[BrainStore].ensure, 0.5)


class Visitor:
    """A browser with its own cookies; `seen` is what the last template was given."""

    def __init__(self, app):
        self.app = app
        self.client = app.test_client()
        self.path = None
        self.seen = {}
        self.template = None

    def get(self, path, **headers):
        with self.looking():
            return self.client.get(path, headers=headers)

    def post(self, path, fields=None, headers=OWN_PAGE):
        with self.looking():
            return self.client.post(path, data=fields or {}, headers=headers)

    @contextmanager
    def looking(self):
        def remember(sender, template, context, **_):
            self.seen, self.template = context, template.name

        self.seen, self.template = {}, None
        with template_rendered.connected_to(remember, self.app):
            yield

    def begins(self, game="tictactoe", opponent="random", **fields):
        """A new match; the answer leads to it."""
        answer = self.post("/matches", {"game": game, "opponent": opponent} | fields)
        assert answer.status_code == 303, answer.text
        self.path = answer.location
        return self.match

    def opens(self, game, moves, players=("person", "person")):
        """A match that was played elsewhere."""
        moves = moves.split() if isinstance(moves, str) else [str(move) for move in moves]
        data = {"format": "zermelo match 2", "game": game, "players": list(players)}
        answer = self.post("/matches/import", {"text": json.dumps(data | {"moves": moves})})
        assert answer.status_code == 303, answer.text
        self.path = answer.location

    @property
    def match(self):
        """The match as this visitor sees it now."""
        return self.at("")

    def at(self, query):
        answer = self.get(self.path + query)
        assert answer.status_code == 200, answer.text
        return self.seen["match"]

    def does(self, action, headers=OWN_PAGE, **fields):
        """An action on the match, with the revision that is current unless another is given."""
        revision = fields.pop("revision", None)
        if revision is None:
            revision = self.client.get(f"{self.path}.json").json["revision"]
        return self.post(f"{self.path}/{action}", {"revision": revision} | fields, headers)

    def moves(self, *texts):
        """Moves one after the other, each accepted."""
        for text in texts:
            answer = self.does("moves", move=text)
            assert answer.status_code == 303, answer.text
        return self.match

    def hears(self):
        """The reply of the agent."""
        answer = self.does("reply")
        assert answer.status_code == 303, answer.text
        return self.match

    @property
    def record(self):
        """The match as a program reads it."""
        return self.client.get(f"{self.path}.json").json
