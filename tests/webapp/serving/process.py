"""The server as a process of its own, and a plain HTTP client for it."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[3]
TIMEOUT_S = 120  # on a machine that is busy
SERVE = [sys.executable, "-m", "webapp", "serve", "--no-open", "--port", "0"]


def eventually(holds, seconds=600):
    """Wait for a condition; fail where it has not come true in all that time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def run_command(*command, cwd=ROOT, typed=None, **environment):
    """A command run to its end: returncode, stdout, stderr."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | environment,
        input=typed,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def free_port():
    """For a server that is started again on its port: below those that the kernel gives to whoever
    asks for any, or another process has it by then."""
    given = Path("/proc/sys/net/ipv4/ip_local_port_range")
    lowest = int(given.read_text().split()[0]) if given.exists() else 32_768
    ports = [random.randrange(min(20_000, lowest // 2), lowest) for _ in range(100)]
    for port in (*ports, 0):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return probe.getsockname()[1]
    raise AssertionError("no port is free")


class ServerProcess:
    """`zermelo serve` on a free port, with its data in a directory of the test's own."""

    def __init__(self, data, command=SERVE, cwd=ROOT, **environment):
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=os.environ | {"ZERMELO_DATA": str(data), "ZERMELO_WARM_UP": "0"} | environment,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+) ", line).group(1))

    def descendants(self):
        """The ids of every process that came from this one."""
        found, fresh = set(), {self.process.pid}
        while fresh:
            found |= fresh
            fresh = {child for parent in fresh for child in children(parent)} - found
        return found - {self.process.pid}

    def send(self, number):
        self.process.send_signal(number)
        code = self.process.wait(TIMEOUT_S)
        self.process.stdout.close()
        return code

    def kill(self):
        return self.send(signal.SIGKILL)

    def stop(self):
        return self.send(signal.SIGTERM)

    def end(self):
        """Leave nothing running, also after a test that failed."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(TIMEOUT_S)
        self.process.stdout.close()


def children(pid):
    """The child processes, as the kernel lists them."""
    try:
        tasks = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return set()
    return {int(child) for text in tasks for child in text.split()}


def is_alive(pid):
    """Whether the process still runs; one that only waits to be buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Browser:
    """Cookies, and forms sent from our own pages. A connection that breaks raises OSError."""

    def __init__(self, port):
        self.port = port
        self.cookies = {}  # by name

    def request(self, method, path, fields=None, **headers):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        headers |= {"Cookie": "; ".join(self.cookies.values()), "Sec-Fetch-Site": "same-origin"}
        body = None
        if fields is not None:
            body = urlencode(fields)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookies[cookie.partition("=")[0]] = cookie.partition(";")[0]
        return answer, text

    def begins(self, **fields):
        answer, text = self.request("POST", "/matches", fields)
        assert answer.status == 303, text
        return answer.headers["Location"]


def starvation():
    """Seconds that pass while this thread has one second of a processor."""
    begun, used = time.monotonic(), time.thread_time()
    while time.thread_time() - used < 0.005:
        pass
    return (time.monotonic() - begun) / (time.thread_time() - used)
