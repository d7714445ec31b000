"""`zermelo analyse`: an agent's analysis of one state."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import click

from agents.formats import counted
from engine.core import Game
from engine.errors import InvalidStateError, quoted
from engine.match import Match
from webapp.commands.interrupts import prompt_interrupts
from webapp.commands.options import GAME, json_option, limit_options, seed_option
from webapp.commands.output import board_text, paragraph, percent, show_json, show_table, verdict

if TYPE_CHECKING:
    from agents.core import Analysis, Candidate, Limit

MAX_LINE_MOVES = 4  # in a table of 80 columns


@click.command()
@click.argument("game", type=GAME)
@click.argument("state")
@click.option("--agent", "spec", required=True, help="Who is asked, as in `perfect`.")
@seed_option
@limit_options()
@json_option
def analyse(
    *,
    game: Game[Any, Any],
    state: str,
    spec: str,
    seed: int,
    limit: Limit,
    as_json: bool,
) -> None:
    """Show what an agent thinks of every move in a STATE.

    A STATE is the board and who moves: 'x.o/.x./..o x' (rows from the top), '1-3-5-7-9 x'
    (heaps), or the word `start`. Values are for the side to move, from -1 to +1.
    """
    from agents.core import ask
    from agents.errors import BrokenAgentError
    from agents.roster import load_agent

    position = game.start if state == "start" else game.parse_state(state)
    if position.outcome() is not None:
        raise InvalidStateError(state, f"the game is over in {quoted(state)}: no move to analyse")
    with prompt_interrupts():
        agent = load_agent(spec, game)
        try:
            analysis = ask(agent, Match(game, (position,)), limit, Random(seed))
        except BrokenAgentError as error:
            raise BrokenAgentError(f"{agent.spec} is broken: {error}") from error
    if as_json:
        show_json(_as_json(game, position, analysis))
    else:
        _show(game, position, analysis)


def _as_json(game: Game[Any, Any], state: Any, analysis: Analysis[Any]) -> dict[str, Any]:
    from agents.serialisation import to_document

    position = {"game": game.spec, "state": str(state), "to_move": str(state.to_move)}
    return position | to_document(analysis)


def _show(game: Game[Any, Any], state: Any, analysis: Analysis[Any]) -> None:
    click.echo(board_text(game, state))
    click.echo(f"\n{state.to_move.mark} to move. Plays {analysis.choice}.")
    click.echo(paragraph(analysis.reason) + "\n")
    shared = any(candidate.share is not None for candidate in analysis.candidates)
    header = ("move", "value", "chance", *(["share"] if shared else []), "line")
    rows = [_row(candidate, shared) for candidate in analysis.candidates]
    show_table(header, rows, "<<>><" if shared else "<<><")
    click.echo()
    for fact in analysis.evidence:
        value = f"{fact.value:,}" if isinstance(fact.value, int) else fact.value
        click.echo(f"{fact.name}: {value}")
    effort = analysis.effort
    looked = counted(effort.nodes, "position", "positions")
    click.echo(f"looked at {looked}, {effort.depth} deep, in {effort.seconds:.3f} s")


def _row(candidate: Candidate[Any], shared: bool) -> tuple[str, ...]:
    line = " ".join(str(move) for move in candidate.line[:MAX_LINE_MOVES])
    share = "" if candidate.share is None else percent(candidate.share)
    return (
        str(candidate.move),
        verdict(candidate.value, candidate.proven, candidate.plies),
        percent(candidate.chance),
        *([share] if shared else []),
        f"{line} …" if len(candidate.line) > MAX_LINE_MOVES else line,
    )
