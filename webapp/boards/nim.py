"""The Nim board: heaps as rows of matches; pressing a match picks it and those to its right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from string import ascii_lowercase

from engine.drawing import STICK_HEIGHT, stick_places
from engine.nim import NimState, Take
from engine.nim_theory import nim_sum, remainders
from webapp.boards.grid import Badge, Scene, badges_by_cell, join_label

MAX_SINGLE_STICKS = 12  # larger heaps are drawn in bundles
BUNDLE_SIZE = 5
NAME_MARGIN = 40  # left of a picture with the names of its rows
MAX_BEST_LISTED = 6  # best moves of a large heap; more are merged into ranges


@dataclass(frozen=True, slots=True)
class Stick:
    """One match. `value` takes it and those to its right."""

    id: str  # match-e3
    label: str
    action: str  # pick, move, ask (why it is no move) or none
    value: str
    classes: str  # picked, hinted, valued
    badge: Badge | None  # of that move

    @property
    def looks(self) -> bool:
        """Whether pressing it is a GET that changes nothing."""
        return self.action in ("pick", "ask")


@dataclass(frozen=True, slots=True)
class Bundle:
    """Up to five matches of a large heap, drawn together; fewer once some are taken."""

    places: tuple[tuple[int, str], ...]  # x, classes
    width: int


@dataclass(frozen=True, slots=True)
class Heap:
    """One row: single matches to press, or bundles when there are too many."""

    name: str
    count: int
    label: str  # 5 matches
    sticks: tuple[Stick, ...]
    gone: tuple[str, ...]  # classes of taken matches: `ash` for the last move's
    bundles: tuple[Bundle, ...]
    bits: str
    best: tuple[tuple[str, Badge], ...]  # of a large heap: how many to take, and its value
    last: str | None  # −3, by the last move
    chosen: bool  # in the form that takes by number


@dataclass(frozen=True, slots=True)
class NimBoard:
    """The heaps, their nim-sum, and the form that takes by number."""

    heaps: tuple[Heap, ...]
    takeable: tuple[Heap, ...]
    nim_sum: str
    nim_sum_words: str
    goal: str  # what to leave, in the variant that is played
    most: int  # that may be taken now
    count: int  # in the form that takes by number
    confirm: str  # Take 8 from e
    picked: str | None
    why: str | None
    prompt: str | None
    moved: str
    playable: bool
    rule: str
    aid: bool  # with binary digits and nim-sum
    template: str = "boards/_nim.html"
    opening: str = ""


@dataclass(frozen=True, slots=True)
class _Choice:
    """The picked and the hinted move, and the badges of all moves."""

    pick: Take | None
    hint: Take | None
    worths: dict[str, Badge]

    @property
    def filled_in(self) -> Take | None:
        """What the form takes: the move that was picked, or else the hint."""
        return self.pick or self.hint


def nim_board(scene: Scene) -> NimBoard:
    """The Nim board of a scene, with the matches that `pick` takes marked."""
    state: NimState = scene.state
    legal = state.legal_moves() if scene.may_move else ()
    choice = _Choice(
        _find_take(scene.pick or scene.answer, legal),
        _find_take(scene.hint, state.legal_moves()),
        badges_by_cell(scene),
    )
    pick = choice.pick
    heaps = tuple(_heap(scene, choice, at) for at in range(len(state.heaps)))
    return NimBoard(
        heaps=heaps,
        takeable=tuple(heap for heap in heaps if heap.count),
        nim_sum=f"{nim_sum(state):0{_digits(scene)}b}",
        nim_sum_words=_nim_sum_text(state),
        goal=_goal_text(state),
        most=max((take.count for take in legal), default=1),
        count=choice.filled_in.count if choice.filled_in else 1,
        confirm=_take_text(pick) if pick else "Take",
        picked=str(pick) if pick else None,
        why=None,
        prompt=f"{_take_text(pick)}?" if pick else None,
        moved=str(scene.last_move or ""),
        playable=scene.may_move,
        rule=_rule(state),
        aid=scene.aid,
    )


def _find_take(text: str | None, moves: tuple[Take, ...]) -> Take | None:
    return None if text is None else next((take for take in moves if str(take) == text), None)


def _heap(scene: Scene, choice: _Choice, at: int) -> Heap:
    name, count, began = ascii_lowercase[at], scene.state.heaps[at], scene.game.start.heaps[at]
    took = _taken_from(scene.last_move, at)
    apart = began <= MAX_SINGLE_STICKS
    return Heap(
        name=name,
        count=count,
        label="1 match" if count == 1 else f"{count} matches",
        sticks=_sticks(scene, choice, at) if apart else (),
        gone=tuple("ash" if gone < took else "" for gone in range(began - count)) if apart else (),
        bundles=() if apart else _bundles(scene, choice, at),
        bits=f"{remainders(scene.state)[at]:0{_digits(scene)}b}",
        best=() if apart else _best(choice, name),
        last=f"−{took}" if took else None,
        chosen=_taken_from(choice.filled_in, at) > 0,
    )


def _best(choice: _Choice, name: str) -> tuple[tuple[str, Badge], ...]:
    """The best moves from this heap by count; if there are many, as ranges of equal value."""
    few = [(text, worth) for text, worth in choice.worths.items() if worth.is_top]
    counts = sorted((int(text[1:]), worth) for text, worth in few if text[0] == name)
    if len(counts) <= MAX_BEST_LISTED:
        return tuple((str(count), worth) for count, worth in counts)
    rows: list[tuple[int, int, Badge]] = []
    for count, worth in counts:
        if rows and rows[-1][1:] == (count - 1, worth):
            rows[-1] = (rows[-1][0], count, worth)
        else:
            rows.append((count, count, worth))
    return tuple(
        (f"{first} to {last}" if last > first else str(first), worth)
        for first, last, worth in rows[:MAX_BEST_LISTED]
    )


def _taken_from(take: Take | None, at: int) -> int:
    """How many matches a move takes from this heap."""
    return take.count if take is not None and take.heap == at else 0


def _sticks(scene: Scene, choice: _Choice, at: int) -> tuple[Stick, ...]:
    holds: int = scene.state.heaps[at]
    most = scene.state.rules.most(holds) if scene.may_move else 0
    picked, hinted = _taken_from(choice.pick, at), _taken_from(choice.hint, at)
    name = ascii_lowercase[at]
    return tuple(
        _stick(
            at,
            holds,
            place,
            most,
            picked,
            hinted,
            choice.worths.get(f"{name}{holds - place}"),
            scene.one_tap,
        )
        for place in range(holds)
    )


@lru_cache(maxsize=4096)
def _stick(
    at: int,
    holds: int,
    place: int,
    most: int,
    picked: int,
    hinted: int,
    worth: Badge | None,
    one_tap: bool,
) -> Stick:
    """The match at that place from the left, which is taken with all to its right."""
    take = Take(at, holds - place)
    may = take.count <= most
    name = ascii_lowercase[at]
    looks = _stick_class(take.count, picked, hinted)
    return Stick(
        id=f"match-{name}{place + 1}",
        label=join_label(
            f"take {take.count} from row {name}" if may else f"row {name}, match {place + 1}",
            looks,
            worth.label if worth else "",
        ),
        action="move" if one_tap and may else _action(take.count, most, picked),
        value=str(take),
        classes=f"{looks} valued".strip() if worth else looks,
        badge=worth,
    )


def _action(count: int, most: int, picked: int) -> str:
    if not most:
        return "none"
    if count > most:
        return "ask"
    return "move" if count == picked else "pick"


def _stick_class(from_right: int, picked: int, hinted: int) -> str:
    """The class of the match with this number from the right."""
    if from_right <= picked:
        return "picked"
    return "hinted" if from_right <= hinted else ""


def _bundles(scene: Scene, choice: _Choice, at: int) -> tuple[Bundle, ...]:
    """As many as the row began with, so that nothing below it rises as matches are taken."""
    count, began = scene.state.heaps[at], scene.game.start.heaps[at]
    picked, hinted = _taken_from(choice.pick, at), _taken_from(choice.hint, at)
    looks = [_stick_class(count - place, picked, hinted) for place in range(count)]
    return tuple(
        Bundle(
            tuple((10 + 14 * n, look) for n, look in enumerate(looks[start : start + BUNDLE_SIZE])),
            6 + 14 * min(BUNDLE_SIZE, began - start),
        )
        for start in range(0, began, BUNDLE_SIZE)
    )


def _digits(scene: Scene) -> int:
    """The number of binary digits that the largest heap needs."""
    start: NimState = scene.game.start
    return start.rules.most(max(start.heaps)).bit_length()


def _nim_sum_text(state: NimState) -> str:
    most = state.rules.max_take
    if most is None:
        return "nim-sum: each column, added without carrying"
    return f"nim-sum of what is left over after {most + 1}s"


def _goal_text(state: NimState) -> str:
    """Which nim-sum to leave, and where the last match loses, from when on another."""
    if state.rules.last == "wins":
        return "The last match wins here: leave 0 and you win."
    if state.rules.max_take is None:
        turn = "only rows of 1 would be left: then leave an odd number of them"
    else:
        turn = "no row would have more than 1 left over: then leave an odd number of 1s"
    return f"The last match loses here: leave 0, unless {turn}."


def _take_text(take: Take) -> str:
    return f"Take {take.count} from {ascii_lowercase[take.heap]}"


def nim_move_text(state: NimState, take: Take) -> str:
    """`Take 4 from row d`."""
    return f"Take {take.count} from row {ascii_lowercase[take.heap]}"


def _rule(state: NimState) -> str:
    most = state.rules.max_take
    limit = "any number" if most is None else f"1 to {most}"
    return f"Take {limit} from one row. The last match {state.rules.last}."


@dataclass(frozen=True, slots=True)
class NimPicture:
    """A picture of the heaps: the places of the matches, x to the right and y down."""

    sticks: tuple[tuple[int, int], ...]
    gone: tuple[tuple[int, int], ...]  # taken by the last move
    width: int
    height: int
    template: str = "boards/nim_picture.html"
    prompt: str | None = None
    opening: str = ""
    why: str | None = None

    left: int = 0  # of the viewBox
    names: tuple[tuple[int, int, str], ...] = ()  # of the rows: x and y of their middle, text

    @property
    def parts(self) -> int:
        return len(self.sticks) + len(self.gone)

    def with_names(self) -> NimPicture:
        """The same with the names of the rows on their left."""
        rows = range(self.height // STICK_HEIGHT)
        names = tuple(
            (-NAME_MARGIN // 2, row * STICK_HEIGHT + STICK_HEIGHT // 2, ascii_lowercase[row])
            for row in rows
        )
        return replace(self, left=-NAME_MARGIN, width=self.width + NAME_MARGIN, names=names)


def nim_picture(scene: Scene) -> NimPicture:
    """The heaps as centred rows of matches."""
    state: NimState = scene.state
    start: NimState = scene.game.start
    take = scene.last_move
    taken = None if take is None else (take.heap, take.count)
    sticks, gone, width = stick_places(state.heaps, taken, max(start.heaps))
    return NimPicture(tuple(sticks), tuple(gone), width, len(state.heaps) * STICK_HEIGHT)
