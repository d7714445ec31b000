"""The command line as the tests call it: within this process, or as a process of its own."""

import json
import os
import subprocess
import sys

from click.testing import CliRunner

from tests.webapp.serving.process import ROOT
from webapp.cli import cli


def zermelo(*arguments, typed=None):
    """The result of one command: exit_code, stdout, stderr."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], input=typed)


def document(*arguments):
    """What a command prints with --json, read."""
    result = zermelo(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def assert_one_line(result, why=""):
    """Bad input: exit code 2, nothing but one line that can be read."""
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("zermelo: ")
    assert result.stderr.strip().isprintable()
    assert len(result.stderr) < 450
    assert why in result.stderr


def process(*arguments, environment=(), **settings):
    """The command started as a person starts it, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "webapp", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | dict(environment),
        start_new_session=True,
        **settings,
    )
