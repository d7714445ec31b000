"""Problems without a foe: covers and boxes by hand, searched, step by step, as jobs."""

from __future__ import annotations

from benchmarks.guard import adapter
from benchmarks.guard.record import Browser, Section

COVER, BOX = "/optimise/set-cover", "/optimise/black-box"
USUAL = "set-cover:things=20,sets=28,density=0.2,seed=3"
SEARCHES = ("breadth-first", "depth-first", "greedy", "astar", "course", "exact")
SEARCHES += ("astar:estimate=average", "astar:branch=rarest")
COVERS = ("taken=5.12.20", "taken=5", "taken=1.1.1", "taken=99", "taken=x", "present=1")
COVERS += ("things=6&sets=9&density=0.4&seed=2", "things=6&sets=x", "things=200&sets=1000")
COVERS += ("text=1+2%0A2+3%0A3+1", "text=1+9", "text=x", "problem=black-box", "problem=none")
COVERS += ("compare=greedy&compare=astar&compare=exact", "compare=none", "walk=none", "run=none")
BOXES = ("groups=1", "groups=5&sealed=yes&seed=4", "groups=0", "groups=99", "open=1", "present=1")
BOXES += ("problem=set-cover", "problem=none", "asked=zeros", "asked=x", "genome=f", "seeds=0")
BOXES += ("calls=x", "search=none", "search=genetic&search=tabu&seeds=2&calls=500", "run=none")


def tour(section: Section) -> None:
    visitor = section.browser("visitor")
    visitor.get("/lab")
    visitor.tour(visitor.get("/optimise"), "^/optimise/")
    by_hand(visitor)
    jobs = adapter.Jobs(section.app)
    covers(visitor, jobs)
    boxes(visitor, section.browser("stranger"), jobs)
    section.start(think="never")
    waiting = section.browser("waiting")
    for query in ("compare=astar", "walk=astar&step=3"):
        waiting.get(f"{COVER}?problem={USUAL}&{query}")


def by_hand(visitor: Browser) -> None:
    """Looks and presses that need no job."""
    for query in COVERS:
        visitor.get(f"{COVER}?{query}")
    page = visitor.get(COVER)
    for form in page.page.forms:
        if form.method == "get":
            for button in (form.buttons or [None])[:6]:
                visitor.submit(form, button)
    for search in SEARCHES:
        for step in (1, 2, 5, 99_999):
            visitor.get(f"{COVER}?problem={USUAL}&walk={search}&step={step}")
    compared = "&".join(f"compare={search}" for search in SEARCHES)
    page = visitor.get(f"{COVER}?problem={USUAL}&{compared}&taken=5")
    visitor.tour(page, rf"^{COVER}\?", most=10)
    for query in BOXES:
        visitor.get(f"{BOX}?{query}")
    page = visitor.get(BOX)
    visitor.tour(page, rf"^{BOX}\?", most=8)
    for _ in range(4):
        asking = next(form for form in page.page.forms if form.id == "asking")
        for button in asking.buttons:
            last = visitor.submit(asking, button)
        page = last
    visitor.tour(page, rf"^{BOX}\?", most=8)


def covers(visitor: Browser, jobs: adapter.Jobs) -> None:
    """A search of a cover that is given longer."""
    for problem in (USUAL, "set-cover:things=60,sets=120,density=0.1,seed=1"):
        sent = [("problem", problem), *(("search", each) for each in ("greedy", "exact"))]
        page = visitor.follow(visitor.post("/optimise/runs", sent))
        jobs.work(1)
        visitor.get(page.path)
        jobs.work()
        page = visitor.get(page.path)
        visitor.tour(page, rf"^{COVER}\?", most=5)
    for fields in ({}, {"problem": USUAL}, {"problem": USUAL, "search": "tabu"}, {"problem": "x"}):
        visitor.post("/optimise/runs", fields)


def boxes(visitor: Browser, stranger: Browser, jobs: adapter.Jobs) -> None:
    """Searches of a box: waiting, under way, done, stopped, thrown away."""
    page = visitor.get(BOX)
    every = next(form for form in page.page.forms if form.action == "/optimise/runs")
    names = [each.value for each in every.controls if each.name == "search"]
    visitor.submit(every, seeds="0")
    visitor.submit(every, calls="x")
    visitor.submit(every, search=[])
    page = visitor.follow(visitor.submit(every, search=names[:11], seeds="1", calls="1500"))
    stranger.get(page.path)
    jobs.work(2)
    visitor.get(page.path)
    visitor.get("/jobs")
    jobs.work()
    page = visitor.get(page.path)
    stranger.get(page.path)
    visitor.tour(page, rf"^{BOX}\?", most=12)
    for query in ("&lane=1", "&at=100", "&lane=2&at=400&open=1", "&lane=99", "&show=diversity"):
        visitor.get(page.path + query)
    job = page.path.partition("run=")[2].partition("&")[0]
    for path in (f"/jobs/{job}", f"/jobs/{job}.json", f"/optimise/runs/{job}"):
        visitor.get(path)
    visitor.get(f"/optimise/runs/{job}.csv")
    visitor.get("/jobs")
    page = visitor.get(page.path)
    stranger.post(f"/jobs/{job}/discard")
    visitor.does("/discard")
    for turns in (0, 1):
        page = visitor.follow(visitor.submit(every, search=names[0], seeds="3", calls="200000"))
        if turns:
            jobs.work(turns)
        visitor.get(page.path)
        visitor.does("/cancel")
        jobs.work()
        visitor.get(page.path)
