"""Packages that a page of the documentation writes out, installed as written."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PIP = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation")


def install(page: str, place: Path) -> Path:
    """Where the named blocks of the page, each with its name above it, were installed to."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    source, target = place / "package", place / "installed"
    source.mkdir()
    for name, block in re.findall(r"(?ms)^`([^`\n]+)`\n\n```\w+\n(.*?)^```", text):
        (source / name).write_text(block, encoding="utf-8")
    command = [sys.executable, *PIP, "--target", str(target), str(source)]
    subprocess.run(command, check=True, timeout=300)
    return target


def zermelo(installed: Path, *words: str, **settings: str) -> str:
    """What the command prints where the package is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "webapp", *words],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(installed), **settings},
    )
    return done.stdout
