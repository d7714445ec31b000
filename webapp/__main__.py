"""Where `zermelo` begins: before anything of ours is imported, a look at whether it is ours.

`engine` and `agents` are plain names. Another distribution with a package of that name (such as
openai-agents) may stand before ours on the path, or have been installed over it.
"""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

BAD_INPUT = 2
BESIDE_US = Path(__file__).resolve().parents[1]
DOORS = {"engine": "load_game", "agents": "load_agent"}  # which only our packages have


def main() -> None:
    """What the installed `zermelo` script calls."""
    for name in DOORS:
        if (why := wrong_with(name)) is not None:
            sys.stderr.write(f"zermelo: {why}: install zermelo in an environment of its own\n")
            sys.exit(BAD_INPUT)
    from webapp.cli import main as command_line

    command_line()


def wrong_with(name: str) -> str | None:
    """Why the package of this name is not ours. It is not imported: who knows what it does?"""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return f"the package {name} is missing"
    found = Path(spec.origin)
    beside_us = found.resolve().parents[1] == BESIDE_US
    if beside_us and DOORS[name] in found.read_text(encoding="utf-8", errors="replace"):
        return None
    owners = sorted({*packages_distributions().get(name, ())} - {"zermelo"})
    owner = " or ".join(owners) or "something else"
    return f"{owner} has put a package {name} in the place of ours ({found.parent})"


if __name__ == "__main__":
    main()
