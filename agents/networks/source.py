"""A network as Python source for `agents.export`: its weights, and the search that it guides.

Every sum is rounded to 32 bits as the machine's are (`array("f")` does that), so that the file
finds the same favourite and visits the same positions.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from textwrap import wrap
from typing import Any

from agents.learner import Learner
from agents.networks.player import NetworkPlayer
from agents.networks.rules import Rules
from agents.networks.tree_search import EXPLORATION, MAX_DEPTH, URGENCY
from agents.quixo.source import quixo_rules
from engine.core import Game
from engine.options import Values

LINE_CHARS = 96
IMPORTS = """\
import sys
from array import array
from base64 import b64decode
from itertools import repeat
from math import exp, sqrt, tanh
from operator import add, mul

"""
BOARD = '''
CELLS = [f"{column}{row}" for row in "123" for column in "abc"]
MOVES = {cell: 1 << at for at, cell in enumerate(CELLS)}
LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


def read(state):
    """The masks of the side to move and of the other, and who that is; bit 0 is a1."""
    board, mover = state.split()
    marks = "".join(reversed(board.split("/")))
    x, o = (sum(1 << at for at, mark in enumerate(marks) if mark == who) for who in "xo")
    return (x, o, mover) if mover == "x" else (o, x, mover)


def can_play(own, other, move):
    return not (own | other) & MOVES[move]


def played(own, other, move):
    return other, own | MOVES[move]


def result(own, other):
    """-1 where the side to move has lost, DRAWN on a full board, else 0."""
    if any(other & line == line for line in LINES):
        return -1
    return DRAWN if own | other == 0o777 else 0
'''
QUIXO = """

def can_play(own, other, move):
    return not MOVES[move][0] & other


played = pushed
"""
MASK_INPUTS = '''

def inputs(own, other):
    """The numbers of the inputs that are 1: the own cells, and after them the other's."""
    cells = len(CELLS)
    for cell in range(cells):
        if own >> cell & 1:
            yield cell
        elif other >> cell & 1:
            yield cells + cell
'''
HEAPS = '''
OFFSETS = {offsets}  # the first input of each heap
MOVES = {{move: ("abcdefghij".index(move[0]), int(move[1:])) for move in """{moves}""".split()}}


def read(state):
    """The heaps; both sides see the same."""
    heaps, mover = state.split()
    return tuple(map(int, heaps.split("-"))), 0, mover


def can_play(heaps, other, move):
    heap, count = MOVES[move]
    return heaps[heap] >= count


def played(heaps, other, move):
    heap, count = MOVES[move]
    return tuple(left - count * (at == heap) for at, left in enumerate(heaps)), 0


def result(heaps, other):
    """Of who is to move when nothing is left."""
    return 0 if any(heaps) else {empty}


def inputs(heaps, other):
    """The numbers of the inputs that are 1: {told}."""
    for offset, heap in zip(OFFSETS, heaps):
        {inputs}
'''
PLAIN, BINARY = (
    "yield offset + heap",
    """for digit in range(heap.bit_length()):
            if heap >> digit & 1:
                yield offset + digit""",
)
NETWORK = '''
WON, LOST, DRAWN = 1, -1, 2  # for the side to move
INPUTS, HIDDEN, OUTPUTS = {shape}
WEIGHTS = array("f", b64decode("".join(LINES_OF_WEIGHTS.split())))
if sys.byteorder == "big":
    WEIGHTS.byteswap()


def rows(start, count, width):
    """So many rows of the weights, and where the next ones begin."""
    end = start + count * width
    return [WEIGHTS[at : at + width] for at in range(start, end, width)], end


FIRST, at = rows(0, INPUTS, HIDDEN)
(FIRST_BIAS,), at = rows(at, 1, HIDDEN)
SECOND, at = rows(at, HIDDEN, HIDDEN)
(SECOND_BIAS,), at = rows(at, 1, HIDDEN)
POLICY, at = rows(at, HIDDEN, OUTPUTS)
(POLICY_BIAS,), at = rows(at, 1, OUTPUTS)
(VALUE,), at = rows(at, 1, HIDDEN)
((VALUE_BIAS,),), at = rows(at, 1, 1)


def single(number):
    """The number rounded to 32 bits, as all sums here are."""
    return array("f", [number])[0]


def forward(active):
    """The favour of each move, and a guess who wins: two layers that cut off what is negative."""
    first, second, favours, total = FIRST_BIAS, SECOND_BIAS, POLICY_BIAS, VALUE_BIAS
    for at in active:
        first = array("f", map(add, first, FIRST[at]))
    for level, row in zip(first, SECOND):
        if level > 0:
            second = array("f", map(add, second, array("f", map(mul, repeat(level), row))))
    for level, row, weight in zip(second, POLICY, VALUE):
        if level > 0:
            favours = array("f", map(add, favours, array("f", map(mul, repeat(level), row))))
            total = single(total + single(level * weight))
    return favours, single(tanh(total))
'''
POLICY = '''

def policy(favours, numbers):
    """The chance of each of these moves, by their favours."""
    highest = max(favours[number] for number in numbers)
    raised = [single(exp(single(favours[number] - highest))) for number in numbers]
    total = 0.0
    for chance in raised:
        total = single(total + chance)
    return [single(chance / total) for chance in raised]
'''
NUMBERS = """

NUMBER = {move: number for number, move in enumerate(MOVES)}
"""
ALONE = '''

def chances(state, legal):
    """The move that the network likes best."""
    own, other, _ = read(state)
    moves = [move for move in MOVES if can_play(own, other, move)]
    favours, _ = forward(inputs(own, other))
    highest = max(favours[NUMBER[move]] for move in moves)
    best = [move for move in moves if favours[NUMBER[move]] == highest]
    return {move: 1 / len(best) for move in best}
'''
SEARCH = """
SIMULATIONS = {simulations}
EXPLORATION, URGENCY = {exploration}, {urgency}  # how much the network's favour counts
MAX_DEPTH = {depth}  # plies
PLIES, REPETITION = {plies}, {repetition}  # that make a draw
"""
TREE = '''

class Node:
    """A position, and what is known of it for the side to move there."""

    def __init__(self, own, other, move):
        self.own, self.other, self.move = own, other, move
        self.children = []
        self.prior, self.visits, self.total = 0.0, 0, 0.0
        self.proven = self.plies = 0

    @property
    def score(self):
        return 0.0 if self.proven == DRAWN else float(self.proven)

    def expand(self, path):
        """Add a child for every move; `path` has all positions up to this one."""
        for move in MOVES:
            if not can_play(self.own, self.other, move):
                continue
            child = Node(*played(self.own, self.other, move), move)
            child.proven = result(child.own, child.other)
            if not child.proven and is_drawn((child.own, child.other), path):
                child.proven = DRAWN
            self.children.append(child)
        self.prove()

    def prove(self):
        """Won if one move leads to a lost position; else, if all are proven, the best of them."""
        lost = [child.plies + 1 for child in self.children if child.proven == LOST]
        if lost:
            self.proven, self.plies = WON, min(lost)
        elif self.children and all(child.proven for child in self.children):
            won = [child.plies + 1 for child in self.children if child.proven == WON]
            drawn = len(won) < len(self.children)
            self.proven, self.plies = (DRAWN, 0) if drawn else (LOST, max(won))

    def evaluate(self):
        """The network's guess; the children get their chances."""
        favours, value = forward(inputs(self.own, self.other))
        if self.children:
            numbers = [NUMBER[child.move] for child in self.children]
            for child, chance in zip(self.children, policy(favours, numbers)):
                child.prior = chance
        return value

    def select(self):
        """The child to look at next: good so far, liked by the network, or seldom tried."""
        unvisited = self.total / max(1, self.visits) - URGENCY
        scale = EXPLORATION * sqrt(self.visits)
        best, highest = None, float("-inf")
        for child in self.children:
            if child.proven == WON:
                continue
            worth = unvisited
            if child.proven:
                worth = -child.score
            elif child.visits:
                worth = -child.total / child.visits
            score = worth + scale * child.prior / (1 + child.visits)
            if score > highest:
                best, highest = child, score
        return best


def is_drawn(position, path):
    """Whether the game is a draw with this position after those, by its length or a repetition."""
    if len(path) >= PLIES:
        return True
    same = sum(path[at] == position for at in range(len(path) - 2, -1, -2))
    return REPETITION > 0 and 1 + same >= REPETITION


def simulate(root, path):
    """Walk to a new position, evaluate it, and tell all positions on the way."""
    nodes, path = [root], list(path)
    while True:
        node = nodes[-1].select()
        nodes.append(node)
        path.append((node.own, node.other))
        if node.proven or len(nodes) > MAX_DEPTH:
            break
        if not node.children:
            node.expand(path)
            break
    if node.proven:
        value = node.score
    elif node.visits and not node.children:
        value = node.total / node.visits
    else:
        value = node.evaluate()
    while True:
        node = nodes.pop()
        node.visits += 1
        node.total += value
        if not nodes:
            break
        above, value = nodes[-1], -value
        if not above.proven:
            above.prove()
        if above.proven:
            value = above.score


def preference(root, child):
    """More is better: the proven result if there is one, else visits, then the network."""
    if root.proven:
        worth = -child.score if child.proven else -2.0
        plies = child.plies + 1 if child.proven in (WON, LOST) else 0
        return worth, -worth * plies, 0.0
    if child.proven == WON:
        return -1.0, 0.0, 0.0
    return 0.0, float(child.visits), child.prior


def chances(state, legal, earlier=()):
    """The move that the search looked at most."""
    own, other, _ = read(state)
    path = [(one, two) for one, two, _ in earlier] + [(own, other)]
    root = Node(own, other, None)
    root.expand(path)
    root.total, root.visits = root.evaluate(), 1
    for _ in range(SIMULATIONS):
        if root.proven:
            break
        simulate(root, path)
    found = {child.move: preference(root, child) for child in root.children}
    best = [move for move in found if found[move] == max(found.values())]
    return {move: 1 / len(best) for move in best}
'''


def source_of(learner: Learner) -> Callable[[Game[Any, Any], Values], str | None]:
    """The `source` of a roster entry whose agents are networks."""

    def source(game: Game[Any, Any], options: Values) -> str | None:
        made = learner.make(game, options)
        return network_source(made) if isinstance(made, NetworkPlayer) else None

    return source


def network_source(player: NetworkPlayer) -> str:
    """`chances` of a network: its favourite move, or what a search with it finds."""
    text = b64encode(player.flat.astype("<f4").tobytes()).decode()
    weights = "\n".join(wrap(text, LINE_CHARS))
    network = NETWORK.format(shape=tuple(player.shape))
    parts = [IMPORTS, _rules(player.game, player.rules), network, NUMBERS + ALONE]
    if player.simulations:
        rules = player.rules
        settings = SEARCH.format(
            simulations=player.simulations,
            exploration=EXPLORATION,
            urgency=URGENCY,
            depth=MAX_DEPTH,
            plies=rules.plies,
            repetition=rules.repetition,
        )
        parts[-1:] = [POLICY, NUMBERS, settings, TREE]
    return f'{parts[0]}LINES_OF_WEIGHTS = """\n{weights}\n"""\n' + "".join(parts[1:])


def _rules(game: Game[Any, Any], rules: Rules) -> str:
    """How positions are read, played and seen by the network."""
    if game.key == "tictactoe":
        return BOARD + MASK_INPUTS
    if game.key == "quixo":
        return quixo_rules(game) + QUIXO + MASK_INPUTS
    return HEAPS.format(
        offsets=rules.offsets.tolist(),
        moves=" ".join(map(str, game.all_moves)),
        empty=-1 if rules.last_wins else 1,
        told="the digits of every heap" if rules.binary else "the count of every heap",
        inputs=BINARY if rules.binary else PLAIN,
    )
