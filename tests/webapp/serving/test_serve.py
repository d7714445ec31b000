"""`zermelo serve`: what it needs, and what it says where that is missing."""

import signal
import socket
from shutil import copyfile

import pytest

from tests.soak import sampled
from tests.webapp.serving.process import SERVE, Browser, eventually, run_command
from webapp.serving.network import browser_address, local_names


def complaint(data, *arguments, **environment):
    """What `zermelo serve` says instead of serving."""
    done = run_command(*SERVE[:-2], *arguments, ZERMELO_DATA=str(data), **environment)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.slow
def test_a_port_in_use_is_one_clear_line(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert f"cannot serve on 127.0.0.1:{port}" in complaint(tmp_path, "--port", port)


SETTINGS = {
    "workers": ("WORKERS", "none", "ZERMELO_WORKERS is a number from 1 to 256"),
    "address": ("DATABASE_URL", "a file", "'a file' is no address of a database"),
    "directory": ("DATABASE_URL", "sqlite:////nowhere/x.sqlite", "does not open"),
    "server": ("DATABASE_URL", "postgres://me:word@127.0.0.1:1/x", "does not open"),
}
FILES = {
    "no database": ("zermelo.sqlite", b"no database at all " * 500, "file is not a database"),
    "damaged": ("zermelo.sqlite", None, "does not open"),
    "empty key": ("secret.key", b"", "secret.key holds no key"),
    "no ASCII": ("secret.key", "ключ".encode() * 20, "secret.key holds no key"),
}


@pytest.mark.slow
@pytest.mark.parametrize("setting", sampled(SETTINGS, "server"))
def test_a_setting_that_does_not_work_is_one_clear_line(tmp_path, setting):
    name, value, words = setting
    said = complaint(tmp_path, "--port", "0", **{f"ZERMELO_{name}": value})
    assert words in " ".join(said.split())
    assert "word@" not in said


@pytest.mark.slow
@pytest.mark.parametrize("file", sampled(FILES, "empty key", "damaged"))
def test_a_file_that_is_not_what_it_must_be_is_one_clear_line(tmp_path, upgraded, file):
    name, content, words = file
    if content is None:
        content = bytearray(upgraded.read_bytes())
        content[100:4096] = b"\xff" * 3996
    (tmp_path / name).write_bytes(content)
    said = complaint(tmp_path, "--port", "0")
    assert said.count("\n") == 1
    assert words in said


@pytest.mark.slow
def test_behind_a_proxy_the_visitors_own_address_is_used(serve, tmp_path):
    server = serve(tmp_path, ZERMELO_PROXY="1", ZERMELO_TRUSTED_HOSTS="zermelo.example")
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "zermelo.example"}
    answer, _ = Browser(server.port).request("GET", "/healthz", **forwarded)
    assert server.send(signal.SIGINT) == 0
    assert answer.status == 200
    assert answer.headers["Strict-Transport-Security"]


def test_one_host_is_known_by_its_name():
    assert local_names("192.0.2.7") == ("192.0.2.7",)
    assert local_names("::1") == ("[::1]",)
    assert browser_address("::1") == "[::1]"


def test_listening_everywhere_trusts_this_machines_names():
    assert socket.gethostname() in local_names("0.0.0.0")
    assert browser_address("0.0.0.0") not in ("0.0.0.0", "")


@pytest.mark.soak
def test_the_first_start_works_out_the_endgames_behind_the_pages(serve, one_blank, tmp_path):
    """From the packed file, which takes seconds; what is solved from nothing has its own tests."""
    for packed in one_blank.glob("*.xz"):
        copyfile(packed, tmp_path / packed.name)
    server = serve(tmp_path, ZERMELO_WARM_UP="1", ZERMELO_ENDGAMES="1")
    answer, _ = Browser(server.port).request("GET", "/")
    assert answer.status == 200
    eventually((tmp_path / "quixo-5x5-1.table").is_file)  # every agent is asked first
    assert server.stop() == 0
