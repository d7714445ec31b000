"""`zermelo agents`: list the agents of all games or of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agents.formats import portion
from engine.catalog import catalog
from engine.core import Game
from engine.options import Kind, Option
from webapp.commands.options import GAME, json_option
from webapp.commands.output import paragraph, show_json

if TYPE_CHECKING:
    from agents.entry import Entry


@click.command()
@click.argument("game", type=GAME, required=False)
@json_option
def agents(game: Game[Any, Any] | None, as_json: bool) -> None:
    """List the agents, with what they do and their options.

    With a GAME, only those that can play it.
    """
    from agents.documents import agent_document
    from agents.roster import agents_for, roster

    entries = roster() if game is None else agents_for(game)
    if as_json:
        spec = None if game is None else game.spec
        show_json({"game": spec, "agents": [agent_document(entry) for entry in entries]})
    else:
        _show(entries, game)


def _show(entries: tuple[Entry, ...], game: Game[Any, Any] | None) -> None:
    from agents.entry import SKILL, Technique

    for technique in Technique:
        of_technique = [entry for entry in entries if entry.technique is technique]
        if of_technique:
            click.secho(technique.value.capitalize(), bold=True)
        for entry in of_technique:
            about = _strength(entry, game) if game else f"plays {_in_short(entry)}"
            heading = paragraph(f"{entry.key} ({about})", indent=2)
            click.echo(heading.replace(entry.key, click.style(entry.key, bold=True), 1))
            click.echo(paragraph(entry.description, indent=4))
            for option in entry.options:
                _show_option(option, indent=4)
            for preset in entry.presets:
                same = ",".join(f"{name}={text}" for name, text in preset.texts)
                click.echo(paragraph(f"preset={preset.name}: {preset.title} ({same})", indent=4))
            click.echo()
    click.echo("Every agent also takes")
    _show_option(SKILL, indent=2)


def _strength(entry: Entry, game: Game[Any, Any]) -> str:
    from agents.contest.strength import strength_of

    found = strength_of(entry.key, game.spec)
    return f"wins {portion(found.rate)} of the points" if found else "not measured"


def _show_option(option: Option, indent: int) -> None:
    values = option.wants if option.kind is not Kind.CHOICE else " or ".join(option.choices)
    text = f"{option.name}={option.write(option.default)}: {option.help} ({values})"
    click.echo(paragraph(text, indent))


def _in_short(entry: Entry) -> str:
    """`every game`, or the games and variants by name."""
    from agents.documents import played_variants

    plays = played_variants(entry)
    names = []
    for game in catalog():
        variants = [game.load({"preset": preset.name}).spec for preset in game.presets]
        known = [spec for spec in variants if spec in plays]
        names += [game.key] if known == variants else known
    return "every game" if names == [game.key for game in catalog()] else ", ".join(names)
