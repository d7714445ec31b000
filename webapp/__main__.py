"""Entry point of `zermelo`: checks that the packages found are ours before importing any.

`engine` and `agents` are plain names. Another distribution with a package of that name (such as
openai-agents) may come first on the path, or have been installed over ours.
"""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

BAD_INPUT = 2
INSTALL_DIR = Path(__file__).resolve().parents[1]
MARKERS = {"engine": "load_game", "agents": "load_agent"}  # names that only our packages have


def main() -> None:
    """The `zermelo` script."""
    for name in MARKERS:
        if (why := package_fault(name)) is not None:
            sys.stderr.write(f"zermelo: {why}: install zermelo in an environment of its own\n")
            sys.exit(BAD_INPUT)
    from webapp.cli import main as command_line

    command_line()


def package_fault(name: str) -> str | None:
    """Why the package of this name is not ours, read without importing it; None if it is."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return f"the package {name} is missing"
    found = Path(spec.origin)
    is_beside = found.resolve().parents[1] == INSTALL_DIR
    if is_beside and MARKERS[name] in found.read_text(encoding="utf-8", errors="replace"):
        return None
    owners = sorted({*packages_distributions().get(name, ())} - {"zermelo"})
    owner = " or ".join(owners) or "something else"
    return f"{owner} has put a package {name} in the place of ours ({found.parent})"


if __name__ == "__main__":
    main()
