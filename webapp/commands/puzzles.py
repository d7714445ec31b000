"""`zermelo puzzles`: make, check and show puzzles."""

from __future__ import annotations

from typing import Any

import click

from agents.puzzles.models import LEVELS, Puzzle, Theme
from engine.catalog import load_game
from engine.core import Game
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import GAME, Number, json_option, seed_option
from webapp.commands.output import progress_bar, show_json, show_table

MAX_COUNT = 10_000
SHOWN = ("id", "game", "state", "theme", "level", "task", "solutions", "refutation")  # by `show`


@click.group()
def puzzles() -> None:
    """Positions with a task and one right move, proven."""


@puzzles.command()
@click.argument("game", type=GAME, required=False)
@seed_option
@click.option(
    "--count", type=Number(1, MAX_COUNT), default=100, show_default=True, help="At most so many."
)
def make(*, game: Game[Any, Any] | None, seed: int, count: int) -> None:
    """Print new puzzles of a GAME as JSON, spread over themes and levels.

    Without a GAME: the set that ships, whatever seed and count.
    """
    from agents.puzzles.collection import SHIPPED, SHIPPED_SEED, make_puzzles, puzzles_json

    wanted = {game: count} if game else {load_game(spec): SHIPPED[spec] for spec in SHIPPED}
    made: list[Puzzle] = []
    with prompt_interrupts():
        for each, number in wanted.items():
            with progress_bar(f"puzzles of {each.spec}") as progress:
                chosen = seed if game else SHIPPED_SEED
                made += make_puzzles(each, chosen, number, progress, without=made)
    click.echo(puzzles_json(made), nl=False)


@puzzles.command()
@click.argument("file", type=click.File(encoding="utf-8"), required=False)
def check(file: Any) -> None:
    """Prove again every puzzle of a FILE as `make` prints it, else of the set that ships."""
    from agents.puzzles.check import check_puzzles, read_puzzles
    from agents.puzzles.collection import shipped_puzzles

    found = shipped_puzzles() if file is None else read_puzzles(file.read())
    with prompt_interrupts(), progress_bar("proving") as progress:
        wrong = check_puzzles(found, progress)
    for puzzle, why in wrong:
        click.echo(f"{puzzle.id} {puzzle.game} {puzzle.state}: {why}")
    if wrong:
        raise click.ClickException(f"{len(wrong)} of {len(found)} puzzles are wrong")
    click.echo(f"{len(found)} puzzles are proven, no two of them alike.")


@puzzles.command()
@click.option("--game", type=GAME, help="Only of this game; without options, of all its variants.")
@click.option("--theme", type=click.Choice([theme.value for theme in Theme]), help="Only of this.")
@click.option("--level", type=Number(LEVELS[0], LEVELS[-1]), help="Only of this, 1 to 5.")
@json_option
def show(
    *, game: Game[Any, Any] | None, theme: str | None, level: int | None, as_json: bool
) -> None:
    """Show the puzzles that ship: how many of which kind, or all of them as JSON."""
    from agents.puzzles.collection import matching, shipped_puzzles

    found = list(matching(shipped_puzzles(), game.spec if game else None, theme, level))
    if as_json:
        shown = [puzzle.as_json() for puzzle in found]
        show_json([{name: each[name] for name in SHOWN} for each in shown])
        return
    rows: dict[tuple[str, str], list[int]] = {}
    for puzzle in found:
        rows.setdefault((puzzle.game, puzzle.theme), [0] * len(LEVELS))[puzzle.level - 1] += 1
    show_table(
        ("game", "theme", *(f"level {level}" for level in LEVELS), "all"),
        [
            (*kind, *(str(count or "") for count in counts), str(sum(counts)))
            for kind, counts in sorted(rows.items())
        ],
        "<<" + ">" * (len(LEVELS) + 1),
    )
    click.echo(f"\n{len(found)} puzzles; --json prints them with their solutions.")
