"""Requests take turns by address and by visitor; health checks and bots have their own thread."""

from collections import Counter
from http.client import HTTPConnection
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from flask import Flask, request

from webapp.config import HttpLimits
from webapp.serving.http_limits import LimitedChannel
from webapp.serving.server import Server
from webapp.serving.turns import WAITING_BOTS, AnswersFirst, FairTurns, party_of


def turns(*tasks):
    queue = FairTurns(lambda task: task[:2])
    for task in tasks:
        queue.append(task)
    return queue


def emptied(queue):
    return [queue.popleft() for _ in range(len(queue))]


def test_addresses_take_turns_then_their_visitors():
    flood = [("near", "a", number) for number in range(4)]
    queue = turns(*flood, ("near", "b", 0), ("far", "c", 0), ("far", "c", 1))
    assert emptied(queue) == [
        ("near", "a", 0),
        ("far", "c", 0),
        ("near", "b", 0),
        ("far", "c", 1),
        ("near", "a", 1),
        ("near", "a", 2),
        ("near", "a", 3),
    ]
    assert not queue
    with pytest.raises(IndexError):
        queue.popleft()


def test_whoever_comes_late_waits_for_one_request_of_each_other_party():
    queue = turns(*[("near", "", number) for number in range(200)])
    queue.popleft()
    queue.append(("near", "player", 0))
    queue.append(("far", "", 0))
    assert [queue.popleft()[:2] for _ in range(3)] == [
        ("near", ""),
        ("far", ""),
        ("near", "player"),
    ]


def test_what_an_address_or_a_visitor_has_too_much_of_waits_until_something_ended():
    queue = FairTurns(lambda task: task[:2], most=3, each=2)
    for name in ("a1", "a2", "a3", "b1", "c1"):
        queue.append(("near", name[0], name))
    queue.append(("far", "d", "d1"))
    taken = [queue.take() for _ in range(4)]
    assert [task[2] for _, task in taken] == ["a1", "d1", "b1", "c1"]
    assert (bool(queue), len(queue)) == (False, 2)
    with pytest.raises(IndexError):
        queue.take()
    queue.done(taken[2][0])  # b1: the address has room
    second, task = queue.take()
    assert task[2] == "a2"
    queue.done(taken[3][0])  # c1: the visitor has not
    assert not queue
    queue.done(second)
    assert queue.take()[1][2] == "a3"


def test_answers_of_bots_go_first_and_every_fourth_is_one_who_asks():
    queue = AnswersFirst(lambda task: ("near", task.name))

    def put(method, name):
        queue.append(SimpleNamespace(name=name, requests=[SimpleNamespace(command=method)]))

    for number in range(3):
        put("GET", f"asks {number}")
    for number in range(5):
        put("POST", f"answers {number}")
    assert len(queue) == 8
    assert [task.name for task in emptied(queue)] == [
        *("answers 0", "answers 1", "answers 2", "asks 0"),
        *("answers 3", "answers 4", "asks 1", "asks 2"),
    ]
    with pytest.raises(IndexError):
        queue.popleft()


def channel(address="192.0.2.1", **headers):
    request = SimpleNamespace(headers=headers, path="/")
    return SimpleNamespace(addr=(address, 1), requests=[request])


def test_a_party_is_a_network_and_a_cookie():
    plain = party_of(channel(), behind_proxy=False)
    assert plain == ("192.0.2.1", "")
    cookie = {"COOKIE": "other=1; zermelo-player=abc.def"}
    known = party_of(channel(**cookie), behind_proxy=False)
    assert known[0] == plain[0]
    assert known[1]
    assert "abc" not in known[1]
    token = party_of(channel(AUTHORIZATION="Bearer zb_secret"), behind_proxy=False)
    assert token[0] == plain[0]
    assert len({plain[1], known[1], token[1]}) == 3
    assert "secret" not in token[1]
    forwarded = channel(X_FORWARDED_FOR="203.0.113.9, 198.51.100.7")
    assert party_of(forwarded, behind_proxy=True)[0] == "198.51.100.7"
    assert party_of(forwarded, behind_proxy=False)[0] == "192.0.2.1"
    near = [party_of(channel(f"2001:db8::{n}"), behind_proxy=False) for n in (1, 2)]
    assert near[0] == near[1]


@pytest.fixture
def threads():
    return 1


@pytest.fixture
def busy(threads):
    """A server with so many web threads, its port, and an event that lets slow requests end."""
    app, release, order = Flask("busy"), Event(), []

    @app.get("/slow")
    def slow():
        order.append("slow")
        release.wait(60)
        return "slow"

    @app.get("/who")
    def who():
        order.append("who")
        return "who"

    @app.get("/api/1/turn")
    def turn():
        waiting = request.environ[WAITING_BOTS]
        order.append("turn")
        release.wait(60)
        return str(waiting)

    @app.get("/healthz")
    def up():
        return "ok"

    server = Server("127.0.0.1", 0, HttpLimits(), threads=threads, behind_proxy=False)
    thread = Thread(target=server.run, args=(app,))
    thread.start()
    yield SimpleNamespace(port=server.port, release=release, order=order)
    release.set()
    server.stop()
    thread.join()


@pytest.fixture
def asked(busy):
    """Opens a connection and sends a request; all are closed."""
    opened = []

    def ask(path, cookie="", address="127.0.0.1"):
        where = (address, 0)
        opened.append(HTTPConnection("127.0.0.1", busy.port, timeout=120, source_address=where))
        opened[-1].request("GET", path, headers={"Cookie": cookie} if cookie else {})
        return opened[-1]

    yield ask
    for connection in opened:
        connection.close()


def test_a_health_check_is_answered_while_every_web_thread_is_busy(busy, asked):
    held = [asked("/slow") for _ in range(3)]
    assert asked("/healthz").getresponse().read() == b"ok"
    busy.release.set()
    assert [each.getresponse().read() for each in held] == [b"slow"] * 3


def test_a_turn_of_a_bot_is_told_how_many_wait(busy, asked):
    first = asked("/api/1/turn")
    while not busy.order:
        pass
    others = [asked("/api/1/turn") for _ in range(2)]
    assert asked("/healthz").getresponse().read() == b"ok"
    busy.release.set()
    assert [each.getresponse().read() for each in (first, *others)] == [b"0", b"1", b"0"]


def test_while_bots_are_served_pages_are_too(busy, asked):
    held = [asked("/api/1/turn") for _ in range(3)]
    assert asked("/who").getresponse().read() == b"who"
    busy.release.set()
    assert all(each.getresponse().status == 200 for each in held)


def test_connections_that_wait_cost_nothing_while_others_are_served(busy, asked, monkeypatch):
    idle = [asked("/healthz") for _ in range(20)]
    assert all(each.getresponse().read() == b"ok" for each in idle)
    ports = {each.sock.getsockname()[1] for each in idle}
    looks, readable = Counter(), LimitedChannel.readable

    def counted(channel):
        looks[channel.addr[1]] += 1
        return readable(channel)

    monkeypatch.setattr(LimitedChannel, "readable", counted)
    for _ in range(50):
        assert asked("/who").getresponse().read() == b"who"
    assert sum(looks[port] for port in ports) <= len(ports)  # those whose end was not seen yet
    assert sum(looks.values()) >= 50


def test_a_visitor_is_answered_before_the_rest_of_a_flood(busy, asked):
    held = [asked("/slow") for _ in range(20)]
    while not busy.order:
        pass
    flood_is_queued = asked("/healthz").getresponse()  # later than these
    assert flood_is_queued.status == 200
    visitor = asked("/who", "zermelo-player=someone")
    assert asked("/healthz").getresponse().status == 200
    busy.release.set()
    assert visitor.getresponse().read() == b"who"
    assert all(each.getresponse().read() == b"slow" for each in held)
    assert busy.order.index("who") <= 2


@pytest.mark.parametrize("threads", [4])
def test_however_long_they_take_neither_a_visitor_nor_an_address_holds_every_thread(busy, asked):
    """A file of megabytes, asked for over and over, would keep everyone else out."""

    def hold(count, *cookies):
        held = [asked("/slow", cookie) for cookie in cookies]
        while busy.order.count("slow") < count:
            pass
        assert asked("/healthz").getresponse().status == 200  # all of them are queued
        return held

    held = hold(2, *["zermelo-player=flood"] * 8)
    assert asked("/who", "zermelo-player=other").getresponse().read() == b"who"
    held += hold(3, *[f"zermelo-player={number}" for number in range(8)])
    assert asked("/who", address="127.0.0.2").getresponse().read() == b"who"
    assert busy.order.count("slow") == 3
    busy.release.set()
    assert all(each.getresponse().read() == b"slow" for each in held)
