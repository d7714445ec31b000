"""Workers of a cluster, kept running: a scheduler that goes makes them exit, with a 0 at that."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webapp.config import ClusterError, check_address

if TYPE_CHECKING:
    from distributed import Nanny

log = logging.getLogger(__name__)

AGAIN = 1.0  # seconds before workers are started again
LONELY = "20s"  # without a scheduler for so long, a worker exits


def check_joinable(address: str) -> str:
    """The address, if a worker of it is safe from strangers; raises ClusterError.

    A worker runs whatever it is sent: over tcp:// it listens on loopback alone, over tls:// it
    hears those who have a certificate.
    """
    check_address(address)
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


def join(address: str, number: int) -> None:
    """So many workers of one thread each, each under a nanny, until SIGTERM or Ctrl-C."""
    asyncio.run(_until_told(check_joinable(address), number))


async def _until_told(address: str, number: int) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for told in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(told, stopping.set)
    keeping = [asyncio.create_task(_keep(address)) for _ in range(number)]
    await stopping.wait()
    for task in keeping:
        task.cancel()
    await asyncio.gather(*keeping, return_exceptions=True)


async def _keep(address: str) -> None:
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
            await asyncio.sleep(AGAIN)


def _nanny(address: str) -> Nanny:
    """Watches one worker. Both listen where Dask is told to: left to itself, a worker listens on
    every interface, whatever the address of its scheduler.
    """
    from distributed import Nanny, Security

    from webapp.jobs.pageless_worker import PagelessWorker

    plain = _is_plain(address)
    return Nanny(
        address,
        nthreads=1,
        death_timeout=LONELY,
        quiet=True,
        host=_loopback(address) if plain else None,
        security=Security(require_encryption=not plain),
        worker_class=PagelessWorker,
    )


def _is_plain(address: str) -> bool:
    return urlsplit(address).scheme == "tcp"


def _loopback(address: str) -> str:
    """The loopback address of the family that the scheduler's is of."""
    return "[::1]" if ":" in (urlsplit(address).hostname or "") else "127.0.0.1"
