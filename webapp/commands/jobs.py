"""`zermelo jobs`: a coordinator alone, where several web processes serve."""

from __future__ import annotations

import click


@click.command()
def jobs() -> None:
    """Work on jobs (training, arenas) until Ctrl-C or SIGTERM.

    `zermelo serve` does so by itself, unless ZERMELO_JOBS=0; beside several web processes one of
    these is enough. The database is that of the environment.
    """
    from threading import Event

    from engine.errors import ZermeloError
    from webapp.config import Config
    from webapp.jobs.process import Workplace, coordinate, stop_when_told
    from webapp.serving.logs import write_logs

    write_logs()
    stopping = Event()
    try:
        config = Config.from_environment()
        stop_when_told(stopping)
        where = config.cluster or f"{config.job_workers} processes"
        click.echo(f"Jobs are worked on by {where} – Ctrl-C ends it")
        coordinate(Workplace.of(config), stopping)
    except (ZermeloError, OSError) as error:
        raise click.UsageError(f"cannot work on jobs: {error}") from error
