"""Another distribution's `agents` or `engine` in the place of ours: one line, no traceback."""

import os
import shutil
import sys
from importlib.metadata import entry_points

import pytest

from tests.webapp.serving.process import ROOT, run_command
from webapp import __main__ as start

FOREIGN = 'raise RuntimeError("imported, though nobody knows what it does")\n'


def zermelo(*path, cwd):
    """`zermelo --version` with these directories first on the path."""
    found = os.pathsep.join(map(str, path))
    return run_command(sys.executable, "-m", "webapp", "--version", cwd=cwd, PYTHONPATH=found)


def package(place, name, owner=None):
    """A package of that name there, and the distribution it came with."""
    (place / name).mkdir(parents=True, exist_ok=True)
    (place / name / "__init__.py").write_text(FOREIGN)
    if owner:
        known = place / f"{owner.replace('-', '_')}-1.0.dist-info"
        known.mkdir()
        (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {owner}\nVersion: 1.0\n")
        (known / "top_level.txt").write_text(f"{name}\n")
    return place


@pytest.fixture
def ours(tmp_path):
    """Our packages, as an environment has them."""
    place = tmp_path / "site-packages"
    for name in ("engine", "agents", "webapp"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    return place


def test_without_strangers_the_installed_command_begins(ours, tmp_path):
    (command,) = entry_points(group="console_scripts", name="zermelo")
    assert command.value == "webapp.__main__:main"
    done = zermelo(ours, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("zermelo ")


@pytest.mark.parametrize("name", ["engine", "agents"])
def test_a_stranger_earlier_on_the_path_is_named_in_one_line(name, ours, tmp_path):
    other = package(tmp_path / "other", name)
    done = zermelo(other, ours, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        f"zermelo: something else has put a package {name} in the place of ours "
        f"({other / name}): install zermelo in an environment of its own\n"
    )


def test_a_stranger_installed_over_ours_is_named_by_its_distribution(ours, tmp_path):
    package(ours, "agents", owner="openai-agents")
    done = zermelo(ours, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("zermelo: openai-agents has put a package agents in the place")
    assert done.stderr.count("\n") == 1


def test_a_package_that_is_missing_is_told_as_well(monkeypatch, capsys):
    monkeypatch.setattr(start, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "zermelo: the package engine is missing: install zermelo in an environment of its own\n"
    )
