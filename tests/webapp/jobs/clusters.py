"""A real scheduler with two workers on this machine, to be killed and started again."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.webapp.serving.process import children

ROOT = Path(__file__).parents[3]
PATIENCE = 240


class LocalCluster:
    """The processes of a cluster; with certificates, whoever has none is not let in."""

    def __init__(self, data, certificates=None, **settings):
        self.data = data
        self.settings = settings | ({} if certificates is None else certificates.environment)
        self.protocol = "tcp" if certificates is None else "tls"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"{self.protocol}://127.0.0.1:{self.port}"
        self.started = []

    def start_scheduler(self):
        where = ["--host", f"{self.protocol}://127.0.0.1", "--port", str(self.port)]
        where += ["--no-dashboard", "--no-jupyter", "--dashboard-address", "127.0.0.1:0"]
        self.scheduler = self._process("-m", "distributed.cli.dask_scheduler", *where)
        until = monotonic() + PATIENCE
        while not _listens(self.port):
            assert monotonic() < until, "no scheduler"
            sleep(0.1)

    def start_workers(self, number):
        self.workers = self._process(
            "-m", "webapp", "worker", "--scheduler", self.address, "--workers", str(number)
        )

    def pids_of_workers(self):
        """Of the processes that do the tasks, under their nannies."""
        from distributed import Client

        with Client(self.address, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=PATIENCE)
            return list(client.run(os.getpid).values())

    def pids(self):
        """Of every process of it, once its workers have joined."""
        joined = self.pids_of_workers()
        started = [each.pid for each in self.started]
        return {*started, *joined, *(child for pid in started for child in children(pid))}

    def _process(self, *arguments):
        log = (self.data / f"process-{len(self.started)}.log").open("w")
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=os.environ
            | {"ZERMELO_DATA": str(self.data), "PYTHONPATH": str(ROOT)}
            | self.settings,
            stdout=log,
            stderr=log,
        )
        log.close()
        self.started.append(process)
        return process

    def end(self):
        for process in self.started:
            with suppress(OSError):
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self.started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Certificates:
    """One key that vouches for itself, for every part of a cluster: as Dask is told of it."""

    def __init__(self, place):
        key, certificate = str(place / "key.pem"), str(place / "certificate.pem")
        made = ["-keyout", key, "-out", certificate, "-subj", "/CN=zermelo", "-days", "1"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made],
            check=True,
            capture_output=True,
        )
        self.settings = {
            "distributed.comm.require-encryption": True,
            "distributed.comm.tls.ca-file": certificate,
        }
        for role in ("client", "scheduler", "worker"):
            self.settings[f"distributed.comm.tls.{role}.cert"] = certificate
            self.settings[f"distributed.comm.tls.{role}.key"] = key
        self.environment = {
            f"DASK_{name.upper().replace('.', '__').replace('-', '_')}": str(value)
            for name, value in self.settings.items()
        }


@contextmanager
def running_cluster(data, workers=2, certificates=None, **settings):
    """The settings are variables of the environment of all its processes."""
    pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    cluster = LocalCluster(data, certificates, **settings)
    try:
        cluster.start_scheduler()
        if workers:
            cluster.start_workers(workers)
        yield cluster
    finally:
        cluster.end()


def listening(pid):
    """The addresses and ports at which a process waits for others."""
    import psutil

    found = psutil.Process(pid).net_connections("inet")
    return [tuple(each.laddr) for each in found if each.status == psutil.CONN_LISTEN]


def _listens(port):
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0
