"""`zermelo visitors`: what each visitor of a server holds, and an end to it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from engine.errors import InvalidSpecError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webapp.storage.database import Database
    from webapp.storage.usage import Holdings

HEADER = (
    *("visitor", "matches", "unfinished", "jobs", "running", "brains (kB)", "classes"),
    *("assignments", "puzzles", "bots", "leagues", "tokens"),
)
MAX_JOBS = 10_000  # of one visitor


@click.command()
@click.argument("visitor", required=False)
@click.option("--end", is_flag=True, help="Stop and delete all that VISITOR holds.")
@click.option("--yes", is_flag=True, help="Do not ask whether to.")
@click.option("--most", default=20, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, of all visitors.")
def visitors(visitor: str | None, end: bool, yes: bool, most: int, as_json: bool) -> None:
    """What visitors of this server hold: matches, jobs, brains, classes, assignments, puzzles
    they tried, bots, leagues, tokens for the API.

    VISITOR is the beginning of a name as the log of requests and this table have it; without one,
    those who hold most come first. The database is that of the environment. With --end, all this of
    VISITOR is deleted and the tokens of their bots revoked, also while the server runs; the
    visitor may come back as anyone may.
    """
    from dataclasses import asdict

    from webapp.commands.backup import database_url
    from webapp.commands.output import show_json
    from webapp.storage.database import Database
    from webapp.storage.usage import UsageStore
    from webapp.web.access_log import visitor_id

    with closing(Database(database_url())) as database:
        database.upgrade()
        found = UsageStore(database).holdings()
        if visitor is not None:
            found = tuple(each for each in found if visitor_id(each.player).startswith(visitor))
            if len(found) != 1:
                many = f"{len(found)} visitors begin so" if found else "nobody holds anything by it"
                raise InvalidSpecError(visitor, f"{visitor!r} names no visitor: {many}")
        elif end:
            raise InvalidSpecError("", "--end needs a visitor: whose things?")
        names = {each.player: visitor_id(each.player) for each in found}
        if as_json:
            show_json([asdict(each) | {"player": names[each.player]} for each in found])
        else:
            _show(found[:most], names)
        if end and (yes or click.confirm("Delete all this?", abort=True)):
            _end(database, found[0].player)
            click.echo("deleted")


def _show(found: Sequence[Holdings], names: dict[str, str]) -> None:
    from webapp.commands.output import show_table

    rows = [
        (
            names[each.player],
            *map(str, (each.matches, each.unfinished, each.jobs, each.active_jobs)),
            *map(str, (each.brain_bytes >> 10, each.classes, each.assignments, each.puzzles)),
            *map(str, (each.bots, each.leagues, each.tokens)),
        )
        for each in found
    ]
    show_table(HEADER, rows, "<" + ">" * (len(HEADER) - 1))


def _end(database: Database, player: str) -> None:
    """A coordinator notices that its job is gone, and ends it."""
    from webapp.jobs.store import JobStore
    from webapp.storage.usage import UsageStore

    jobs = JobStore(database)
    for job in jobs.own(player, MAX_JOBS):
        jobs.remove(job.id)
    for brain in jobs.brains.mine(player, MAX_JOBS):
        jobs.brains.delete(brain)
    UsageStore(database).end(player)
