"""gunicorn's configuration for several web processes, of the extra [production].

    gunicorn -c python:webapp.serving.gunicorn_config "webapp:create_app()"

SIGHUP starts the processes anew without a pause: the old ones answer until every new one is ready.
Nothing of ours is imported here, so that new processes load what was installed meanwhile.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, sleep
from typing import Any

PROCESSES = "ZERMELO_PROCESSES"  # by which each process divides its bounds
SHARED = "ZERMELO_SHARED"  # a directory in which the processes share their rate limits
METRICS = "PROMETHEUS_MULTIPROC_DIR"  # the same for metrics
READY_TIMEOUT_S = 60.0  # for new processes to be ready

workers = int(os.environ.get(PROCESSES) or 2)
worker_class = "gthread"
threads = 4  # as `zermelo serve` has
timeout = 60  # seconds without a sign of life, after which a process is replaced
graceful_timeout = 10
keepalive = 20
limit_request_field_size = 16384
control_socket_disable = True

_place = Path(tempfile.mkdtemp(prefix="zermelo-processes-"))
_ready = get_context("fork").Value("i", 0)  # how many processes have ever been ready


def on_starting(server: Any) -> None:
    """Tell the processes how many they are and where they share."""
    os.environ[PROCESSES] = str(server.cfg.workers)
    for name in (SHARED, METRICS):
        os.environ[name] = str(_place / name.lower())
        Path(os.environ[name]).mkdir()


def post_worker_init(worker: Any) -> None:
    """A process has made its app and is about to answer."""
    with _ready.get_lock():
        _ready.value += 1


def on_reload(server: Any) -> None:
    """Start the new processes before gunicorn ends the old ones, which answer meanwhile."""
    wanted = _ready.value + server.cfg.workers
    for _ in range(server.cfg.workers):
        server.spawn_worker()
    deadline = monotonic() + READY_TIMEOUT_S
    while _ready.value < wanted and monotonic() < deadline:
        sleep(0.1)
    server.cfg.set("workers", 0)  # gunicorn is about to start as many again


def child_exit(server: Any, worker: Any) -> None:
    """What a process that ended counted stays; what it held does not."""
    from prometheus_client.multiprocess import mark_process_dead

    mark: Any = mark_process_dead
    mark(worker.pid)


def on_exit(server: Any) -> None:
    shutil.rmtree(_place, ignore_errors=True)
