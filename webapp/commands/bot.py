"""`zermelo bot`: a player of one's own, tried and played here, or on a server."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.formats import counted
from agents.players.spec import is_outside
from engine.catalog import all_variants
from engine.core import Game
from engine.options import Kind
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.match import match
from webapp.commands.options import GAME, Number, json_option, python_option, seed_option
from webapp.commands.output import paragraph, show_json, show_table

if TYPE_CHECKING:
    from agents.players.check import GameCheck


@click.group()
def bot() -> None:
    """A player of your own: a file with a function choose(turn)."""


command_option = click.option(
    "--command",
    help='In place of a file, a program: a turn as a line of JSON in, {"move": …} out.',
)
ugi_option = click.option(
    "--ugi", is_flag=True, help="The program speaks UGI, the Universal Game Interface."
)
seconds_option = click.option(
    "--seconds",
    type=Number(0.001, 3600, Kind.NUMBER),
    default=5.0,
    show_default=True,
    help="For one move.",
)


def player_text(player: str | None, command: str | None, *, ugi: bool) -> str:
    """The spec of a player that is a FILE or a program; raises UsageError."""
    if (player is None) == (command is None):
        raise click.UsageError("name a FILE, or a program with --command")
    if ugi and command is None:
        raise click.UsageError("--ugi is for a program: name it with --command")
    if command is not None:
        return f"{'ugi' if ugi else 'command'}={command}"
    assert player is not None
    return player if is_outside(player) else f"./{player}"


@bot.command("play")
@click.argument("player", metavar="[FILE]", required=False)
@command_option
@ugi_option
@click.option("--against", required=True, help="The opponent, as in `perfect`, or another file.")
@click.option("--game", type=GAME, default="tictactoe", show_default=True, help="What they play.")
@click.option("--games", type=Number(1, 100_000), default=20, show_default=True, help="How many.")
@seconds_option
@seed_option
@python_option
@json_option
@click.pass_context
def play(
    ctx: click.Context,
    *,
    player: str | None,
    command: str | None,
    ugi: bool,
    against: str,
    game: Game[Any, Any],
    games: int,
    seconds: float,
    seed: int,
    python: str | None,
    as_json: bool,
) -> None:
    """Let a player's FILE, or a program, play a number of games here."""
    ctx.invoke(
        match,
        game=game,
        one=player_text(player, command, ugi=ugi),
        two=against,
        games=games,
        seed=seed,
        python=python,
        depth=None,
        nodes=None,
        seconds=seconds,
        as_json=as_json,
    )


@bot.command("check")
@click.argument("player", metavar="[FILE]", required=False)
@command_option
@ugi_option
@click.option("--game", type=GAME, help="Only this one.  [default: every game it plays]")
@seconds_option
@python_option
@json_option
def check(
    *,
    player: str | None,
    command: str | None,
    ugi: bool,
    game: Game[Any, Any] | None,
    seconds: float,
    python: str | None,
    as_json: bool,
) -> None:
    """Ask a player's FILE, or a program, in 200 positions of every game it plays.

    Says the line and the position of each failure; exit code 1 if there is one.
    """
    from agents.players.check import check_game
    from agents.players.process import log_path
    from agents.players.sandbox import isolation_text
    from agents.players.spec import read_outside, with_python

    spec = player_text(player, command, ugi=ugi)
    if command is not None and game is None:
        raise click.UsageError("say with --game what the program plays")
    outside = read_outside(with_python(spec, python))
    with prompt_interrupts():
        games = [game] if game else all_variants()
        checks = [check_game(outside, each, seconds=seconds) for each in games]
    failed = any(each.failures for each in checks) or all(each.refused for each in checks)
    if as_json:
        show_json({"player": spec, "games": [asdict(each) for each in checks]})
    else:
        _show(checks)
        click.echo(f"\nWhat it printed is in {log_path(outside)}.")
        click.echo(paragraph(f"It ran under these limits: {isolation_text()}."))
    if failed:
        raise click.exceptions.Exit(1)


@bot.command("join")
@click.argument("player", metavar="[FILE]", required=False)
@click.option(
    "--command",
    help='In place of a file, a program: a turn as a line of JSON in, {"move": …} out.',
)
@ugi_option
@click.option("--to", "address", required=True, help="The server, as in http://10.0.0.5:8000.")
@click.option("--code", default="", help="That of a class, a league or the server.")
@click.option("--name", help="Under which it plays; without it, the file's name.")
@click.option("--game", "games", type=GAME, multiple=True, help="Only this; may be given again.")
@python_option
def join(
    *,
    player: str | None,
    command: str | None,
    ugi: bool,
    address: str,
    code: str,
    name: str | None,
    games: tuple[Game[Any, Any], ...],
    python: str | None,
) -> None:
    """Let a player's FILE, or a program, play on a server until Ctrl-C.

    It runs on this computer. When the server is away, it waits and goes on.
    """
    from agents.compute.paths import data_dir
    from agents.players.spec import read_outside, with_python
    from webapp.api.client import Connection, RefusedError
    from webapp.commands.joined_bot import JoinedBot, LocalPlayer, games_of

    spec = with_python(player_text(player, command, ugi=ugi), python)
    outside = read_outside(spec)
    plays = [game.spec for game in games] or games_of(spec)
    place = outside.path or Path(outside.command[0])
    local = LocalPlayer(spec)
    try:
        connection = Connection(address, click.echo)
        tokens = str(data_dir() / "bots.json")
        joined = JoinedBot(
            connection, name or place.stem, code, plays, local, click.echo, tokens=tokens
        )
        joined.join()
        click.echo("waiting for games; Ctrl-C ends it")
        with prompt_interrupts():
            joined.play()
    except (RefusedError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    finally:
        local.close()


def _show(checks: list[GameCheck]) -> None:
    rows = [
        (each.game, str(each.asked), str(len(each.failures)), f"{each.slowest:.3f} s")
        for each in checks
        if not each.refused
    ]
    refused = [each for each in checks if each.refused]
    if rows:
        show_table(("game", "positions", "failures", "slowest"), rows, "<>>>")
        if refused:
            click.echo(f"\nIt does not play {counted(len(refused), 'other game', 'other games')}.")
    for why in dict.fromkeys(each.refused for each in refused if not rows):
        click.echo(paragraph(f"It plays none of them: {why}."))
    for (why, trace), places in _by_reason(checks).items():
        click.echo()
        more = len(places) - 1
        also = f" The same in {counted(more, 'more position', 'more positions')}." if more else ""
        click.echo(paragraph(f"{places[0]}: {why}.{also}"))
        if trace:
            click.echo("".join(f"    {line}\n" for line in trace.splitlines()))


def _by_reason(checks: list[GameCheck]) -> dict[tuple[str, str], list[str]]:
    """Where a player failed, as `tictactoe, x../.../... o`, by what went wrong."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in checks:
        for failure in each.failures:
            key = (failure.why, failure.traceback)
            found.setdefault(key, []).append(f"{each.game}, {failure.position}")
    return found
