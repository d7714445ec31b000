"""The agents that search."""

from typing import Any

from agents.entry import Entry, Technique, only
from agents.errors import UnsuitableAgentError
from agents.search.alphabeta import DEPTH, NODES, AlphaBeta, limit_of
from agents.search.common import EVALUATIONS, evaluation_for
from agents.search.mcts import Mcts
from agents.search.minimax import Minimax
from agents.search.quixo import deep as quixo_deep
from agents.search.quixo import training as quixo_training
from agents.search.quixo.levels import LEVELS
from agents.search.quixo.mcts import QuixoMcts
from engine.core import Game
from engine.options import Kind, Option, Values
from engine.quixo import QuixoState


def _evaluation(default: str) -> Option:
    return Option(
        "evaluation",
        Kind.CHOICE,
        default,
        "what an open position counts at the horizon: nothing, what its game makes of it (on "
        "boards its lines, c·3^c), or what theory says (Nim)",
        choices=EVALUATIONS,
    )


def _minimax(game: Game[Any, Any], options: Values) -> Minimax:
    return Minimax(
        game,
        options.integer("depth"),
        options.switch("remember"),
        evaluation_for(options.text("evaluation"), game),
    )


def _alphabeta(game: Game[Any, Any], options: Values) -> AlphaBeta:
    return AlphaBeta(game, limit_of(options), evaluation_for(options.text("evaluation"), game))


def _mcts_suits(game: Game[Any, Any], options: Values) -> None:
    if options.switch("take_wins") and not isinstance(game.start, QuixoState):
        raise UnsuitableAgentError(f"mcts:take_wins=yes cannot play {game.spec}: only quixo")


def _mcts(game: Game[Any, Any], options: Values) -> Mcts | QuixoMcts:
    simulations = options.integer("simulations")
    exploration = options.number("exploration")
    takes_wins = options.switch("take_wins")
    if isinstance(game.start, QuixoState):
        return QuixoMcts(game, simulations, exploration, takes_wins)
    _mcts_suits(game, options)
    return Mcts(game, simulations, exploration, options.number("slips"))


SEARCH: tuple[Entry, ...] = (
    Entry(
        key="minimax",
        title="Minimax",
        technique=Technique.SEARCH,
        description=(
            "Looks at every line of play a few plies deep and expects you to answer as well as "
            "you can. Beyond that it sees nothing, and picks among moves that look alike."
        ),
        options=(
            Option("depth", Kind.INTEGER, 3, "how many plies it looks ahead", low=1, high=100),
            Option(
                "remember",
                Kind.SWITCH,
                True,
                "whether it looks only once at a position it meets again in the same thought",
            ),
            _evaluation("none"),
        ),
        make=_minimax,
    ),
    Entry(
        key="alphabeta",
        title="Alpha-beta",
        technique=Technique.SEARCH,
        description=(
            "Finds what minimax finds, sooner, by skipping lines that cannot matter any more. "
            "So it looks deeper in the same time, and judges open boards by their lines."
        ),
        options=(
            DEPTH,
            NODES,
            _evaluation("game"),
        ),
        make=_alphabeta,
    ),
    Entry(
        key="mcts",
        title="Monte Carlo tree search",
        technique=Technique.SEARCH,
        description=(
            "Plays hundreds of games to the end at random and looks closer where they go well. "
            "It needs no knowledge of the game, and notices when a win is certain."
        ),
        options=(
            Option(
                "simulations",
                Kind.INTEGER,
                500,
                "how many games it plays out before each move",
                low=1,
                high=1_000_000,
            ),
            Option(
                "exploration",
                Kind.NUMBER,
                1.2,
                "how much it looks at moves it has looked at little",
                low=0.0,
                high=10.0,
            ),
            Option(
                "slips",
                Kind.NUMBER,
                0.25,
                "how many of the opponent's moves it expects to be any; 0 is plain UCT (not Quixo)",
                low=0.0,
                high=1.0,
            ),
            Option(
                "take_wins",
                Kind.SWITCH,
                False,
                "whether the games it plays out take a win that is there (Quixo only)",
            ),
        ),
        make=_mcts,
        suits=_mcts_suits,
        shows=True,
    ),
    Entry(
        key=quixo_training.KEY,
        title="Quixo engine",
        technique=Technique.SEARCH,
        description=(
            "Sees millions of positions a second and looks about nine plies ahead. "
            "What lines are worth it has learned by playing itself."
        ),
        options=quixo_deep.OPTIONS,
        levels=LEVELS,
        make=quixo_deep.make,
        refuses=only("quixo"),
        train=quixo_training.train,
        sampled=quixo_training.MEASURED,
        lasts=quixo_deep.lasts,
        shows=True,
    ),
)
