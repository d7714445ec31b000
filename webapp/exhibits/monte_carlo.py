"""Games played out at random: which move they began with and how they went, as they grew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.exhibits import Sample, SampledNode, Samples
from agents.formats import counted, signed
from webapp.boards import picture_for
from webapp.boards.scene import Board
from webapp.exhibits.exhibit import Link, Paths, Settings, Stand
from webapp.web.forms import Choice

MOST_DRAWN = 12  # boards in a row
MOST_PARTS = 240  # of which these boards are made: large ones are fewer
MAX_TREE_ROWS = 3  # the last ones of a long path
EVEN = 0.1  # within so much of 0 either way games went neither well nor badly
PROVEN = {"win": ("▲", "proven win"), "draw": ("=", "proven draw"), "loss": ("▼", "proven loss")}


@dataclass(frozen=True, slots=True)
class GrownNode:
    """One position of a row, and the games that came through it."""

    path: str  # 0-4-2, as an id has it
    move: str
    others: str  # that lead to the same position, or to its mirror image
    board: Board
    visits: str  # 162 games
    width: float  # of its bar, 0 to 1
    glyph: str
    tone: str  # win, draw or loss, for whoever moves to it
    worth: str  # +0.44, or what is proven
    url: str
    framed: bool
    chosen: bool  # what it plays


@dataclass(frozen=True, slots=True)
class GrownRow:
    """The answers to the position framed in the row above, most visited first."""

    title: str  # x to move
    nodes: tuple[GrownNode, ...]
    others: tuple[Choice, ...]  # that are not drawn but can be opened
    more: str
    untried: str  # 3 moves were never tried.


@dataclass(frozen=True, slots=True)
class Growth:
    """The rows of the open path, and why nothing stands below the last."""

    rows: tuple[GrownRow, ...]
    note: str
    action: str
    fields: Settings


def tone_of(mean: float, proven: str) -> str:
    """How games went: by what is proven, else by their average."""
    return proven or ("win" if mean > EVEN else "loss" if mean < -EVEN else "draw")


def growth_of(tree: Sequence[SampledNode], stand: Stand) -> Growth | None:
    """The tree as far as the address opens it; None where there is none to walk through."""
    if stand.paths is None or not tree:
        return None
    rows = tuple(_rows(tree, stand, stand.paths))
    many = 3 * MOST_PARTS // (4 * max(1, picture_for(stand.game, stand.state).parts))
    return Growth(
        rows=rows[-max(1, min(MAX_TREE_ROWS, many)) :],
        note=_note(tree, _opened(tree, stand.paths.open), stand),
        action=stand.paths.action,
        fields=stand.paths.fields,
    )


def _answers(tree: Sequence[SampledNode], above: int) -> list[int]:
    """The places of what answers a position."""
    return [place for place, node in enumerate(tree) if node.above == above]


def _opened(tree: Sequence[SampledNode], path: tuple[int, ...]) -> list[int]:
    """The places along a path, as far as it leads anywhere."""
    places, above = [], -1
    for turn in path:
        answers = _answers(tree, above)
        if turn >= len(answers):
            break
        above = answers[turn]
        places.append(above)
    return places


def _rows(tree: Sequence[SampledNode], stand: Stand, paths: Paths) -> Iterator[GrownRow]:
    places = _opened(tree, paths.open)
    state, above = stand.state, -1
    for depth in range(len(places) + 1):
        framed = places[depth] if depth < len(places) else None
        answers = _answers(tree, above)
        if answers:
            yield _tree_row(tree, answers, framed, state, stand, paths.open[:depth])
        if framed is not None:
            state = state.play(stand.game.parse_move(tree[framed].moves[0]))
            above = framed


def _tree_row(
    tree: Sequence[SampledNode],
    answers: list[int],
    framed: int | None,
    state: Any,
    stand: Stand,
    path: tuple[int, ...],
) -> GrownRow:
    assert stand.paths is not None
    most = max(1, *(tree[place].visits for place in answers))
    room = min(MOST_DRAWN, max(3, MOST_PARTS // max(1, picture_for(stand.game, state).parts)))
    nodes = []
    others = []
    for turn, place in enumerate(answers):
        node, here = tree[place], (*path, turn)
        if turn >= room and place != framed:
            label = f"{node.moves[0]}: {counted(node.visits, 'game', 'games')}"
            others.append(Choice(".".join(map(str, here)), label, chosen=False))
            continue
        move = stand.game.parse_move(node.moves[0])
        glyph, proven = PROVEN.get(node.proven, ("", ""))
        nodes.append(
            GrownNode(
                path="-".join(map(str, here)),
                move=node.moves[0],
                others=_like_it(node),
                board=picture_for(stand.game, state.play(move), move),
                visits=counted(node.visits, "game", "games"),
                width=round(node.visits / most, 3),
                glyph=glyph,
                tone=tone_of(node.mean, node.proven),
                worth=proven or signed(node.mean),
                url=stand.paths.at(here),
                framed=place == framed,
                chosen=not path and stand.plays(node.moves),
            )
        )
    untried = len(state.legal_moves()) - sum(len(tree[place].moves) for place in answers)
    turn_word = "to move" if not path else "answers" if len(path) % 2 else "goes on"
    return GrownRow(
        title=f"{state.to_move.mark} {turn_word}",
        nodes=tuple(nodes),
        others=tuple(others),
        more=f"and {len(others)} more" if others else "",
        untried=f"{counted(untried, 'move was', 'moves were')} never tried." if untried else "",
    )


def _like_it(node: SampledNode) -> str:
    """What else leads there; many moves are counted."""
    others = node.moves[1:]
    return f"and {len(others)} alike" if len(others) > 2 else " ".join(others)


def _note(tree: Sequence[SampledNode], places: list[int], stand: Stand) -> str:
    if not places or _answers(tree, places[-1]):
        return ""
    state = stand.state
    for place in places:
        state = state.play(stand.game.parse_move(tree[place].moves[0]))
    if state.outcome() is not None:
        return "The game is over there."
    if tree[places[-1]].visits > 1:
        return "What grew below this was visited too seldom to be kept."
    return "The tree has not grown further: from here on games were played out at random."


MAX_MOVE_ROWS = 20
TREE = "tree"


@dataclass(frozen=True, slots=True)
class SampleRow:
    """The games that began with one move, or with moves that come to the same."""

    moves: str
    visits: str
    width: float  # of its bar, 0 to 1
    mean: str
    tone: str  # win, draw or loss: how they went
    proven: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SamplesView:
    """One look at the games played out, and the ways to the others."""

    steps: tuple[Link, ...]
    earlier: Link | None
    later: Link | None
    sentence: str
    rest: str
    rows: tuple[SampleRow, ...]
    more: tuple[Link, ...]
    ways: tuple[Link, ...]  # by first move, or as the tree that grew
    growth: Growth | None
    title: str = "The games it played out"
    template: str = "exhibits/samples.html"
    sheets: tuple[str, ...] = ()
    press: str | None = None


def samples_view(shown: Samples, stand: Stand) -> SamplesView:
    """The look that the address names, else the last."""
    numbers = [games for games, _ in shown.stages]
    step = stand.step if stand.part is None else None
    at = numbers.index(step) if step in numbers else len(numbers) - 1
    games, sampled = shown.stages[at]
    samples = tuple(sorted(sampled, key=lambda sample: not stand.plays(sample.move.split())))
    steps = tuple(
        Link(f"{number:,}", stand.turn_to(None, number), current=number == games)
        for number in numbers
    )
    most = max(sample.visits for sample in samples) or 1
    growth = growth_of(shown.tree, stand) if stand.part == TREE else None
    return SamplesView(
        steps=steps,
        earlier=steps[at - 1] if at else None,
        later=steps[at + 1] if at + 1 < len(steps) else None,
        sentence=_sentence(games, samples, stand, "" if at + 1 == len(numbers) else "in the end "),
        rest=_rest(samples),
        rows=tuple(
            _move_row(sample, most, chosen=stand.plays(sample.move.split()))
            for sample in samples[:MAX_MOVE_ROWS]
        ),
        more=tuple(Link(offer.label, stand.look_at(offer.settings)) for offer in shown.more),
        ways=_ways(shown, stand, in_tree=growth is not None),
        growth=growth,
    )


def _ways(shown: Samples, stand: Stand, *, in_tree: bool) -> tuple[Link, ...]:
    """Nothing to choose from where no tree is walked through."""
    if stand.paths is None or not shown.tree:
        return ()
    return (
        Link("By first move", stand.turn_to(None, None), current=not in_tree),
        Link("The tree that grew", stand.turn_to(TREE, None), current=in_tree),
    )


def _sentence(games: int, samples: tuple[Sample, ...], stand: Stand, when: str) -> str:
    """Which moves were looked at, which of them most, and which it plays where that is another."""
    seen = sum(sample.visits > 0 for sample in samples)
    top = max(samples, key=lambda sample: sample.visits)  # of equals the one it plays
    plays = f"{when}it plays {stand.choice}" if stand.choice else ""
    proofs = {word: sum(sample.proven == word for sample in samples) for word in ("win", "loss")}
    proven = "".join(
        f" {counted(number, 'move is', 'moves are')} proven to {verb}."
        for number, verb in ((proofs["win"], "win"), (proofs["loss"], "lose"))
        if number
    )
    if not seen:
        told = "No game was played out"
    else:
        told = (
            f"After {counted(games, 'game', 'games')} it has tried {seen} of {len(samples)} moves "
            f"that differ; most began with {top.move}: {top.visits:,}"
        )
    another = plays and not (seen and stand.plays(top.move.split()))
    return f"{told}; {plays}.{proven}" if another else f"{told}.{proven}"


def _rest(samples: tuple[Sample, ...]) -> str:
    left = samples[MAX_MOVE_ROWS:]
    if not left:
        return ""
    games = sum(sample.visits for sample in left)
    return f"{counted(len(left), 'more move', 'more moves')} had {counted(games, 'game', 'games')}."


def _move_row(sample: Sample, most: int, *, chosen: bool) -> SampleRow:
    return SampleRow(
        moves=sample.move,
        visits=f"{sample.visits:,}",
        width=round(sample.visits / most, 4),
        mean=signed(sample.mean) if sample.visits else "–",
        tone=tone_of(sample.mean, sample.proven),
        proven={"win": "▲ proven", "loss": "▼ proven", "draw": "= proven", "": ""}[sample.proven],
        chosen=chosen,
    )
