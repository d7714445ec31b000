"""`python -m benchmarks.guard`: see the package."""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

from benchmarks.guard import __doc__ as about
from benchmarks.guard.compare import count_files, differences

# The longest first, so that none is left alone at the end.
SECTIONS = (
    *("analysis", "machines", "play", "positions", "classroom", "teaching", "optimise", "commands"),
    *("lab", "learn", "arena", "lobby", "friends", "guide"),
)
PATIENCE = 1800.0  # seconds for one section
# Nothing of this machine or of its user is read.
STILL = {
    "PYTHONHASHSEED": "0",
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "80",
    "NO_COLOR": "1",
    "ZERMELO_ENDGAMES": "0",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.guard", description=about.partition("\n")[0])
    parser.add_argument("outdir", nargs="?", type=Path, help="an empty directory, or a new one")
    parser.add_argument("sections", nargs="*", help=f"of {', '.join(SECTIONS)}; else all")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("DIR_A", "DIR_B"))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--slowest", type=int, default=0, help="name so many slow requests")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.compare:
        return compare(*chosen.compare)
    if chosen.outdir is None:
        parser.error("say where to write, or --compare two directories")
    if chosen.here:
        (name,) = chosen.sections
        record_here(name, chosen.outdir, chosen.slowest)
        return 0
    wanted = tuple(chosen.sections) or SECTIONS
    if unknown := set(wanted) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}: there are {', '.join(SECTIONS)}")
    return record(wanted, chosen.outdir, chosen.workers, chosen.slowest)


def compare(before: Path, after: Path) -> int:
    """Print what differs; 1 if anything does."""
    found = list(differences(before, after))
    for diff in found:
        print(diff)
    print(f"{len(found)} of {max(count_files(before), count_files(after))} files differ")
    return 1 if found else 0


def record(sections: tuple[str, ...], outdir: Path, workers: int, slowest: int = 0) -> int:
    """Each section in a process of its own, where nothing was kept from before."""
    outdir.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(workers) as pool:
        failed = [
            name
            for name, well in pool.map(lambda n: record_apart(n, outdir, slowest), sections)
            if not well
        ]
    print(f"{count_files(outdir)} files in {outdir}")
    if failed:
        print(f"not recorded whole: {', '.join(failed)}")
    return 1 if failed else 0


def record_apart(name: str, outdir: Path, slowest: int) -> tuple[str, bool]:
    """One section, and whether it came to its end."""
    begun = time.monotonic()
    shutil.rmtree(outdir / name, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="zermelo-guard-") as data:
        environment = {key: value for key, value in os.environ.items() if key[:8] != "ZERMELO_"}
        environment |= STILL | {"ZERMELO_DATA": str(Path(data) / "data")}
        command = [sys.executable, "-m", "benchmarks.guard", "--here", str(outdir), name]
        command += ["--slowest", str(slowest)]
        try:
            ended = subprocess.run(
                command, env=environment, timeout=PATIENCE, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            ended = -1
    took = time.monotonic() - begun
    print(f"{name:10} {count_files(outdir / name):5} responses in {took:5.1f} s", flush=True)
    return name, ended == 0


def record_here(name: str, outdir: Path, slowest: int) -> None:
    """One section, in this process, whose clock and luck are fixed first."""
    from benchmarks.guard.fixed import FIXED, fix

    fix()
    FIXED.begin(name)
    from benchmarks.guard.record import Recorder, Section

    logging.disable()
    section = Section(Recorder(outdir / name), Path(os.environ["ZERMELO_DATA"]).parent / "apps")
    try:
        import_module(f"benchmarks.guard.sections.{name}").tour(section)
    finally:
        section.stop()
    for took, asked in sorted(section.took, reverse=True)[:slowest]:
        print(f"  {took:6.2f} s {asked}")


if __name__ == "__main__":
    sys.exit(main())
