"""Routes of puzzles: which comes next, its page, answers, hints, and three minutes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from flask import Blueprint, Response, make_response, redirect, render_template, request

from agents.puzzles.answers import judge
from agents.puzzles.collection import shipped_puzzles
from agents.puzzles.models import Puzzle
from engine.catalog import catalog
from webapp.puzzles import rules
from webapp.puzzles.forms import read_answer, read_revision
from webapp.puzzles.models import Entry, Progress, Selection, entry_of
from webapp.puzzles.page import PuzzlePage
from webapp.puzzles.progress_page import MAX_RESULTS, NonePage, ProgressPart, Shelf, due_text
from webapp.puzzles.query import PATH, PuzzleQuery
from webapp.puzzles.rules import Standing
from webapp.puzzles.store import PuzzleStore
from webapp.services import Clock, service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

puzzles = Blueprint("puzzles", __name__, url_prefix=PATH)
BLUEPRINTS = (puzzles,)


@puzzles.get("")
def front() -> Response:
    """The next puzzle: one that is wanted, not tried, and of the player's level."""
    query, now = PuzzleQuery.parse(request.args), _now()
    player, store = current_player(), service(PuzzleStore)
    progress = store.progress(player)
    if query.sprint and not progress.is_sprinting(now):
        return go_to(f"{PATH}/sprint")
    entry = _next(query, player, progress, now)
    if entry is None:
        return _none(
            query,
            "None of your own yet",
            "Play a game to its end: where you gave something away becomes a puzzle of yours.",
        )
    return _page(store.find(entry.id), query.kept)


@puzzles.get("/today")
def today() -> Response:
    """Go to the puzzle of the day, by the date in UTC."""
    query = PuzzleQuery.parse(request.args)
    day = datetime.fromtimestamp(_now(), UTC).date()
    entry = rules.entry_of_day([entry_of(each) for each in shipped_puzzles()], day)
    return _to(entry.id, PuzzleQuery(today=True, present=query.present))


@puzzles.get("/again")
def again() -> Response:
    """Go to the next puzzle that was missed and is due."""
    query, now = PuzzleQuery.parse(request.args), _now()
    player = current_player()
    due = service(PuzzleStore).due(player, now) if player else []
    if not due:
        text = due_text(_shelf(query, player, now), now)
        return _none(query, "Nothing to repeat now", text)
    return _to(due[0], PuzzleQuery(missed=True, again=True, present=query.present))


@puzzles.get("/<puzzle_id>")
def show(puzzle_id: str) -> Response:
    """A puzzle, as this player has left it."""
    puzzle = service(PuzzleStore).find(puzzle_id)
    return _page(puzzle, PuzzleQuery.parse(request.args))


@puzzles.post("/<puzzle_id>/answer")
def answer(puzzle_id: str) -> Response:
    """Judge an answer; the same one sent twice counts once."""
    move, revision = read_answer(request.form), read_revision(request.form)

    def decide(puzzle: Puzzle, query: PuzzleQuery, now: int) -> rules.Decide:
        judged = judge(puzzle, move)
        seconds = None if query.since is None else max(0, now - query.since)

        def answered(standing: Standing) -> Standing:
            tries = standing.attempt.tries
            if revision is not None and revision < tries and standing.attempt.move == judged.move:
                return standing
            return rules.answered(standing, judged, now, seconds)

        return answered

    return _change(puzzle_id, decide)


@puzzles.post("/<puzzle_id>/hint")
def hint(puzzle_id: str) -> Response:
    """Give a hint, which the page shows from then on."""
    return _change(
        puzzle_id, lambda puzzle, query, now: lambda before: rules.hinted(before, now), stays=True
    )


@puzzles.post("/<puzzle_id>/show")
def solution(puzzle_id: str) -> Response:
    """Show the solution."""
    return _change(puzzle_id, lambda puzzle, query, now: lambda before: rules.shown(before, now))


@puzzles.get("/sprint")
def sprint() -> Response:
    """The three minutes: how they went, and how to begin."""
    query, now = PuzzleQuery.parse(request.args), _now()
    player = current_player()
    progress = service(PuzzleStore).progress(player)
    if progress.is_sprinting(now):
        return go_to(replace(query, sprint=True).url(PATH))
    title = "Three minutes, as many as you can"
    return _none(replace(query, sprint=True), title, *_sprint_texts(progress))


@puzzles.post("/sprint")
def begin_sprint() -> Response:
    """Begin three minutes."""
    service(RateLimits).spend()
    service(RateLimits).spend_on("puzzles")
    now, query = _now(), PuzzleQuery.parse(request.form)
    player = player_of_this_request()
    service(PuzzleStore).begin_sprint(player, lambda before: rules.sprint_begun(before, now))
    return go_to(PuzzleQuery(game=query.game, sprint=True, present=query.present).url(PATH))


@puzzles.post("/forget")
def forget() -> Response:
    """Remove the player's progress."""
    service(RateLimits).spend()
    if (player := current_player()) is not None:
        service(PuzzleStore).forget(player)
    return go_to(PATH)


def _sprint_texts(progress: Progress) -> tuple[str, ...]:
    if not progress.sprint_ends:
        return ("The first are easy, then they get harder. A wrong answer costs its time.",)
    solved, missed = progress.sprint_solved, progress.sprint_missed
    best = f"Your best: {progress.sprint_best}."
    return (f"Time is up: {solved} solved, {missed} missed. {best}",)


Decision = Callable[[Puzzle, PuzzleQuery, int], rules.Decide]


def _change(puzzle_id: str, decision: Decision, *, stays: bool = False) -> Response:
    """Store what a form says of a puzzle, and respond with its page or the next of a sprint.

    The board `stays` as it is where nothing was answered.
    """
    store = service(PuzzleStore)
    puzzle, query, now = store.find(puzzle_id), PuzzleQuery.parse(request.form), _now()
    show_errors_on(lambda message, status: _page(puzzle, query, message, status))
    service(RateLimits).spend()
    service(RateLimits).spend_on("puzzles")
    decide = decision(puzzle, query, now)
    store.change(player_of_this_request(), puzzle, decide)
    if query.sprint and not stays:
        return go_to(query.kept.url(PATH, after=puzzle.id))
    after = replace(query, pick=None) if stays else query.here
    address = after.url(f"{PATH}/{puzzle.id}")
    if not partial_is_wanted():
        return vary(make_response(redirect(address, 303)))
    response = _page(puzzle, after)
    if not stays:
        response.headers["HX-Replace-Url"] = address
    return response


def _page(
    puzzle: Puzzle, query: PuzzleQuery, message: Message | None = None, status: int = 200
) -> Response:
    standing = service(PuzzleStore).standing(current_player(), puzzle)
    part = _progress(standing.progress, query)
    page = PuzzlePage(puzzle, standing, query, part, request.full_path.rstrip("?"), message)
    return render("puzzles/page.html", "puzzles/_puzzle.html", status, puzzle=page)


def _progress(progress: Progress, query: PuzzleQuery) -> ProgressPart:
    player, now = current_player(), _now()
    latest = service(PuzzleStore).latest(player, MAX_RESULTS) if player else ()
    return ProgressPart(progress, latest, _shelf(query, player, now), now)


def _shelf(query: PuzzleQuery, player: str | None, now: int) -> Shelf:
    store = service(PuzzleStore)
    entries = [entry_of(each) for each in shipped_puzzles()]
    keys = {entry.key for entry in entries}
    wanted = Selection(query.game)
    themes = tuple(sorted({entry.theme for entry in entries if wanted.fits(entry)}))
    games = tuple(entry.key for entry in catalog() if entry.key in keys)
    if player is None:
        return Shelf(games, themes)
    due = len(store.due(player, now))
    when, count = store.next_due(player)
    return Shelf(games, themes, due, count - due, when, store.count_own(player))


def _next(query: PuzzleQuery, player: str | None, progress: Progress, now: int) -> Entry | None:
    store = service(PuzzleStore)
    if query.mine:
        entries = store.own(player) if player else []
    else:
        entries = [each for each in store.entries(player, query.game) if query.selection.fits(each)]
    tried = store.tried(player) if player else set()
    level = query.level or rules.wanted_level(progress, now)
    seed = f"{player} {len(tried)} {query.after}"
    is_new = not progress.solved
    return rules.next_entry(entries, level, tried, query.after, seed, is_new=is_new)


def _none(query: PuzzleQuery, title: str, *texts: str) -> Response:
    """The page without a puzzle."""
    part = _progress(service(PuzzleStore).progress(current_player()), query)
    page = NonePage(query, part, title, texts)
    return vary(make_response(render_template("puzzles/none.html", puzzle=page)))


def _to(puzzle_id: str, query: PuzzleQuery) -> Response:
    return go_to(query.url(f"{PATH}/{puzzle_id}"))


def _now() -> int:
    return int(service(Clock).now())
