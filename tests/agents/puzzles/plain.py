"""Rules and values of the three games written once more, on texts, for proofs of puzzles."""

from collections.abc import Callable, Iterator
from functools import cache

Value = tuple[int, int | None]  # for the side to move: 1, 0 or -1, and the plies if they are known
Plays = dict[str, str]  # move -> the position after it

OTHER = {"x": "o", "o": "x"}


def lines(rows: list[str]) -> Iterator[str]:
    size = range(len(rows))
    yield from rows
    yield from ("".join(rows[row][column] for row in size) for column in size)
    yield "".join(rows[at][at] for at in size)
    yield "".join(rows[at][len(rows) - 1 - at] for at in size)


def winner(text: str) -> str | None:
    """Who has a line; if both do, whoever did not make it, who is to move."""
    board, mover = text.split()
    full = {line[0] for line in lines(board.split("/")) if len(set(line)) == 1} - {"."}
    return mover if mover in full else next(iter(full), None)


def marks(text: str) -> Plays:
    """Tic-tac-toe."""
    board, mover = text.split()
    if winner(text):
        return {}
    rows = board.split("/")
    return {
        f"{'abc'[column]}{3 - row}": f"{_with(rows, row, column, mover)} {OTHER[mover]}"
        for row in range(3)
        for column in range(3)
        if rows[row][column] == "."
    }


def _with(rows: list[str], row: int, column: int, mark: str) -> str:
    changed = [list(cells) for cells in rows]
    changed[row][column] = mark
    return "/".join(map("".join, changed))


@cache
def pushes(text: str) -> Plays:
    """Quixo: take a cube out of a row or column, and push it in at either end."""
    board, mover = text.split()
    if winner(text):
        return {}
    rows = board.split("/")
    size = len(rows)
    found = {}
    for across in (True, False):
        across_rows = rows if across else list(map("".join, zip(*rows, strict=True)))
        for line in range(size):
            for place in range(size):
                if across_rows[line][place] == OTHER[mover]:
                    continue
                if 0 < line < size - 1 and 0 < place < size - 1:
                    continue
                rest = across_rows[line][:place] + across_rows[line][place + 1 :]
                for end, pushed in ((0, mover + rest), (size - 1, rest + mover)):
                    if end == place:
                        continue
                    after = [*across_rows[:line], pushed, *across_rows[line + 1 :]]
                    if not across:
                        after = list(map("".join, zip(*after, strict=True)))
                    cells = [(line, at) if across else (at, line) for at in (place, end)]
                    move = "-".join(f"{'abcde'[column]}{size - row}" for row, column in cells)
                    found[move] = f"{'/'.join(after)} {OTHER[mover]}"
    return found


def takes(text: str, limit: int) -> Plays:
    """Nim."""
    numbers, mover = text.split()
    heaps = [int(number) for number in numbers.split("-")]
    return {
        f"{'abcdefghijkl'[at]}{count}": "{} {}".format(
            "-".join(map(str, [*heaps[:at], heap - count, *heaps[at + 1 :]])), OTHER[mover]
        )
        for at, heap in enumerate(heaps)
        for count in range(1, min(heap, limit) + 1)
    }


@cache
def heaps_won(heaps: tuple[int, ...], last_wins: bool, limit: int) -> bool:
    """Whether the side to move wins, by trying everything."""
    if not any(heaps):
        return not last_wins
    return any(
        not heaps_won(
            tuple(sorted((*heaps[:at], heap - count, *heaps[at + 1 :]))), last_wins, limit
        )
        for at, heap in enumerate(heaps)
        for count in range(1, min(heap, limit) + 1)
    )


@cache
def marks_value(text: str) -> Value:
    """The value of a position of tic-tac-toe, by minimax."""
    if (won := winner(text)) is not None:
        return (1 if won == text[-1] else -1), 0
    plays = marks(text)
    if not plays:
        return 0, 0
    return max(map(seen, map(marks_value, plays.values())), key=merit)


def seen(value: Value) -> Value:
    return -value[0], None if value[1] is None else value[1] + 1


def merit(value: Value) -> tuple[int, int]:
    return value[0], -value[0] * (value[1] or 0)


@cache
def solved_pushes(size: int) -> dict[str, Value]:
    """The value of every position of a small Quixo that is reached from the start: what can be
    brought to an end is found by going over all again, the rest is drawn."""
    start = f"{'/'.join(['.' * size] * size)} x"
    after = {start: pushes(start)}
    waiting = [start]
    while waiting:
        for text in after[waiting.pop()].values():
            if text not in after:
                after[text] = pushes(text)
                waiting.append(text)
    known: dict[str, Value] = {
        text: (1 if won == text[-1] else -1, 0) for text in after if (won := winner(text))
    }
    ply = 0
    found = known
    while found:
        ply += 1
        found = {}
        for text in after.keys() - known.keys():
            values = [known.get(each) for each in after[text].values()]
            if any(value is not None and value[0] < 0 for value in values):
                found[text] = 1, ply
            elif all(value is not None and value[0] > 0 for value in values):
                found[text] = -1, ply
        known |= found
    return {text: known.get(text, (0, None)) for text in after}


def forced(text: str, plies: int, *, wins: bool) -> bool:
    """Whether the side to move of a Quixo board wins (or loses) by force within the plies."""
    if (won := winner(text)) is not None:
        return (won == text[-1]) == wins
    if not plies:
        return False
    quantifier: Callable[[Iterator[bool]], bool] = any if wins else all
    after = set(pushes(text).values())
    return quantifier(forced(each, plies - 1, wins=not wins) for each in after)
