"""Chomp, as docs/adding-a-game.md writes it: its blocks as files, installed where a test wants."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOC = ROOT / "docs" / "adding-a-game.md"


def files() -> dict[str, str]:
    """The named blocks of the document, by the name above each."""
    found = re.findall(
        r"^`([^`\n]+)`\n\n```\w+\n(.*?)^```", DOC.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return dict(found)


def install(source: Path, target: Path, without: tuple[str, ...] = ()) -> Path:
    """Install the package into the target, or what is left of it without some of its files."""
    for name, text in files().items():
        if name not in without:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text, encoding="utf-8")
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [sys.executable, *command, "--target", str(target), str(source)], check=True, timeout=300
    )
    return target
