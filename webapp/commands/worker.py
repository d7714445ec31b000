"""`zermelo worker`: run workers of a cluster."""

from __future__ import annotations

import click

from webapp.commands.options import MAX_WORKERS, Number


@click.command()
@click.option(
    "--scheduler",
    envvar="ZERMELO_CLUSTER",
    required=True,
    help="The scheduler's address: tls://host:port, or tcp:// on this machine.",
)
@click.option(
    "--workers",
    type=Number(1, MAX_WORKERS),
    help="Tasks at a time, each in its own process.  [default: one for each processor]",
)
def worker(scheduler: str, workers: int | None) -> None:
    """Join a cluster and work on the jobs of a Zermelo elsewhere, until Ctrl-C or SIGTERM.

    Start `dask scheduler` somewhere, give its address to every worker and to the coordinator
    (ZERMELO_CLUSTER). When the scheduler is gone, workers wait until it is back.
    """
    from agents.compute.processes import processors
    from engine.errors import ZermeloError
    from webapp.jobs.dask_worker import check_joinable, run_workers
    from webapp.serving.logs import write_logs

    write_logs()
    number = workers or processors()
    try:
        address = check_joinable(scheduler)
    except ZermeloError as error:
        raise click.UsageError(str(error)) from error
    click.echo(f"Working for {address} in {number} processes – Ctrl-C ends it")
    run_workers(address, number)
