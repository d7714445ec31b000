"""The `zermelo` command group, which prints errors as one line."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from engine.errors import InvalidSpecError, ZermeloError, unknown_text, without_controls
from webapp.commands.interrupts import INTERRUPTED, STOPPED

FAILED = 1
BAD_INPUT = 2
MAX_WORD_CHARS = 160
MAX_LINE_CHARS = 400


class Stopped(click.ClickException):
    """Interrupted by Ctrl-C."""

    exit_code = INTERRUPTED


class OneLineErrors(click.Command):
    """A command that prints expected errors as one line and exits with their code."""

    def main(self, *args: Any, **settings: Any) -> Any:
        _tolerate_encodings()
        try:
            code = super().main(*args, **(settings | {"standalone_mode": False}))
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "zermelo"
            message = f"{_usage_message(error)}: see {command} --help"
            code = _print_error(message, error.exit_code)
        except click.ClickException as error:
            code = _print_error(error.format_message(), error.exit_code)
        except click.Abort:
            code = _print_error(STOPPED, INTERRUPTED)
        except ZermeloError as error:
            code = _print_error(f"{error}{error.advice}", BAD_INPUT)
        except OSError as error:  # a full disk, a directory without permission
            _drop_output()
            code = _print_error(str(error), FAILED)
        sys.exit(code if isinstance(code, int) else 0)


# Command name: module of `webapp.commands`, whose function has either name.
COMMANDS = {
    "serve": "serve",
    "agents": "agents",
    "play": "play",
    "watch": "play",
    "bot": "bot",
    "ugi": "ugi",
    "analyse": "analyse",
    "match": "match",
    "arena": "arena",
    "train": "train",
    "solve": "solve",
    "draw": "draw",
    "puzzles": "puzzles",
    "export": "export",
    "optimise": "optimise",
    "class": "classroom",
    "assignment": "assignment",
    "jobs": "serve",
    "backup": "backup",
    "restore": "backup",
    "visitors": "visitors",
    "worker": "worker",
}


class Zermelo(OneLineErrors, click.Group):
    """Imports a command when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"webapp.commands.{COMMANDS[name]}")
        command: click.Command = getattr(module, name if hasattr(module, name) else COMMANDS[name])
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and args[0] not in COMMANDS:
            raise InvalidSpecError(args[0], unknown_text("command", args[0], COMMANDS))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:  # as after `>&-`
                sys.stdout.flush()
        except KeyboardInterrupt:
            raise Stopped(STOPPED) from None
        except BrokenPipeError:  # the reader of our output has gone, as in `| head`
            _drop_output()
            raise click.exceptions.Exit(0) from None
        return result


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        try:
            number = version("zermelo")
        except PackageNotFoundError:
            number = "from its sources, not installed"
        click.echo(f"zermelo {number}")
        ctx.exit()


@click.group("zermelo", cls=Zermelo, invoke_without_command=True)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Three small games. Every way a machine can play them.

    A GAME is a name, with options after a colon: tictactoe, nim, nim:preset=marienbad,
    nim:heaps=3-4-5,last=wins, quixo:size=3. An agent's SPEC is written the same way:
    random, perfect:skill=0.8. `zermelo agents` lists them.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """The `zermelo` script."""
    cli(prog_name="zermelo")


def _usage_message(error: click.UsageError) -> str:
    """Click's message in our style: lower case, no full stop."""
    message = error.format_message().rstrip(".")
    return message[:1].lower() + message[1:]


def _print_error(message: str, code: int) -> int:
    """Print the message on one bounded line, whatever value it quotes."""
    line = " ".join(without_controls(message).split())
    line = re.sub(rf"(\S{{{MAX_WORD_CHARS}}})\S+", r"\1…", line)
    click.echo(f"zermelo: {line[:MAX_LINE_CHARS]}", err=True)
    return code


def _drop_output() -> None:
    """Discard buffered output, or Python would report the error again at exit."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        with suppress(OSError):  # in tests no file stands behind it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tolerate_encodings() -> None:
    """Replace undecodable bytes, and escape characters that the terminal cannot show."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if stream is not sys.stdin else "replace")
