"""Trainings and what comes of them: the form, the page while it learns and afterwards, brains."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from benchmarks.guard import adapter
from benchmarks.guard.fixed import at_once
from benchmarks.guard.matches import move, reply
from benchmarks.guard.record import Answer, Browser, Section

MENACE = {"game": "tictactoe", "learner": "menace", "length": "3000", "seed": "7"}
TRAININGS: tuple[dict[str, str], ...] = (
    MENACE,
    {"game": "tictactoe", "learner": "qlearning", "length": "2000", "seed": "1"},
    {"game": "tictactoe", "learner": "reward-table", "length": "500", "seed": "2"},
    {"game": "tictactoe", "learner": "state-value", "length": "500", "seed": "3"},
    {"game": "nim", "preset": "marienbad", "learner": "es-rules", "length": "3", "seed": "4"},
    {"game": "nim", "preset": "marienbad", "learner": "ea-table", "length": "3", "seed": "5"},
    {"game": "nim", "learner": "es-mix", "length": "2", "seed": "6"},
    {"game": "quixo", "preset": "tiny", "learner": "qlearning", "length": "300", "seed": "7"},
    {"game": "quixo", "learner": "quixo-deep", "length": "2", "seed": "8"},
    MENACE | {"seeds": "3"},
    {"game": "tictactoe", "learner": "qlearning", "length": "500", "grid": "alpha=0.1,0.5"},
)
WRONG: tuple[dict[str, str], ...] = (
    {"length": "0"},
    {"length": "x"},
    {"length": "99999999999"},
    {"seed": "-1"},
    {"seeds": "99"},
    {"grid": "alpha"},
    {"grid": "colour=1,2"},
    {"learner": "perfect"},
    {"learner": "none"},
    {"game": "chess"},
    {"game": "nim"},
    {"menace.win": "x"},
    {"menace.opponent": "none"},
    {"origin": "none"},
)
LOOKS = (
    "axis=linear",
    "present=1",
    "at=20",
    "at=99999",
    "upto=50",
    "place=2",
    "known=0",
    "known=x",
)


def tour(section: Section) -> None:
    section.start(jobs_each=100)
    visitor, stranger = section.browser("visitor"), section.browser("stranger")
    for path in ("/lab", "/jobs", "/brains", "/train", "/jobs?page=2", "/brains?page=9"):
        visitor.get(path)
    jobs = adapter.Jobs(section.app)
    forms(visitor)
    first = while_it_learns(visitor, stranger, jobs)
    afterwards(visitor, stranger, first)
    for fields in TRAININGS[1:]:
        with at_once() if fields["learner"] == "quixo-deep" else nullcontext():
            trained(visitor, jobs, fields)
    brains(visitor, stranger, jobs)
    stopped(visitor, jobs)
    visitor.get("/jobs")
    visitor.get("/brains")
    visitor.get("/")
    limits(section)


def trained(visitor: Browser, jobs: adapter.Jobs, fields: dict[str, str]) -> None:
    """From the form to the figures."""
    page = train(visitor, **fields)
    jobs.work()
    page = visitor.get(page.path)
    visitor.get(f"{page.path}/curve.csv")
    visitor.get(f"{page.path}.json")
    visitor.get(f"{page.path}/opening", both=False)
    visitor.last = page
    if page.has_form("/keep"):
        visitor.does("/keep")


def train(visitor: Browser, **fields: Any) -> Answer:
    """By the form as it is for this learner; then at the job."""
    chosen = "&".join(
        f"{name}={fields[name]}" for name in ("game", "preset", "learner") if name in fields
    )
    visitor.last = visitor._send("GET", f"/train?{chosen}", record=False)
    form = next(form for form in visitor.last.page.forms if form.method == "post")
    return visitor.follow(visitor.submit(form, "begin", **fields))


def forms(visitor: Browser) -> None:
    """The form for every learner in every game, and all that can be wrong with it."""
    front = visitor.get("/train")
    visitor.tour(front, r"^/train\?", most=20)
    form = next(form for form in front.page.forms if form.method == "post")
    games = next(each for each in form.controls if each.name == "game").options
    for game in games:
        page = visitor.get(f"/train?game={game}")
        learners = next(
            each for form in page.page.forms for each in form.controls if each.name == "learner"
        )
        for learner in learners.options:
            visitor.get(f"/train?game={game}&learner={learner}")
    for htmx in (False, True):
        visitor.htmx = htmx
        for change in WRONG:
            visitor.post("/train", MENACE | change)
    visitor.htmx = False


def while_it_learns(visitor: Browser, stranger: Browser, jobs: adapter.Jobs) -> Answer:
    """Waiting, under way and done, for its owner and for others."""
    page = train(visitor, **MENACE)
    stranger.get(page.path)
    visitor.get(f"{page.path}/opening")
    visitor.get(f"{page.path}.json")
    visitor.post(f"{page.path}/play")
    for _ in range(3):
        jobs.work(1)
        visitor.get(page.path)
        visitor.get(f"{page.path}?known=0")
    stranger.get(page.path)
    visitor.get("/jobs")
    jobs.work()
    done = visitor.get(page.path)
    stranger.get(page.path)
    return done


def afterwards(visitor: Browser, stranger: Browser, page: Answer) -> None:
    """All that can be done with a training that is done."""
    for look in LOOKS:
        visitor.get(f"{page.path}?{look}")
    visitor.tour(page, rf"^{page.path}\?", most=8)
    visitor.tour(page, r"^/(train|class/ask)\?", most=3)
    for path in ("/opening", "/opening?at=10", "/curve.csv", ".json", "/standings.csv", "/1-2"):
        visitor.get(page.path + path)
    play = [form for form in page.page.forms if form.action.endswith("/play")]
    for form in (*play[:2], *play[-1:]):
        visitor.follow(visitor.submit(form))
    visitor.post(f"{page.path}/play", {"step": 77})
    visitor.post(f"{page.path}/play", {"step": 0})
    adapter.change_row(visitor.section.app, "delete from brain_files where rowid % 2")
    visitor.follow(visitor.post(f"{page.path}/play", {"step": 150}))
    visitor.get(page.path)
    visitor.get("/jobs")
    for action in ("cancel", "keep", "again", "discard"):
        stranger.post(f"{page.path}/{action}", {"run": 1})
    visitor.post(f"{page.path}/cancel")
    visitor.post(f"{page.path}/keep", {"run": 9})


def brains(visitor: Browser, stranger: Browser, jobs: adapter.Jobs) -> None:
    """Shown, played, renamed, taken, downloaded, uploaded, trained on, deleted."""
    listed = visitor.get("/brains")
    path = next(a for a, _ in listed.page.links if a.startswith("/brains/"))
    page = visitor.get(path)
    other = stranger.get(path)
    visitor.tour(page, r"^/(arena|class/ask)\?", most=2)
    for name in ("My own", "", "x" * 90):
        visitor.submit(page.form("/rename"), name=name)
    stranger.post(f"{path}/rename", {"name": "theirs"})
    stranger.post(f"{path}/delete")
    visitor.last = page
    visitor.does("/play")
    move(visitor, "b2")
    reply(visitor)
    visitor.get(f"{(visitor.last or page).path.partition('?')[0]}?values=1&show=1")
    stranger.last = other
    stranger.does("/take")
    stranger.get("/brains")
    data = visitor.get(f"{path}/download").body
    for content, name in ((data, "brought"), (data, "x" * 90), (b"nonsense", "bad"), (b"", "none")):
        stranger.follow(
            stranger.post("/brains/upload", {"name": name}, {"file": (content, "a.npz")})
        )
    stranger.post("/brains/upload", {"name": "none"})
    form = visitor.get(page.link("/train?"))
    post = next(each for each in form.page.forms if each.method == "post")
    visitor.last = form
    page = visitor.follow(visitor.submit(post, "begin", length="100"))
    jobs.work()
    visitor.get(page.path)
    visitor.get(path)
    visitor.does("/delete")
    visitor.get(path)


def stopped(visitor: Browser, jobs: adapter.Jobs) -> None:
    """Stopped before it began, stopped under way, failed, thrown away."""
    for turns in (0, 2):
        for htmx in (False, True):
            page = train(visitor, **MENACE | {"length": "100000"})
            if turns:
                jobs.work(turns)
            visitor.get(page.path)
            visitor.htmx = htmx
            visitor.does("/cancel")
            jobs.work()
            visitor.htmx = False
            visitor.get(page.path)
            visitor.get(f"{page.path}.json")
    page = train(visitor, **MENACE)
    job = page.path.rpartition("/")[2]
    adapter.change_row(
        visitor.section.app, f"update jobs set parameters = '{{}}' where id = '{job}'"
    )
    jobs.work()
    adapter.change_row(
        visitor.section.app,
        "update jobs set parameters = (select parameters from jobs where kind = 'training' "
        f"and parameters <> '{{}}' order by id limit 1) where id = '{job}'",
    )
    visitor.get(page.path)
    visitor.get("/jobs")
    visitor.does("discard") if visitor.last and visitor.last.has_form("discard") else None


def limits(section: Section) -> None:
    """Too many jobs for one visitor, for all; no room for another brain."""
    section.start(jobs_each=1, jobs_queue=2)
    for name in ("first", "first", "second", "third"):
        visitor = section.browser(name)
        for _ in range(2):
            visitor.post("/train", MENACE)
    section.start(jobs_brains_bytes=2000, jobs_kept=1)
    visitor, jobs = section.browser("full"), adapter.Jobs(section.app)
    for _ in range(3):
        page = visitor.follow(visitor.post("/train", MENACE))
        jobs.work()
        visitor.get(page.path)
    visitor.get("/brains")
    visitor.get("/jobs")
