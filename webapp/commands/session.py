"""A match in the terminal: reads the person's lines, shows the board, lets the agent reply."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from random import Random
from typing import Any

import click

from agents.contest.strength import strongest_agent
from agents.core import Agent, Limit, ask
from agents.errors import BrokenAgentError
from agents.formats import counted
from agents.roster import load_agent
from engine.catalog import find_entry
from engine.core import Game, Seat
from engine.errors import ZermeloError, sentence
from engine.match import Match
from webapp.commands.layout import board_text, paragraph, shortened, verdict

HINT_LIMIT = Limit(seconds=2.0)
COMMANDS = {
    "hint": "what a strong player would do here, and why",
    "undo": "take back your last move and the reply to it",
    "moves": "every move you can make",
    "resign": "give the game up",
    "quit": "leave",
    "help": "this list",
}


@dataclass
class Session:
    """A match between the person and the agent."""

    game: Game[Any, Any]
    name: str
    agent: Agent[Any, Any]
    person: Seat
    limit: Limit
    rng: Random
    match: Match[Any, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.match = Match.begin(self.game)

    def run(self) -> None:
        """Play until it is over, or the person quits."""
        order = "first" if self.person is Seat.FIRST else "second"
        click.echo(f"{self.game.title} against {self.name}. You are {self.person.mark}, {order}.")
        click.echo(f"Type a move such as {self.game.all_moves[0]}, or {', '.join(COMMANDS)}.\n")
        self._show_board()
        while self.match.outcome() is None:
            if self.match.state.to_move is not self.person:
                self._reply()
            elif not self._turn():
                click.echo(f"Left after {counted(self.match.ply, 'ply', 'plies')}.")
                return
        click.echo(self._verdict())

    def _turn(self) -> bool:
        """Read and run one line; False to quit."""
        try:
            line = _read_line(f"{self.person.mark}> ")
        except EOFError:
            click.echo()
            return False
        match line.lower():
            case "":
                pass
            case "quit" | "exit" | "q":
                return False
            case "resign":
                self.match = self.match.resign(self.person)
            case "undo":
                self._undo()
            case "hint":
                self._hint()
            case "moves":
                texts = [str(move) for move in self.match.state.legal_moves()]
                click.echo(paragraph(" ".join(texts)))
            case "help" | "?":
                for word, meaning in COMMANDS.items():
                    click.echo(f"  {word:<7} {meaning}")
            case text:
                self._move(text)
        return True

    def _move(self, text: str) -> None:
        try:
            self.match = self.match.play(self.game.parse_move(text))
        except ZermeloError as error:
            click.echo(sentence(str(error)))
        else:
            self._show_board()

    def _reply(self) -> None:
        try:
            analysis = ask(self.agent, self.match, self.limit, self.rng)
            move, reason = analysis.choice, analysis.reason
        except BrokenAgentError as error:
            move = self.rng.choice(self.match.state.legal_moves())
            reason = f"{self.name} is broken, {error}; this move was picked at random."
        self.match = self.match.play(move)
        click.echo(f"{self.name} plays {click.style(str(move), bold=True)}")
        click.echo(paragraph(reason, indent=2) + "\n")
        self._show_board()

    def _undo(self) -> None:
        """Go back to the person's previous turn."""
        own = [ply for ply in range(self.match.ply) if self._moved(ply) is self.person]
        if not own:
            click.echo("there is nothing to take back.")
            return
        self.match = self.match.at(own[-1])
        self._show_board()

    def _moved(self, ply: int) -> Seat:
        seat: Seat = self.match.states[ply].to_move
        return seat

    def _hint(self) -> None:
        name = strongest_agent(self.game.spec)  # as on pages
        adviser = load_agent(name, self.game)
        try:
            analysis = ask(adviser, self.match, HINT_LIMIT, self.rng)
        except BrokenAgentError as error:
            click.echo(f"no hint: {name} is broken, {error}.")
            return
        best = analysis.candidate(analysis.choice)
        value = verdict(best.value, best.proven, best.plies)
        click.echo(f"{name} would play {analysis.choice} ({value})")
        click.echo(paragraph(analysis.reason, indent=2))

    def _show_board(self) -> None:
        last = self.match.moves[-1] if self.match.moves else None
        click.echo(f"{board_text(self.game, self.match.state, last)}\n")

    def _verdict(self) -> str:
        outcome = self.match.outcome()
        assert outcome is not None
        if outcome.winner is None:
            result = "A draw"
        else:
            result = "You win" if outcome.winner is self.person else f"{self.name} wins"
        plies = counted(self.match.ply, "ply", "plies")
        names = ["you" if seat is self.person else self.name for seat in Seat]
        mover: Seat = self.match.state.to_move.other
        why = find_entry(self.game.key).ending(outcome, mover, names)
        return f"{result}: {why}, after {plies}."


def _read_line(prompt: str) -> str:
    """Read a line; echo it if it comes from a pipe."""
    if sys.stdin is None:  # as after `<&-`
        raise EOFError
    line = input(prompt).strip()
    if not sys.stdin.isatty():
        click.echo(shortened(line, 60))
    return line
