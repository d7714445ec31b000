"""Monte Carlo samples: results of random games by first move, and the tree they grew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.exhibits import Sample, SampledNode, Samples
from agents.formats import counted, signed
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Link, Paths, Settings
from webapp.web.forms import Choice

MAX_ROW_BOARDS = 12
MAX_ROW_SHAPES = 240  # SVG shapes in the boards of a row
MAX_TREE_ROWS = 3  # the last ones of a long path
MAX_MOVE_ROWS = 20
EVEN_MARGIN = 0.1  # averages this close to 0 count as draws
TREE_PART = "tree"
PROVEN_TEXTS = {
    "win": ("▲", "proven win"),
    "draw": ("=", "proven draw"),
    "loss": ("▼", "proven loss"),
}


@dataclass(frozen=True, slots=True)
class SampledBoard:
    """A node of the tree: a position and the games through it."""

    path: str  # 0-4-2, for its id
    move: str
    others: str  # moves to the same position or its mirror image
    board: Board
    visits: str  # 162 games
    width: float  # of its bar, 0 to 1
    glyph: str
    tone: str  # win, draw or loss, for the seat that moves to it
    worth: str  # +0.44, or what is proven
    url: str
    framed: bool
    chosen: bool  # the agent's move


@dataclass(frozen=True, slots=True)
class SampledRow:
    """The replies to the position framed in the row above, most visited first."""

    title: str  # x to move
    nodes: tuple[SampledBoard, ...]
    others: tuple[Choice, ...]  # not drawn, but can be opened
    more: str
    untried: str  # 3 moves were never tried.


@dataclass(frozen=True, slots=True)
class SampledTree:
    """The rows of the open path, and why the last has no children."""

    rows: tuple[SampledRow, ...]
    note: str
    action: str
    fields: Settings


@dataclass(frozen=True, slots=True)
class SampleRow:
    """The games that began with one move or with equivalent ones."""

    moves: str
    visits: str
    width: float  # of its bar, 0 to 1
    mean: str
    tone: str  # win, draw or loss
    proven: str
    chosen: bool


class SamplesView(ExhibitView):
    """The games at the context's step of sampling, else at the last, with links to the others."""

    title = "The games it played out"
    template = "exhibits/samples.html"

    def __init__(self, exhibit: Samples, context: ExhibitContext) -> None:
        numbers = [games for games, _ in exhibit.stages]
        step = context.step if context.part is None else None
        at = numbers.index(step) if step in numbers else len(numbers) - 1
        games, sampled = exhibit.stages[at]
        samples = tuple(sorted(sampled, key=lambda sample: not context.plays(sample.move.split())))
        most_visits = max(sample.visits for sample in samples) or 1
        self.steps = steps = tuple(
            Link(f"{number:,}", context.turn_to(None, number), current=number == games)
            for number in numbers
        )
        self.earlier = steps[at - 1] if at else None
        self.later = steps[at + 1] if at + 1 < len(steps) else None
        when = "" if at + 1 == len(numbers) else "in the end "
        self.sentence = _sentence(games, samples, context, when)
        self.rest = _rest(samples)
        self.rows = tuple(
            _move_row(sample, most_visits, chosen=context.plays(sample.move.split()))
            for sample in samples[:MAX_MOVE_ROWS]
        )
        self.more = tuple(map(context.link_to, exhibit.more))
        self.growth = _tree_view(exhibit.tree, context) if context.part == TREE_PART else None
        self.ways = _tabs(exhibit, context, in_tree=self.growth is not None)


def _tone(mean: float, proven: str) -> str:
    """The proven result, else the average result of the games."""
    return proven or ("win" if mean > EVEN_MARGIN else "loss" if mean < -EVEN_MARGIN else "draw")


def _tree_view(tree: Sequence[SampledNode], context: ExhibitContext) -> SampledTree | None:
    """The tree with the context's path open; None if there is none."""
    if context.paths is None or not tree:
        return None
    rows = tuple(_rows(tree, context, context.paths))
    many = 3 * MAX_ROW_SHAPES // (4 * max(1, picture_for(context.game, context.state).parts))
    return SampledTree(
        rows=rows[-max(1, min(MAX_TREE_ROWS, many)) :],
        note=_note(tree, _open_nodes(tree, context.paths.open), context),
        action=context.paths.action,
        fields=context.paths.fields,
    )


def _children(tree: Sequence[SampledNode], above: int) -> list[int]:
    """The indices of a node's children; of the root's for -1."""
    return [place for place, node in enumerate(tree) if node.above == above]


def _open_nodes(tree: Sequence[SampledNode], path: tuple[int, ...]) -> list[int]:
    """The indices of the nodes along a path, as far as it exists."""
    places, above = [], -1
    for turn in path:
        children = _children(tree, above)
        if turn >= len(children):
            break
        above = children[turn]
        places.append(above)
    return places


def _rows(
    tree: Sequence[SampledNode], context: ExhibitContext, paths: Paths
) -> Iterator[SampledRow]:
    places = _open_nodes(tree, paths.open)
    state, above = context.state, -1
    for depth in range(len(places) + 1):
        framed = places[depth] if depth < len(places) else None
        children = _children(tree, above)
        if children:
            yield _tree_row(tree, children, framed, state, context, paths.open[:depth])
        if framed is not None:
            state = state.play(context.game.parse_move(tree[framed].moves[0]))
            above = framed


def _tree_row(
    tree: Sequence[SampledNode],
    children: list[int],
    framed: int | None,
    state: Any,
    context: ExhibitContext,
    path: tuple[int, ...],
) -> SampledRow:
    assert context.paths is not None
    most_visits = max(1, *(tree[place].visits for place in children))
    most_boards = min(
        MAX_ROW_BOARDS, max(3, MAX_ROW_SHAPES // max(1, picture_for(context.game, state).parts))
    )
    nodes = []
    others = []
    for turn, place in enumerate(children):
        node, here = tree[place], (*path, turn)
        if turn >= most_boards and place != framed:
            label = f"{node.moves[0]}: {counted(node.visits, 'game', 'games')}"
            others.append(Choice(".".join(map(str, here)), label, chosen=False))
            continue
        move = context.game.parse_move(node.moves[0])
        glyph, proven = PROVEN_TEXTS.get(node.proven, ("", ""))
        nodes.append(
            SampledBoard(
                path="-".join(map(str, here)),
                move=node.moves[0],
                others=_others_text(node),
                board=picture_for(context.game, state.play(move), move),
                visits=counted(node.visits, "game", "games"),
                width=round(node.visits / most_visits, 3),
                glyph=glyph,
                tone=_tone(node.mean, node.proven),
                worth=proven or signed(node.mean),
                url=context.paths.at(here),
                framed=place == framed,
                chosen=not path and context.plays(node.moves),
            )
        )
    untried = len(state.legal_moves()) - sum(len(tree[place].moves) for place in children)
    turn_word = "to move" if not path else "answers" if len(path) % 2 else "goes on"
    return SampledRow(
        title=f"{state.to_move.mark} {turn_word}",
        nodes=tuple(nodes),
        others=tuple(others),
        more=f"and {len(others)} more" if others else "",
        untried=f"{counted(untried, 'move was', 'moves were')} never tried." if untried else "",
    )


def _others_text(node: SampledNode) -> str:
    """The other moves to a node; only their number if there are many."""
    others = node.moves[1:]
    return f"and {len(others)} alike" if len(others) > 2 else " ".join(others)


def _note(tree: Sequence[SampledNode], places: list[int], context: ExhibitContext) -> str:
    if not places or _children(tree, places[-1]):
        return ""
    state = context.state
    for place in places:
        state = state.play(context.game.parse_move(tree[place].moves[0]))
    if state.outcome() is not None:
        return "The game is over there."
    if tree[places[-1]].visits > 1:
        return "The moves below this were visited too seldom to be kept."
    return "The tree has not grown further: from here on games were played out at random."


def _tabs(exhibit: Samples, context: ExhibitContext, *, in_tree: bool) -> tuple[Link, ...]:
    """The tabs; none if there is no tree to open."""
    if context.paths is None or not exhibit.tree:
        return ()
    return (
        Link("By first move", context.turn_to(None, None), current=not in_tree),
        Link("The tree that grew", context.turn_to(TREE_PART, None), current=in_tree),
    )


def _sentence(games: int, samples: tuple[Sample, ...], context: ExhibitContext, when: str) -> str:
    """How many moves were tried, which one most, and the choice if that is another."""
    seen = sum(sample.visits > 0 for sample in samples)
    top = max(samples, key=lambda sample: sample.visits)  # of equals the one it plays
    plays = f"{when}it plays {context.choice}" if context.choice else ""
    proofs = {word: sum(sample.proven == word for sample in samples) for word in ("win", "loss")}
    proven = "".join(
        f" {counted(number, 'move is', 'moves are')} proven to {verb}."
        for number, verb in ((proofs["win"], "win"), (proofs["loss"], "lose"))
        if number
    )
    if not seen:
        tried = "No game was played out"
    else:
        tried = (
            f"After {counted(games, 'game', 'games')} it has tried {seen} of {len(samples)} moves "
            f"that differ; most began with {top.move}: {top.visits:,}"
        )
    another = plays and not (seen and context.plays(top.move.split()))
    return f"{tried}; {plays}.{proven}" if another else f"{tried}.{proven}"


def _rest(samples: tuple[Sample, ...]) -> str:
    left = samples[MAX_MOVE_ROWS:]
    if not left:
        return ""
    games = sum(sample.visits for sample in left)
    return f"{counted(len(left), 'more move', 'more moves')} had {counted(games, 'game', 'games')}."


def _move_row(sample: Sample, most_visits: int, *, chosen: bool) -> SampleRow:
    return SampleRow(
        moves=sample.move,
        visits=f"{sample.visits:,}",
        width=round(sample.visits / most_visits, 4),
        mean=signed(sample.mean) if sample.visits else "–",
        tone=_tone(sample.mean, sample.proven),
        proven={"win": "▲ proven", "loss": "▼ proven", "draw": "= proven", "": ""}[sample.proven],
        chosen=chosen,
    )
