"""Dask workers, restarted when they exit, as they do when their scheduler ends."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webapp.config import ClusterError, check_cluster_address

if TYPE_CHECKING:
    from distributed import Nanny

log = logging.getLogger(__name__)

RESTART_DELAY_S = 1.0
DEATH_TIMEOUT = "20s"  # without a scheduler, after which a worker exits


def check_joinable(address: str) -> str:
    """The address, if it is safe to run a worker for it; raises ClusterError.

    A worker runs any code it receives: over tcp:// it listens on loopback only, over tls:// it
    requires certificates.
    """
    check_cluster_address(address)
    try:
        from distributed import Security
    except ImportError as error:
        raise ClusterError(
            "workers need the extra [cluster]: pip install zermelo[cluster]"
        ) from error
    if not _is_plain(address) and Security().get_listen_args("worker")["ssl_context"] is None:
        where = "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__TLS__WORKER__CERT and …__TLS__WORKER__KEY"
        raise ClusterError(f"{address} needs certificates: set {where}")
    return address


def run_workers(address: str, count: int) -> None:
    """Run so many single-threaded workers, each under a nanny, until SIGTERM or Ctrl-C."""
    asyncio.run(_run_until_signal(check_joinable(address), count))


async def _run_until_signal(address: str, count: int) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    tasks = [asyncio.create_task(_keep_worker_running(address)) for _ in range(count)]
    await stopping.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _keep_worker_running(address: str) -> None:
    while True:
        try:
            async with _nanny(address) as nanny:
                await nanny.finished()
            log.info("a worker of %s ended: another is started", address)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - no scheduler, or one that went meanwhile
            log.info("no worker of %s yet: %r", address, error)
        with suppress(asyncio.TimeoutError):
            await asyncio.sleep(RESTART_DELAY_S)


def _nanny(address: str) -> Nanny:
    """The nanny of one worker, on loopback for tcp://: by default both listen on all interfaces."""
    from distributed import Nanny, Security

    from webapp.jobs.pageless_worker import PagelessWorker

    plain = _is_plain(address)
    return Nanny(
        address,
        nthreads=1,
        death_timeout=DEATH_TIMEOUT,
        quiet=True,
        host=_loopback(address) if plain else None,
        security=Security(require_encryption=not plain),
        worker_class=PagelessWorker,
    )


def _is_plain(address: str) -> bool:
    return urlsplit(address).scheme == "tcp"


def _loopback(address: str) -> str:
    """The loopback address of the same family as the scheduler's."""
    return "[::1]" if ":" in (urlsplit(address).hostname or "") else "127.0.0.1"
