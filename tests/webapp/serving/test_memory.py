"""Servers that are fuzzed from outside: nothing fails, and no process outgrows its bound."""

import logging
from collections import Counter, defaultdict
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from urllib.parse import quote, unquote, urlencode, urlsplit

import pytest
from flask import Response
from werkzeug.exceptions import HTTPException as WrongAddress

from agents.compute.child_process import memory_of
from tests.soak import lessened
from tests.webapp.fuzzer import Fuzzer
from tests.webapp.lab.mutants import mutant
from tests.webapp.serving.process import ROOT, children
from tests.webapp.serving.test_processes import GunicornProcess

pytestmark = pytest.mark.soak
log = logging.getLogger(__name__)

SEEDS = lessened(range(11, 16), range(11, 12))
REQUESTS, MUTANTS = lessened(10_000, 500), lessened(500, 15)  # of each seed, of each brain
BRAINS = ("menace", "es-mix", "es-rules", "state-value")  # that keep different things
LARGEST_PAGE = 1 << 20  # bytes
MAX_WEB_MB = 600  # of a web process
MAX_MB = 1000  # of any: those that think are replaced after an answer with 700
OFTEN, SHARE = "10000/10000", "10000/10000,10000/10000,10000/10000"
SETTINGS = {
    "ZERMELO_THINK_SECONDS": "0.2",
    "ZERMELO_ENDGAMES": "0",
    **dict.fromkeys(
        (
            *("ZERMELO_PLAYER_REQUESTS", "ZERMELO_ADDRESS_REQUESTS", "ZERMELO_PLAYER_MATCHES"),
            *("ZERMELO_ADDRESS_MATCHES", "ZERMELO_ADDRESS_NEWCOMERS", "ZERMELO_TOKEN_REQUESTS"),
            "ZERMELO_ADDRESS_TOKEN_REQUESTS",
        ),
        OFTEN,
    ),
    **dict.fromkeys(
        (
            *("ZERMELO_RATE_JOBS", "ZERMELO_RATE_UPLOADS", "ZERMELO_RATE_CLASSES"),
            *("ZERMELO_RATE_SEATS", "ZERMELO_RATE_BOTS"),
        ),
        SHARE,
    ),
}
KEPT_IN_A_PATH = "/?&=%:;,+~@!$'()*-._"


class Answer(Response):
    """As a test client's."""

    @property
    def text(self):
        return self.get_data(as_text=True)


class Site:
    """A server with the interface of an app, as far as the fuzzer needs one."""

    def __init__(self, port, url_map):
        self.port, self.url_map = port, url_map

    def test_client(self, *, use_cookies=True):
        return Client(self.port, use_cookies)


class Client:
    """Sends over HTTP what a test client would within the process."""

    def __init__(self, port, use_cookies):
        self.port, self.use_cookies, self.cookies = port, use_cookies, {}

    def open(self, path, method="GET", headers=(), data=None, content_type=None):
        headers = dict(headers)
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={text}" for name, text in self.cookies.items())
        if isinstance(data, dict):
            data = urlencode(data, errors="surrogatepass")
            content_type = "application/x-www-form-urlencoded"
        if content_type is not None:
            headers["Content-Type"] = content_type
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, quote(path, safe=KEPT_IN_A_PATH), data, headers)
            told = connection.getresponse()
            answer = Answer(told.read(), told.status, told.getheaders())
        finally:
            connection.close()
        if self.use_cookies:
            for cookie in told.headers.get_all("Set-Cookie", []):
                name, _, text = cookie.partition(";")[0].partition("=")
                self.cookies[name] = text
        return answer


@contextmanager
def watched(pid):
    """While it lasts, note the most that every process of this family holds: MB by its id."""
    most, ending = defaultdict(int), Event()

    def watch():
        while not ending.wait(0.2):
            family, fresh = set(), {pid}
            while fresh:
                family |= fresh
                fresh = {child for parent in fresh for child in children(parent)} - family
            for each in family:
                most[each] = max(most[each], memory_of(each) >> 20)

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        ending.set()
        watcher.join()


def is_fine(answer):
    busy = answer.status_code == 503 and "Retry-After" in answer.headers
    return (answer.status_code < 500 or busy) and len(answer.data) < LARGEST_PAGE


def fuzz(site):
    """Every route, then brains that were tampered with; how often each status came, the routes that
    were asked for, and the bytes of the largest page."""
    statuses, sizes = Counter(), []
    routes = site.url_map.bind("127.0.0.1")
    asked = set()

    def note(sent, answer):
        assert is_fine(answer), (sent, answer.status_code, len(answer.data))
        statuses[answer.status_code] += 1
        sizes.append(len(answer.data))

    for seed in SEEDS:
        fuzzer = Fuzzer(site, seed)
        for number in range(REQUESTS):
            try:
                (method, path, fields), answer = fuzzer.step()
            except (HTTPException, UnicodeError):  # an address or a header that cannot be sent
                continue
            note((seed, number, method, path, fields), answer)
            with suppress(WrongAddress):
                asked.add(routes.match(unquote(urlsplit(path).path), method, True)[0].rule)
    sender = site.test_client()
    for brain in BRAINS:
        data = min((ROOT / "agents/brains_shipped").glob(f"{brain}.*.npz")).read_bytes()
        for number in range(MUTANTS):
            answer = sender.open(
                "/brains/upload",
                "POST",
                {"Sec-Fetch-Site": "same-origin"},
                file_form(mutant(data, number)),
                "multipart/form-data; boundary=mutant",
            )
            note((brain, number), answer)
    rules = {rule.rule for rule in site.url_map.iter_rules() if "static" not in rule.endpoint}
    return statuses, len(asked & rules) / len(rules), max(sizes)


def file_form(data):
    head = b'--mutant\r\nContent-Disposition: form-data; name="file"; filename="b.npz"\r\n\r\n'
    return head + data + b"\r\n--mutant--\r\n"


def holds(pid, web, port, url_map):
    with watched(pid) as most:
        statuses, visited, largest = fuzz(Site(port, url_map))
    told = [most[each] for each in web()]
    log.info(
        "%s; %.0f %% of the routes; largest page %d bytes; web processes %s MB; all %s MB",
        *(dict(statuses), 100 * visited, largest, told, sorted(most.values())),
    )
    assert statuses[200] > REQUESTS / 10
    assert visited > 0.5
    assert max(told) < MAX_WEB_MB
    assert max(most.values()) < MAX_MB


@pytest.fixture
def url_map(app):
    return app.url_map


def test_no_process_outgrows_its_bound(serve, tmp_path, url_map):
    server = serve(tmp_path, **SETTINGS)
    holds(server.process.pid, lambda: [server.process.pid], server.port, url_map)
    assert server.stop() == 0


def test_no_process_of_several_outgrows_its_bound(postgres, tmp_path, url_map):
    pytest.importorskip("gunicorn", reason="the extra [production] is not installed")
    server = GunicornProcess(tmp_path, postgres, **SETTINGS)
    try:
        holds(server.process.pid, server.web_processes, server.port, url_map)
    finally:
        server.stop()
