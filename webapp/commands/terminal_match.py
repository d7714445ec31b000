"""A match in the terminal: reads people's lines, shows the board, lets agents move."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from typing import Any

import click

from agents.contest.clock import MoveClock
from agents.contest.strength import strongest_agent
from agents.core import Analysis, Limit, ask
from agents.errors import BrokenAgentError
from agents.formats import counted
from agents.roster import load_agent
from agents.wrappers import LoadedAgent
from engine.catalog import find_entry
from engine.core import Seat
from engine.errors import ZermeloError, sentence
from engine.match import Match
from webapp.commands.output import board_text, paragraph, shortened, verdict

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
    """A match in which each seat has an agent, or a person where there is none."""

    match: Match[Any, Any]  # so far
    agents: tuple[LoadedAgent | None, LoadedAgent | None]  # by seat
    limit: Limit
    rng: Random

    def run(self) -> None:
        """Play until it is over, or a person quits."""
        self._greet()
        self._show_board()
        while self.match.outcome() is None:
            agent = self.agents[self.match.state.to_move]
            if agent is not None:
                self._reply(agent)
            elif not self._turn():
                click.echo(f"Left after {counted(self.match.ply, 'ply', 'plies')}.")
                return
        click.echo(self._verdict())

    @property
    def _people(self) -> list[Seat]:
        return [seat for seat in Seat if self.agents[seat] is None]

    def _commands(self) -> dict[str, str]:
        if len(self._people) == 2:
            return COMMANDS | {"undo": "take back the last move"}
        return COMMANDS

    def _greet(self) -> None:
        game = self.match.game
        one, two = self.agents
        if one is not None and two is not None:
            click.echo(f"{game.title}: {one.spec} is x and begins, {two.spec} is o.\n")
            return
        if len(self._people) == 2:
            click.echo(f"{game.title} for two at one keyboard: x begins.")
        else:
            (person,) = self._people
            agent = self.agents[person.other]
            assert agent is not None
            order = "first" if person is Seat.FIRST else "second"
            click.echo(f"{game.title} against {agent.spec}. You are {person.mark}, {order}.")
        click.echo(f"Type a move such as {game.all_moves[0]}, or {', '.join(COMMANDS)}.\n")

    def _turn(self) -> bool:
        """Read and run one line; False to quit."""
        try:
            line = _read_line(f"{self.match.state.to_move.mark}> ")
        except EOFError:
            click.echo()
            return False
        match line.lower():
            case "":
                pass
            case "quit" | "exit" | "q":
                return False
            case "resign":
                self.match = self.match.resign(self.match.state.to_move)
            case "undo":
                self._undo()
            case "hint":
                self._hint()
            case "moves":
                texts = [str(move) for move in self.match.state.legal_moves()]
                click.echo(paragraph(" ".join(texts)))
            case "help" | "?":
                for word, meaning in self._commands().items():
                    click.echo(f"  {word:<7} {meaning}")
            case text:
                self._move(text)
        return True

    def _move(self, text: str) -> None:
        try:
            self.match = self.match.play(self.match.game.parse_move(text))
        except ZermeloError as error:
            click.echo(sentence(str(error)))
        else:
            self._show_board()

    def _reply(self, agent: LoadedAgent) -> None:
        """Let the agent move; one that fails forfeits."""
        try:
            analysis = self._analysis(agent)
        except BrokenAgentError as error:
            seat = self.match.state.to_move
            click.echo(paragraph(f"{agent.spec} forfeits in {self.match.state}: {error}."))
            if error.traceback:
                click.echo(error.traceback.rstrip())
            self.match = self.match.resign(seat)
            return
        move = analysis.choice
        self.match = self.match.play(move)
        click.echo(f"{agent.spec} plays {click.style(str(move), bold=True)}")
        click.echo(paragraph(analysis.reason, indent=2) + "\n")
        self._show_board()

    def _analysis(self, agent: LoadedAgent) -> Analysis[Any]:
        clock = MoveClock(self.limit)
        analysis = ask(agent, self.match, self.limit, self.rng)
        clock.check(is_first=self.match.ply <= 1)
        return analysis

    def _undo(self) -> None:
        """Go back to the previous turn of a person."""
        movers = [state.to_move for state in self.match.states[:-1]]
        own = [ply for ply, mover in enumerate(movers) if mover in self._people]
        if not own:
            click.echo("there is nothing to take back.")
            return
        self.match = self.match.at(own[-1])
        self._show_board()

    def _hint(self) -> None:
        name = strongest_agent(self.match.game.spec)  # as on pages
        adviser = load_agent(name, self.match.game)
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
        click.echo(f"{board_text(self.match.game, self.match.state, last)}\n")

    def _verdict(self) -> str:
        outcome = self.match.outcome()
        assert outcome is not None
        names = [self._name(seat) for seat in Seat]
        if outcome.winner is None:
            result = "A draw"
        elif names[outcome.winner] == "you":
            result = "You win"
        else:
            result = f"{names[outcome.winner]} wins"
        plies = counted(self.match.ply, "ply", "plies")
        mover: Seat = self.match.state.to_move.other
        why = find_entry(self.match.game.key).ending(outcome, mover, names)
        return f"{result}: {why}, after {plies}."

    def _name(self, seat: Seat) -> str:
        agent = self.agents[seat]
        if agent is not None:
            other = self.agents[seat.other]
            return f"{agent.spec} ({seat.mark})" if other is not None else agent.spec
        return "you" if len(self._people) == 1 else seat.mark


def _read_line(prompt: str) -> str:
    """Read a line; echo it if it comes from a pipe."""
    if sys.stdin is None:  # as after `<&-`
        raise EOFError
    line = input(prompt).strip()
    if not sys.stdin.isatty():
        click.echo(shortened(line, 60))
    return line
