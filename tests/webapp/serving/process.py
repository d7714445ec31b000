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
from threading import Thread
from urllib.parse import urlencode

from webapp.config import JobSettings

ROOT = Path(__file__).resolve().parents[3]
TIMEOUT_S = 120  # on a machine that is busy
TICKS = os.sysconf("SC_CLK_TCK")  # of a second, in /proc
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


def starvation(seconds=0.005):
    """Seconds that pass while this thread has one second of a processor."""
    begun, used = time.monotonic(), time.thread_time()
    while time.thread_time() - used < seconds:
        pass
    return (time.monotonic() - begun) / (time.thread_time() - used)


class Neighbours:
    """How much of this machine others than a server and this process take, look by look.

    A server's jobs step back for whoever else is there: what these take is nothing that it could
    have given to them, whereas its own crowd counts against it. Where others are there, a process
    that steps back as jobs do says how long it waits itself.
    """

    LEAST = 0.05  # of the machine, that is always taken to be left
    QUIET = 1.2  # others who make it last less longer than that are none

    def __init__(self, server):
        self._server = server  # gives the ServerProcess that runs just now
        code = "from tests.webapp.serving.process import step_back; step_back()"
        self._lowly = subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self._said = []  # by it: when, and how many times as long as alone it took
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._ours, self._others = self._own(), 0.0
        self._machine = processors()
        self.looks = [(time.monotonic(), self._others, self._machine[1])]

    def close(self):
        self._lowly.kill()
        self._lowly.wait(TIMEOUT_S)
        self._listener.join(TIMEOUT_S)
        self._lowly.stdout.close()

    def _listen(self):
        for line in self._lowly.stdout:
            self._said.append(tuple(map(float, line.split())))

    def _own(self):
        return used({os.getpid(), self._lowly.pid, *family(self._server())})

    def look(self):
        at, mine = time.monotonic(), self._own()
        (busy, total), (was_busy, _) = processors(), self._machine
        own = max(0.0, mine - self._ours)  # less where a process was killed with all it had used
        self._others += max(0.0, busy - was_busy - own)
        self._machine, self._ours = (busy, total), mine
        self.looks.append((at, self._others, total))

    def stretch(self, begun, ended):
        """How many times as long as without them something may have taken in this time: 1 where
        nobody else worked."""
        before = [each for each in self.looks if each[0] <= begun] or self.looks[:1]
        after = [each for each in self.looks if each[0] >= ended] or self.looks[-1:]
        _, others, total = (new - old for old, new in zip(before[-1], after[0], strict=True))
        stretch = 1.0 if total <= 0 else 1 / max(self.LEAST, 1 - others / total)
        if stretch < self.QUIET:
            return stretch
        said = [times for at, times in tuple(self._said) if begun <= at <= ended + 1]
        return max([stretch, *([sum(said) / len(said)] if said else [])])


def processors():
    """Seconds that the processors of this process have been busy, and all that have passed."""
    numbers = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    lines = (line.split() for line in Path("/proc/stat").read_text().splitlines())
    ticks = [list(map(int, each[1:9])) for each in lines if each[0] in numbers]
    total, idle = sum(map(sum, ticks)), sum(each[3] + each[4] for each in ticks)
    return (total - idle) / TICKS, total / TICKS


def family(server):
    """The ids of a server's processes."""
    return {server.process.pid, *server.descendants()}


def used(pids):
    """Seconds that these processes, and those that have ended below them, have had."""
    found = 0
    for pid in pids:
        with suppress(OSError):
            told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            found += sum(map(int, told[11:15]))
    return found / TICKS


def step_back():
    """Say again and again how starved a process of a job's niceness is, until nobody listens."""
    os.nice(JobSettings().niceness)
    with suppress(OSError):
        while True:
            times = starvation(0.02)
            sys.stdout.write(f"{time.monotonic()} {times}\n")
            sys.stdout.flush()
            time.sleep(0.4)
