"""Makes a player of a file: the object whose `choose(turn)` is asked."""

from __future__ import annotations

import inspect
import os
import sys
from types import ModuleType
from typing import Any, Callable, List, Optional, Sequence, Tuple

from . import cs50, nim_strategy
from .constructor import construct, parse_arguments
from .errors import UnplayableError
from .source import Definitions, forget_modules, import_file, top_level_names
from .stand_ins import load_without

MAKER = "zermelo_player.py"  # beside a player's file: `make(seat)` makes the player
MAKER_FUNCTION = "make"
QUIXO, NIM, TICTACTOE = "quixo", "nim", "tictactoe"
# Functions by which a file is a player as a whole, so that all of it is run.
WHOLE = {"choose", MAKER_FUNCTION, "train", "minimax"}
BASELINES = ("random", "human", "dummy")  # classes that stand beside a student's own


class Guest:
    """A player: `choose` gets a turn and gives a move's text, or (move, values[, reason])."""

    def __init__(
        self,
        choose: Callable[[Any], object],
        stateful: bool = True,
        plays: Optional[Sequence[str]] = None,
    ) -> None:
        self.choose = choose
        self.stateful = stateful  # whether what it does may depend on earlier turns of the match
        self.plays = plays  # specs or keys of games; None: every game


def load(path: str, name: Optional[str], args: Optional[str], game: str, seat: int) -> Guest:
    """The player `name` of a file, by default the only one; raises what its import raises.

    `args` is what stands in brackets after the name: Python literals or SEAT. A Quixo player is
    loaded with the `game.py` beside it, and if that fails with ours.
    """
    path = os.path.abspath(path)
    if not os.path.isfile(path) or not path.endswith((".py", ".ipynb")):
        raise UnplayableError("{} is no Python file and no notebook".format(path))
    maker = os.path.join(os.path.dirname(path), MAKER)
    if name is None and os.path.isfile(maker):
        path, name, args = maker, MAKER_FUNCTION, "SEAT"
    sys.argv = [path]  # a file that reads arguments finds none of ours
    request = Request(path, name, args, game, seat)
    if request.key == QUIXO and "choose" not in top_level_names(path):
        return load_quixo(request)
    try:
        return request.load()
    except ModuleNotFoundError as error:
        if error.name == "game":
            raise request.not_quixo() from None
        raise


def load_quixo(request: Request) -> Guest:
    """A player that may import `game`: the one beside it, or ours if that is missing or fails."""
    try:
        from . import numpy_shims, quixo_game
    except ImportError as error:
        raise UnplayableError(
            "players written for the course's Quixo need NumPy, and {} cannot import it: {}".format(
                sys.executable, error
            )
        ) from None
    numpy_shims.install()
    directory = os.path.dirname(request.path)

    known = set(sys.modules)

    def forget() -> None:
        forget_modules(directory, known)

    if not has_module(directory, "game"):
        sys.modules["game"] = quixo_game
        return load_without(request.load, forget)
    try:
        return load_without(request.load, forget)
    except UnplayableError:
        raise
    except Exception as first:
        forget()
        sys.modules["game"] = quixo_game
        try:
            guest = load_without(request.load, forget)
        except Exception:
            raise first from None
        print("Its own game.py failed ({}: {}): ours is used.".format(type(first).__name__, first))
        return guest


class Request:
    """What is to be loaded, and how it is found in the file."""

    def __init__(
        self, path: str, name: Optional[str], args: Optional[str], game: str, seat: int
    ) -> None:
        self.path, self.name, self.args, self.game, self.seat = path, name, args, game, seat
        self.key = game.partition(":")[0]
        self.file = os.path.basename(path)

    def load(self) -> Guest:
        definitions: Optional[Definitions] = None
        if self._runs_whole():
            module = import_file(self.path)
        else:
            ours = {"Nim": nim_strategy.Nim, "Nimply": nim_strategy.Nimply}
            definitions = Definitions(self.path, ours)
            module = definitions.module
        plays = declared_games(module)
        if plays is not None:
            check_plays(plays, self.game)
        name = self.name or self._only_player(module)
        if definitions is not None:
            definitions.complete(name)
        player = getattr(module, name, None)
        if not any(hasattr(player, each) for each in ("__call__", "choose", "make_move")):
            raise UnplayableError("there is no function or class {} in {}".format(name, self.file))
        return Guest(self._chooser(player, name, module), plays=plays)

    def not_quixo(self) -> UnplayableError:
        """What to say of a player for the course's Quixo where another game is played."""
        return UnplayableError("it was written for Quixo 5×5, and this is {}".format(self.game))

    def _runs_whole(self) -> bool:
        """Whether the file is run as it is; strategies of Nim train and play as they are run."""
        if self.path.endswith(".ipynb"):
            return False
        return self.key != NIM or bool(top_level_names(self.path) & {*WHOLE, "PLAYS"})

    def _only_player(self, module: ModuleType) -> str:
        """The name of the file's player; raises UnplayableError where there is none or several."""
        for name, key in (("choose", self.key), ("make", self.key), ("minimax", TICTACTOE)):
            if key == self.key and callable(getattr(module, name, None)):
                return name
        if self.key == NIM and cs50.is_trained_nim(module):
            return "train"
        found: List[str] = []
        if self.key == QUIXO:
            found = player_classes(module)
        elif self.key == NIM:
            found = nim_strategy.own_strategies(module)
        found = found or own_classes(module, "choose")
        if len(found) == 1:
            return found[0]
        if not found:
            raise UnplayableError(
                "there is no choose(turn) in {}, nor a player of another kind".format(self.file)
            )
        raise UnplayableError(
            "say which of {0} plays: {1}:{2}".format(", ".join(found), self.file, found[0])
        )

    def _chooser(self, player: Any, name: str, module: ModuleType) -> Callable[[Any], object]:
        """What is asked for moves, by the interface that the player has."""
        if name == "choose" and self.args is None:
            return player  # type: ignore[no-any-return]
        if hasattr(player, "make_move"):
            return self._quixo(player, module)
        if isinstance(player, type):
            return self._made(self._construct(player, module), module)
        if self.key == NIM and name == "train" and cs50.is_trained_nim(module):
            return self._trained_nim(module)
        if self.key == TICTACTOE and name == "minimax":
            return cs50.Minimax(player).choose
        if self.args is None and _takes_turn(player):
            return player  # type: ignore[no-any-return]
        if self.key == NIM and name != MAKER_FUNCTION:
            return self._strategy(player, module)
        return self._made(self._construct(player, module), module)

    def _made(self, made: Any, module: ModuleType) -> Callable[[Any], object]:
        """What a maker or a class gave: an object with `choose` or `make_move`, or a function."""
        if hasattr(made, "choose"):
            return made.choose  # type: ignore[no-any-return]
        if hasattr(made, "make_move"):
            return self._quixo_object(made, module)
        if callable(made) and self.key == NIM and not _takes_turn(made):
            return nim_strategy.NimStrategy(made, module).choose
        if callable(made):
            return made  # type: ignore[no-any-return]
        raise UnplayableError("{} gave {!r}, which is no player".format(self.file, made))

    def _construct(self, player: Any, module: ModuleType) -> Any:
        """Call it with what was told or what its parameters' names ask for."""

        def game() -> Any:
            from . import quixo_player

            return quixo_player.make_game(player, module)

        return construct(player, self.args, self.seat, game)

    def _quixo(self, player: Any, module: ModuleType) -> Callable[[Any], object]:
        made = self._construct(player, module) if isinstance(player, type) else player
        return self._quixo_object(made, module)

    def _quixo_object(self, made: Any, module: ModuleType) -> Callable[[Any], object]:
        if self.game != QUIXO:
            raise self.not_quixo()
        from . import quixo_player

        return quixo_player.QuixoPlayer(made, quixo_player.make_game(type(made), module)).choose

    def _trained_nim(self, module: ModuleType) -> Callable[[Any], object]:
        if "heaps={}".format(cs50.HEAPS) not in self.game or "last=wins" in self.game:
            raise UnplayableError(
                "it learns nim:heaps={} where the last object loses, and this is {}".format(
                    cs50.HEAPS, self.game
                )
            )
        games = parse_arguments(self.args, self.seat)[0] if self.args is not None else []
        return cs50.TrainedNim(module, *games).choose

    def _strategy(self, player: Callable[..., Any], module: ModuleType) -> Callable[[Any], object]:
        """A function of the state and what was told, or one that makes such a function."""
        told = parse_arguments(self.args, self.seat)[0] if self.args is not None else []
        try:
            inspect.signature(player).bind(None, *told)
        except TypeError:
            return self._made(self._construct(player, module), module)
        return nim_strategy.NimStrategy(player, module, tuple(told)).choose


def declared_games(module: ModuleType) -> Optional[List[str]]:
    """The specs or keys of the games that a file says it plays; None: it says nothing."""
    plays = getattr(module, "PLAYS", None)
    if plays is None:
        return None
    if not isinstance(plays, (str, list, tuple, set, frozenset)):
        raise TypeError("PLAYS is {!r}: write a list of games".format(plays))
    return [plays] if isinstance(plays, str) else [str(spec) for spec in plays]


def check_plays(plays: Sequence[str], game: str) -> None:
    """Raises UnplayableError unless the game's spec or its key is listed."""
    if game not in plays and game.partition(":")[0] not in plays:
        raise UnplayableError("it plays only {}".format(", ".join(plays)))


def player_classes(module: ModuleType) -> List[str]:
    """The classes with `make_move` that the file defines, else imports; `MyPlayer` alone if there
    is one, and a baseline only where there is nothing else."""
    own = own_classes(module, "make_move")
    if "MyPlayer" in own:
        return ["MyPlayer"]
    imported = [name for name, value in _classes(module, "make_move") if value.__module__ != "game"]
    for names in (own, imported):
        found = [name for name in names if not name.lower().startswith(BASELINES)]
        if found:
            return ["MyPlayer"] if "MyPlayer" in found else found
    return own or imported


def own_classes(module: ModuleType, method: str) -> List[str]:
    """The classes with this method that the file itself defines."""
    found = _classes(module, method)
    return [name for name, value in found if value.__module__ == module.__name__]


def _classes(module: ModuleType, method: str) -> List[Tuple[str, type]]:
    """The classes with this method that can be made."""
    return [
        (name, value)
        for name, value in vars(module).items()
        if isinstance(value, type)
        and hasattr(value, method)
        and not inspect.isabstract(value)
        and not getattr(value, "_is_protocol", False)
    ]


def has_module(directory: str, name: str) -> bool:
    """Whether a directory has a module or package of this name."""
    return any(os.path.exists(os.path.join(directory, name + ending)) for ending in (".py", ""))


def _takes_turn(function: Any) -> bool:
    """Whether a function is asked as `choose(turn)`: its only required argument is `turn`."""
    try:
        parameters = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return False
    return parameters[:1] == ["turn"]
