"""The wheel: built, installed in an empty environment, and a page served from it."""

import subprocess
import sys
import venv

import pytest

from tests.webapp.serving.process import ROOT, Browser

pytestmark = pytest.mark.soak  # builds and installs, dependencies and all


def run(*command, cwd=ROOT):
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_a_page_is_served_from_the_wheel_alone(serve, tmp_path):
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", tmp_path, ROOT)
    wheel = next(tmp_path.glob("zermelo-*.whl"))
    place = tmp_path / "environment"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    assert "site-packages" in run(
        python, "-c", "import webapp; print(webapp.__file__)", cwd=tmp_path
    )
    command = [python, "-m", "webapp.cli", "serve", "--no-open", "--port", "0"]
    server = serve(tmp_path / "data", command, cwd=tmp_path, PYTHONPATH="")
    browser = Browser(server.port)
    page, text = browser.request("GET", "/")
    assert page.status == 200
    assert "Three small games" in text
    script, text = browser.request("GET", "/static/vendor/htmx.min.js")
    assert script.status == 200
    assert "htmx" in text
    path = browser.begins(game="tictactoe", opponent="random")
    moved, _ = browser.request("POST", f"{path}/moves", {"move": "b2", "revision": 0})
    assert moved.status == 303
    assert server.stop() == 0
