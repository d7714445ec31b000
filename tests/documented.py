"""Packages that a page of the documentation writes out, installed as written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.webapp.serving.process import ROOT, run_command

PIP = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation")


def blocks(page: str) -> dict[str, str]:
    """The blocks of a page of the documentation, by the name above each."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return dict(re.findall(r"(?ms)^`([^`\n]+)`\n\n```\w+\n(.*?)^```", text))


def write(page: str, place: Path) -> None:
    """Write the blocks of a page as files."""
    for name, text in blocks(page).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")


def install(page: str, place: Path) -> Path:
    """Where the package of a page was installed to, as anyone would."""
    source, target = place / "package", place / "installed"
    write(page, source)
    command = [sys.executable, *PIP, "--target", str(target), str(source)]
    subprocess.run(command, check=True, timeout=300)
    return target


def register(target: Path, name: str, group: str, **points: str) -> None:
    """Make the entry points of a module known, without an installer, which takes seconds."""
    info = target / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    lines = [f"[{group}]", *(f"{point} = {value}" for point, value in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")


def zermelo(installed: Path, *words: str, typed: str | None = None, **settings: str) -> str:
    """What the command prints where the package is installed."""
    command = (sys.executable, "-m", "webapp", *words)
    done = run_command(*command, typed=typed, PYTHONPATH=str(installed), **settings)
    assert (done.returncode, done.stderr) == (0, "")
    return str(done.stdout)
