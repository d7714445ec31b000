"""By which names we may be called."""

import socket
from http.client import HTTPConnection

import pytest

from tests.webapp.serving.process import SERVE
from tests.webapp.visitor import OWN_PAGE
from webapp.web.rate_limits import network_of
from webapp.web.security import LOOKUP_INTERVAL_S, TrustedHosts, is_trusted, normalised_host

NAMES = [
    normalised_host(name) for name in ("localhost", "[::1]", "fe80::7%eth0", ".school.example")
]
OURS = [
    *("localhost", "LOCALHOST:8000", "localhost:", "school.example", "a.school.example:443"),
    *("[::1]", "[::1]:8000", "::1", "[0:0:0:0:0:0:0:1]:8000", "[fe80::7]:80", "[fe80::7%eth1]"),
]
OTHERS = [
    *("", "[", "[::2]", "[::1", "::1]x", "[::1].evil", "[::1]evil", "[::1]:80@evil.example"),
    *(
        "[::1%@evil.example#]",
        "[::1%/]",
        "[::1%]",
        "[::1%eth0 ]",
        "[::1@evil.example]",
        "[]",
        "[%x]",
    ),
    *("evil.example", "notschool.example", "evil.example/.school.example", "localhost:80@evil"),
]


@pytest.mark.parametrize(
    ("host", "trusted"), [*((host, True) for host in OURS), *((host, False) for host in OTHERS)]
)
def test_a_name_of_ours_is_known_with_any_port_and_any_other_is_not(host, trusted):
    assert is_trusted(host, NAMES) is trusted


@pytest.mark.parametrize("host", [host for host in OTHERS if host])
def test_a_request_that_calls_us_otherwise_is_refused(app, host):
    """By us or by what reads its headers; no page of ours has a link to it."""
    answer = app.test_client().get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert "evil" not in answer.text


def test_a_new_address_of_this_machine_is_found_and_not_looked_for_each_time():
    found, looks, now = ["192.0.2.1"], [], [0.0]

    def look_up():
        looks.append(now[0])
        return found

    names = TrustedHosts((), look_up, clock=lambda: now[0])
    assert names.include("192.0.2.1:8000")
    assert not names.include("192.0.2.2:8000")
    found.append("192.0.2.2")
    assert not names.include("192.0.2.2:8000")
    now[0] = LOOKUP_INTERVAL_S
    assert names.include("192.0.2.2:8000")
    assert names.include("192.0.2.1:8000")
    assert looks == [0.0, LOOKUP_INTERVAL_S]


def test_forms_are_taken_from_a_page_at_an_ipv6_address(app):
    client = app.test_client()
    own = {"Host": "[::1]:8000", "Origin": "http://[::1]:8000"}
    assert client.post("/matches", data={"game": "nim"}, headers=own).status_code == 303
    other = own | {"Origin": "http://[::2]:8000"}
    assert client.post("/matches", data={"game": "nim"}, headers=other).status_code == 403


def test_the_link_to_send_around_has_the_address_in_brackets(app):
    client = app.test_client()
    own = OWN_PAGE | {"Host": "[::1]:8000"}
    path = client.post("/matches", data={"game": "nim"}, headers=own).location
    assert client.get(f"{path}.json", headers=own).json["url"] == f"http://[::1]:8000{path}"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
    ],
)
def test_addresses_that_one_visitor_may_have_count_as_one(address, network):
    assert network_of(address) == network


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_the_server_answers_on_an_ipv6_address(serve, tmp_path):
    server = serve(tmp_path, [*SERVE, "--host", "::1"])
    connection = HTTPConnection("::1", server.port, timeout=30)
    connection.request("GET", "/healthz", headers={"Host": f"[::1]:{server.port}"})
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"ok\n")
    connection.close()
