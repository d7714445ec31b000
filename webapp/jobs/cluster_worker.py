"""Workers of a cluster, kept running: a scheduler that goes makes them exit, with a 0 at that."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress

from webapp.jobs.cluster import ClusterError

log = logging.getLogger(__name__)

AGAIN = 1.0  # seconds before workers are started again
LONELY = "20s"  # without a scheduler for so long, a worker exits


def join(address: str, number: int) -> None:
    """So many workers of one thread each, each under a nanny, until SIGTERM or Ctrl-C."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise ClusterError(
            "workers need the extra [cluster]: pip install zermelo[cluster]"
        ) from error
    asyncio.run(_until_told(address, number))


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
    from distributed import Nanny

    while True:
        try:
            async with Nanny(address, nthreads=1, death_timeout=LONELY, quiet=True) as nanny:
                await nanny.finished()
            log.info("a worker of %s ended: another is started", address)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - no scheduler, or one that went meanwhile
            log.info("no worker of %s yet: %r", address, error)
        with suppress(asyncio.TimeoutError):
            await asyncio.sleep(AGAIN)
