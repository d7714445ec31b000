"""The packages as `python -m build` makes them: an sdist, and a wheel from nothing but that."""

import shutil
import sys
import tarfile
import venv
import zipfile

import pytest

from tests.webapp.serving.process import ROOT, Browser, run_command
from webapp.serving.browser_files import FILES

# Builds once and installs, dependencies and all.
pytestmark = pytest.mark.soak

TARGETS = [target for _, target in FILES]


def run(*command, cwd=ROOT):
    done = run_command(*command, cwd=cwd)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Where the sdist and its wheel are."""
    place = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", place)
    return place


@pytest.fixture(scope="module")
def wheel(built):
    return next(built.glob("zermelo-*.whl"))


@pytest.mark.parametrize("target", TARGETS)
def test_the_sdist_carries_the_browser_files(built, target):
    with tarfile.open(next(built.glob("zermelo-*.tar.gz"))) as sdist:
        assert [name for name in sdist.getnames() if name.endswith(f"/{target}")]


@pytest.mark.parametrize("package", ["engine", "agents", "webapp"])
def test_the_wheel_says_that_its_packages_are_typed(wheel, package):
    assert f"{package}/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_a_page_is_served_from_the_wheel_alone(serve, wheel, tmp_path):
    place = tmp_path / "environment"
    venv.create(place)
    python = place / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "-q", "--no-compile", wheel, cwd=tmp_path)
    assert "site-packages" in run(
        python, "-c", "import webapp; print(webapp.__file__)", cwd=tmp_path
    )
    command = [place / "bin" / "zermelo", "serve", "--no-open", "--port", "0"]
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


@pytest.fixture
def bare(tmp_path):
    """As much of a source tree as a build begins with, and no browser files."""
    for name in ("pyproject.toml", "hatch_build.py", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    for package in ("engine", "webapp"):
        shutil.copytree(ROOT / package, tmp_path / package)
    return tmp_path


def test_without_the_browser_files_nothing_is_built(bare):
    done = run_command(sys.executable, "-m", "hatchling", "build", "-t", "sdist", cwd=bare)
    assert done.returncode == 1
    assert done.stdout + done.stderr == (
        f"not built without {TARGETS[0]}: "
        "`python -m webapp.serving.browser_files` fetches what is missing\n"
    )
    assert list(bare.glob("dist/*")) == []
