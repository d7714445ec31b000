"""`zermelo serve` and `zermelo jobs`: the web app and the coordinator of jobs."""

from __future__ import annotations

import os
import signal
import webbrowser
from dataclasses import replace
from threading import Timer
from urllib.parse import urlencode

import click

# Python runs one thread at a time: with many ready ones, the thread that polls the sockets is
# starved, and every request waits.
THREADS = 4


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port; 0 takes a free one.",
)
@click.option("--open/--no-open", "opens", default=True, help="Open it in a browser, or do not.")
@click.option("--page", default="/", show_default=True, help="The page to open.")
@click.option(
    "--log",
    "style",
    type=click.Choice(["errors", "requests", "json"]),
    help="What to log: what goes wrong, every request too, or that as JSON.",
)
@click.option(
    "--players",
    type=click.Path(exists=True, file_okay=False, resolve_path=True),
    help="A directory whose files are players: each is on the roster as file-NAME.",
)
def serve(
    host: str, port: int, opens: bool, page: str, style: str | None, players: str | None
) -> None:
    """Play in the browser."""
    from agents.players.directory import VARIABLE as PLAYERS_VARIABLE
    from engine.errors import ZermeloError
    from webapp import app as application
    from webapp.config import Config
    from webapp.jobs.coordinator_process import CoordinatorProcess
    from webapp.serving.browser_files import check_present
    from webapp.serving.logs import VARIABLE, write_logs
    from webapp.serving.network import ANYWHERE, browser_address, local_names
    from webapp.serving.server import Server
    from webapp.web.assets import folder
    from webapp.web.owner import owner_key

    if players is not None:  # for the processes that this one starts, too
        os.environ[PLAYERS_VARIABLE] = players
    where = f"{browser_address(host)}:{port}"
    if style is not None:
        os.environ[VARIABLE] = style  # for the coordinator's process too
    try:
        write_logs()
        check_present(folder("static"))
        config = Config.from_environment()
        server = Server(host, port, config.http, threads=THREADS, behind_proxy=config.behind_proxy)
        names = (*config.trusted_hosts, *local_names(host))
        app = application.make_app(replace(config, trusted_hosts=names, listens=host))
    except (ZermeloError, OSError) as error:
        raise click.UsageError(f"cannot serve on {where}: {error}") from error
    coordinator = CoordinatorProcess(config)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    try:
        if config.jobs.served:
            coordinator.start()
        address = f"http://{browser_address(host)}:{server.port}"
        here = f"http://localhost:{server.port}" if host in ANYWHERE else address
        click.echo(f"Zermelo is at {address} – Ctrl-C ends it")
        if config.players is not None:
            click.echo(_players_text())
        key = owner_key(config.secret_key)
        click.echo(f"Its owner's link: {here}/owner/{key}")
        if opens:
            link = f"{here}/owner/{key}?{urlencode({'page': page})}"
            Timer(0.2, webbrowser.open, (link,)).start()
        server.run(app)
    finally:
        coordinator.close()
        application.close(app)


def _players_text() -> str:
    """Who plays from the directory, and what holds them."""
    from agents.players.directory import directory_entries
    from agents.players.sandbox import isolation_text

    keys = [entry.key for entry in directory_entries()]
    return f"Players: {', '.join(keys) or 'none'}. Each runs with {isolation_text()}."


@click.command()
def jobs() -> None:
    """Work on jobs (training, arenas) until Ctrl-C or SIGTERM.

    `zermelo serve` does so by itself, unless ZERMELO_JOBS=0; beside several web processes one of
    these is enough. The database is that of the environment.
    """
    from threading import Event

    from engine.errors import ZermeloError
    from webapp.config import Config
    from webapp.jobs.coordinator_process import coordinate, stop_on_signals
    from webapp.serving.logs import write_logs

    stopping = Event()
    try:
        write_logs()
        config = Config.from_environment()
        stop_on_signals(stopping)
        where = config.jobs.cluster or f"{config.jobs.workers} processes"
        click.echo(f"Jobs are worked on by {where} – Ctrl-C ends it")
        coordinate(config, stopping)
    except (ZermeloError, OSError) as error:
        raise click.UsageError(f"cannot work on jobs: {error}") from error
