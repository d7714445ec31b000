"""The rules of three games and two problems; players and solvers are in `agents`."""

from engine.catalog import load_game
from engine.core import Ending, Game, Outcome, Seat, State, Symmetry
from engine.errors import IllegalMoveError, InvalidMoveError, InvalidStateError, ZermeloError
from engine.match import Match
from engine.problems.catalog import load_problem
from engine.transcript import read_transcript

__all__ = [
    "Ending",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidStateError",
    "Match",
    "Outcome",
    "Seat",
    "State",
    "Symmetry",
    "ZermeloError",
    "load_game",
    "load_problem",
    "read_transcript",
]
