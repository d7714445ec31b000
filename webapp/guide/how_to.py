"""Rules of a game as a few steps with pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from engine.catalog import find_entry, load_game, variant_title
from engine.core import Game, Seat
from engine.errors import warn_once
from engine.match import Match
from engine.nim import NimRules, NimState, Take
from engine.quixo import QuixoState
from engine.square import Square
from engine.tictactoe import BOARD
from webapp.boards import Picture
from webapp.boards.grid import UNIT, Scene, centre
from webapp.boards.nim import NimPicture, nim_picture
from webapp.boards.plugins import package_sheet
from webapp.boards.quixo import arrow, quixo_picture
from webapp.boards.square import (
    NUMBERS,
    GridPicture,
    full_lines,
    square_shape,
    stroke,
    tictactoe_picture,
)

MAX_DRAWN_MATCHES = 40
SMALL_HEAPS = "heaps=1-3-5-7"  # drawn instead of larger ones

# Tic-tac-toe: the moves of the three pictures.
BEGUN = "b2 c3 a3"
WON = "b2 c3 a3 c2 c1"
FULL = "b2 a1 a3 c1 b1 b3 c2 a2 c3"


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A step of the rules with a picture of a position."""

    title: str  # Take a cube
    text: str
    picture: Picture
    before: Picture | None = None  # the position before the move that the text is about


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules of a variant for a newcomer."""

    title: str  # Quixo, 5 × 5
    goal: str  # in one line
    steps: tuple[DrawnStep, ...] = ()
    notes: tuple[str, ...] = ()  # rarer cases


def sheet_for(game: Game[Any, Any]) -> Sheet:
    """The sheet of this variant; only its summary if a package has none or fails."""
    ours = SHEETS.get(game.key)
    if ours is not None:
        return ours(game)
    entry = find_entry(game.key)
    plain = Sheet(f"{entry.title}, {variant_title(game.spec)}", entry.summary)
    try:
        make = package_sheet(entry.home)
        sheet = plain if make is None else make(game)
    except Exception as error:  # noqa: BLE001 - a package's code
        warn_once(__name__, f"the sheet of {game.key} failed: {error!r}"[:500])
        return plain
    return sheet if isinstance(sheet, Sheet) else plain


def nim_sheet(game: Game[Any, Any]) -> Sheet:
    """Three steps: what may be taken, from where, and what the last match means."""
    rules: NimRules = game.start.rules
    wins = rules.last == "wins"
    drawn = _small_enough(game)
    most = rules.max_take
    many = "as many as you like" if most is None else f"at most {most} at a time"
    second = _second_turn(drawn)
    return Sheet(
        title=f"Nim, {variant_title(game.spec)}",
        goal="Take the last match." if wins else "Make your opponent take the last match.",
        steps=(
            DrawnStep(
                "Take from one row",
                f"You take turns. On your turn, take one match or more, {many}, all from the "
                f"same row.",
                _nim_step(drawn, ()),
            ),
            DrawnStep(
                "They do not come back",
                f"Here {_taken_text(second.moves[-1])} been taken: before and after.",
                _nim_step(drawn, second.moves, names=True),
                _nim_step(drawn, (), names=True),
            ),
            DrawnStep(
                f"The last match {'wins' if wins else 'loses'}",
                f"If you take it, you {'win' if wins else 'lose'}. Here it is the only one left.",
                _nim_step(drawn, _all_but_one(drawn).moves),
            ),
        ),
        notes=() if drawn == game else ("Drawn with smaller heaps than yours.",),
    )


def _small_enough(game: Game[Any, Any]) -> Game[Any, Any]:
    """The game, or the same rules with fewer matches."""
    state: NimState = game.start
    if sum(state.heaps) <= MAX_DRAWN_MATCHES:
        return game
    limit = "" if state.rules.max_take is None else f",max_take={state.rules.max_take}"
    return load_game(f"nim:{SMALL_HEAPS},last={state.rules.last}{limit}")


def _second_turn(game: Game[Any, Any]) -> Match[Any, Any]:
    """After one move: two from the largest heap, or as many as may be taken."""
    state: NimState = game.start
    largest = max(state.heaps)
    take = Take(state.heaps.index(largest), min(2, state.rules.most(largest)))
    return Match.begin(game).play(take)


def _all_but_one(game: Game[Any, Any]) -> Match[Any, Any]:
    """Played until one match is left, each time as many as may be taken."""
    match = Match.begin(game)
    while (left := sum(match.state.heaps)) > 1:
        move = max(match.state.legal_moves(), key=lambda take: take.count)
        match = match.play(Take(move.heap, min(move.count, left - 1)))
    return match


def _taken_text(take: Take) -> str:
    count, verb = ("one", "has") if take.count == 1 else ("two", "have")
    return f"{count} of row {str(take)[0]} {verb}"


def _nim_step(game: Game[Any, Any], moves: tuple[Take, ...], *, names: bool = False) -> NimPicture:
    match = Match.replay(game, moves)
    picture = nim_picture(Scene(game, match.state, last_move=moves[-1] if moves else None))
    return picture.with_names() if names else picture


def quixo_sheet(game: Game[Any, Any]) -> Sheet:
    """Four steps: take, push, win, and what loses."""
    state: QuixoState = game.start
    size = state.table.size
    many = NUMBERS[size]
    row, gift = _row_moves(size), _gift_moves(size)
    return Sheet(
        title=f"Quixo, {size} × {size}",
        goal=f"Be the first with {many} of your marks in a line.",
        steps=(
            DrawnStep(
                "Take a cube from the rim",
                "A blank one, or one that shows your mark: here x may take the framed ones. "
                "Not your opponent's cubes, and none from the middle.",
                _takeable_cubes(game, row[:4]),
            ),
            DrawnStep(
                "Turn it, and push it back in",
                f"It now shows your mark. Push it in at another end of its row or column, and the "
                f"others slide along. Here x {_push_text(row[4])}: before and after.",
                _after_push(game, row[:5]),
                _before_push(game, row[:5]),
            ),
            DrawnStep(
                f"{many.capitalize()} in a line win",
                "Across, down or on a diagonal.",
                _after_push(game, row),
            ),
            DrawnStep(
                "Completing your opponent's line loses",
                f"If your push makes a line of your opponent's marks, you lose, even with a line "
                f"of your own. Here x {_push_text(gift[-1])}, and o wins.",
                _after_push(game, gift),
                _before_push(game, gift),
            ),
        ),
        notes=(
            "The same position for the third time is a draw. "
            f"After {game.ply_limit} moves the game is a draw too.",
        ),
    )


def _push_text(push: str) -> str:
    """`takes e5 and pushes it in at a5`."""
    source, _, target = push.partition("-")
    return f"takes {source} and pushes it in at {target}"


def _row_moves(size: int) -> list[str]:
    """Moves with which each side fills a row from its left end; x, the first, wins."""
    right = ascii_lowercase[size - 1]
    x, o = f"{right}{size}-a{size}", f"{right}1-a1"
    return [x, o] * (size - 1) + [x]


def _gift_moves(size: int) -> list[str]:
    """Moves after which x pushes down a column and completes the row of o."""
    right = ascii_lowercase[size - 1]
    there, back = f"{right}{size}-a{size}", f"a{size}-{right}{size}"
    mine = [(there, back)[turn % 2] for turn in range(size)]
    theirs = [f"{right}1-a1"] * (size - 1) + [f"a2-{right}2"]
    pairs = [move for pair in zip(mine, theirs, strict=True) for move in pair]
    return [*pairs, f"{right}1-{right}{size}"]


def _replayed(game: Game[Any, Any], moves: list[str]) -> Match[Any, Any]:
    return Match.replay(game, [game.parse_move(text) for text in moves])


def _with_lines(picture: GridPicture, square: Square, state: Any) -> GridPicture:
    """The picture with every full line struck through."""
    strokes = tuple(
        stroke(square, line, seat.mark)
        for seat, mask in ((Seat.FIRST, state.x), (Seat.SECOND, state.o))
        for line in full_lines(square, mask)
    )
    return replace(picture, strokes=strokes)


def _takeable_cubes(game: Game[Any, Any], moves: list[str]) -> GridPicture:
    """The position with the cubes framed that may be taken."""
    state = _replayed(game, moves).state
    square = state.table.square
    sources = dict.fromkeys(push.source for push in state.legal_moves())
    places = [centre(square_shape(square), square.cells.index(name)) for name in sources]
    corners = tuple((x - UNIT // 2, y - UNIT // 2) for x, y in places)
    return replace(quixo_picture(Scene(game, state)), framed=corners)


def _before_push(game: Game[Any, Any], moves: list[str]) -> GridPicture:
    """The position before the last push: its cube framed, an arrow where it goes in."""
    state, last = _replayed(game, moves[:-1]).state, game.parse_move(moves[-1])
    square = state.table.square
    x, y = centre(square_shape(square), square.cells.index(last.source))
    return replace(
        quixo_picture(Scene(game, state)),
        framed=((x - UNIT // 2, y - UNIT // 2),),
        arrow=arrow(square, last, "last").transform,
        named=True,
    )


def _after_push(game: Game[Any, Any], moves: list[str]) -> GridPicture:
    """The position after the last push, with its full lines."""
    match = _replayed(game, moves)
    state, last = match.state, match.moves[-1]
    square = state.table.square
    picture = _with_lines(quixo_picture(Scene(game, state, last_move=last)), square, state)
    return replace(picture, named=True)


def tictactoe_sheet(game: Game[Any, Any]) -> Sheet:
    """Three steps: there is only one variant."""
    return Sheet(
        title=game.title,
        goal="Be the first with three of your marks in a row.",
        steps=(
            DrawnStep(
                "Mark an empty cell",
                "x begins. You take turns, and a mark stays where it is.",
                _tictactoe_step(game, BEGUN),
            ),
            DrawnStep(
                "Three in a row win",
                "Across, down or on a diagonal.",
                _tictactoe_step(game, WON),
            ),
            DrawnStep(
                "A full board is a draw",
                "If neither has three in a row when all nine cells are marked.",
                _tictactoe_step(game, FULL),
            ),
        ),
    )


def _tictactoe_step(game: Game[Any, Any], moves: str) -> GridPicture:
    match = _replayed(game, moves.split())
    picture = tictactoe_picture(Scene(game, match.state, last_move=match.moves[-1]))
    return _with_lines(picture, BOARD, match.state)


SHEETS: Mapping[str, Callable[[Game[Any, Any]], Sheet]] = {
    "nim": nim_sheet,
    "tictactoe": tictactoe_sheet,
    "quixo": quixo_sheet,
}
