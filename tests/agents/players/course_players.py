"""Players as students of the course write them, in all their ways; each is a set of files.

All of it is written for these tests: nobody's hand-in is copied.
"""

from __future__ import annotations

import json
from pathlib import Path

Files = dict[str, str]


def written(directory: Path, files: Files) -> Path:
    """Write the files into a directory."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


RIM_MOVES = """
def rim_moves(board, player):
    found = []
    for y in range(5):
        for x in range(5):
            if (x in (0, 4) or y in (0, 4)) and board[y][x] in (-1, player):
                found += [((x, y), side) for side, barred in (
                    (Move.TOP, y == 0), (Move.BOTTOM, y == 4),
                    (Move.LEFT, x == 0), (Move.RIGHT, x == 4)) if not barred]
    return found
"""

# The course's own game, changed as students change it; the board as NumPy 1 allowed it.
OWN_GAME = """
import numpy as np
from copy import deepcopy
from enum import Enum
from abc import ABC, abstractmethod


class Move(Enum):
    TOP = 0
    BOTTOM = 1
    LEFT = 2
    RIGHT = 3


class Player(ABC):
    def __init__(self) -> None:
        self.wins = 0

    @abstractmethod
    def make_move(self, game: 'Game') -> tuple:
        pass


class Game(object):
    def __init__(self) -> None:
        self._board = np.ones((5, 5), dtype=np.uint8) * -1
        self.current_player_idx = 1
        self.history = []

    def get_board(self):
        return deepcopy(self._board)

    def get_current_player(self):
        return self.current_player_idx

    def check_winner(self):
        for player in (0, 1):
            mine = self._board == player
            if mine.all(axis=0).any() or mine.all(axis=1).any():
                return player
            if mine.diagonal().all() or np.fliplr(mine).diagonal().all():
                return player
        return -1

    def possible_moves(self, player):
        found = []
        for y in range(5):
            for x in range(5):
                for side in Move:
                    copied = deepcopy(self)
                    if copied.move((x, y), side, player):
                        found.append(((x, y), side))
        return found

    def move(self, from_pos, slide, player):
        x, y = from_pos
        if not (x in (0, 4) or y in (0, 4)) or self._board[y, x] == 1 - player:
            return False
        if (slide, True) in ((Move.TOP, y == 0), (Move.BOTTOM, y == 4),
                             (Move.LEFT, x == 0), (Move.RIGHT, x == 4)):
            return False
        rest = np.delete(self._board[y] if slide in (Move.LEFT, Move.RIGHT) else self._board[:, x],
                         x if slide in (Move.LEFT, Move.RIGHT) else y)
        line = np.insert(rest, 0 if slide in (Move.TOP, Move.LEFT) else 4, player)
        if slide in (Move.LEFT, Move.RIGHT):
            self._board[y] = line
        else:
            self._board[:, x] = line
        return True
"""

QUIXO: dict[str, Files] = {
    "no argument, any cube, illegal ones too": {
        "main.py": """
import random
from game import Game, Move, Player


class RandomPlayer(Player):
    def __init__(self) -> None:
        super().__init__()

    def make_move(self, game: 'Game') -> tuple[tuple[int, int], Move]:
        from_pos = (random.randint(0, 4), random.randint(0, 4))
        move = random.choice([Move.TOP, Move.BOTTOM, Move.LEFT, Move.RIGHT])
        return from_pos, move


class MyPlayer(Player):
    def __init__(self) -> None:
        super().__init__()

    def make_move(self, game: 'Game') -> tuple[tuple[int, int], Move]:
        return RandomPlayer().make_move(game)


if __name__ == '__main__':
    g = Game()
    g.print()
    player1 = MyPlayer()
    player2 = RandomPlayer()
    winner = g.play(player1, player2)
    print(f"Winner: Player {winner}")
"""
    },
    "player_id": {
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """

class Rules(Player):
    def __init__(self, player_id):
        super().__init__()
        self.player_id = player_id

    def make_move(self, game):
        assert game.get_current_player() == self.player_id
        return rim_moves(game.get_board(), self.player_id)[-1]
"""
    },
    "the seat has a default": {
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """

class Defaulted(Player):
    def __init__(self, depth=3, player: int = 0):
        self.player = player

    def make_move(self, game: Game):
        board = game.get_board()
        own = [move for move in rim_moves(board, self.player)
               if board[move[0][1]][move[0][0]] == self.player]
        return (own or rim_moves(board, self.player))[0]
"""
    },
    "_Game__move on a copy": {
        "main.py": """
from copy import deepcopy
import random
from game import Game, Move, Player


class OnePly(Player):
    def __init__(self, game: Game, max_depth: int):
        super().__init__()
        assert max_depth == 2
        assert isinstance(game, Game)

    def make_move(self, game: Game):
        me = game.get_current_player()
        legal = []
        for x in range(5):
            for y in range(5):
                for slide in Move:
                    copied = deepcopy(game)
                    if copied._Game__move((x, y), slide, me):
                        if copied.check_winner() == me:
                            return (x, y), slide
                        legal.append(((x, y), slide))
        return random.choice(legal)
"""
    },
    "reads ._board": {
        "main.py": """
import numpy as np
from game import Game, Move, Player


class Peeks(Player):
    def __init__(self, idx: int) -> None:
        super().__init__()
        self.idx = idx

    def make_move(self, game: Game):
        places = np.argwhere((game._board == -1) | (game._board == self.idx))
        for row, column in places[::-1]:
            if row in (0, 4):
                return (column, row), Move.BOTTOM if row == 0 else Move.TOP
        for row, column in places:
            if column in (0, 4):
                return (column, row), Move.RIGHT if column == 0 else Move.LEFT
"""
    },
    "its own changed game.py, uint8 * -1": {
        "game.py": OWN_GAME,
        "main.py": """
import random
from game import Game, Player


class Changed(Player):
    def make_move(self, game: "Game"):
        game.history.append(game.get_board())
        return random.choice(game.possible_moves(game.get_current_player()))
""",
    },
    "a subclass of Game in its annotation": {
        "main.py": "import game\nfrom game import Move, Player\n"
        + RIM_MOVES
        + """

class LongGame(game.Game):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def moves(self):
        return rim_moves(self._board, self.current_player_idx)


class OtherGame(game.Game):
    pass


class Annotated(Player):
    def make_move(self, game: LongGame):
        game.seen += 1
        return game.moves()[game.seen % 3]
"""
    },
    "the only subclass of Game": {
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """

class QuixoGame(Game):
    def __init__(self, board=None):
        super().__init__()

    def legal(self):
        return rim_moves(self._board, self.current_player_idx)


class Untyped(Player):
    def make_move(self, game):
        return game.legal()[0]
"""
    },
    "always player 1": {
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """

class AlwaysOne(Player):
    def __init__(self):
        self.me = 1

    def make_move(self, game):
        board = game.get_board()
        moves = rim_moves(board, self.me)
        own = [((x, y), side) for (x, y), side in moves if board[y, x] == self.me]
        return own[0] if own else moves[0]
"""
    },
    "remembers its match": {
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """

class Remembers(Player):
    def __init__(self, player_index):
        self.me = player_index
        self.asked = 0
        self.game = None

    def make_move(self, game):
        assert self.game is None or self.game is game, "another game"
        self.game = game
        self.asked += 1
        if self.asked == 1:
            assert (game.get_board() != -1).sum() <= 1, "not the first move"
        return rim_moves(game.get_board(), self.me)[self.asked % 5]
"""
    },
    "plays on the real game, and changes it": {
        "main.py": """
import random
from game import Game, Move, Player


class Clumsy(Player):
    def make_move(self, game):
        me = game.current_player_idx
        before = game.get_board()
        assert (before == 1 - me).sum() <= 25
        while True:
            move = (random.randrange(5), random.randrange(5)), random.choice(list(Move))
            if game._Game__move(*move, me):
                break
        game.current_player_idx = 7
        game._board = None
        return move
"""
    },
    "its own game.py is broken": {
        "game.py": "import pygame_that_is_nowhere\n",
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """

class Broken(Player):
    def make_move(self, game):
        return rim_moves(game.get_board(), game.get_current_player())[0]
""",
    },
    "made by zermelo_player.py": {
        "main.py": "from game import Move, Player\n"
        + RIM_MOVES
        + """

class Needs(Player):
    def __init__(self, weights, me):
        self.weights, self.me = weights, me

    def make_move(self, game):
        moves = rim_moves(game.get_board(), self.me)
        return moves[len(self.weights) % len(moves)]
""",
        "zermelo_player.py": """
from main import Needs

def make(seat):
    return Needs({"line": 3, "cube": 1}, seat)
""",
    },
    "a file beside it, and a policy in a pickle": {
        "make_policy.py": "",
        "agent.py": """
import pickle
import os
from moves import rim_moves
from game import Player


class Policy:
    def __init__(self):
        self.first = 1


class Pickled(Player):
    def __init__(self, player_num: int):
        self.player_num = player_num
        with open("policy.txt", "rb") as file:
            self.policy = pickle.load(file)

    def make_move(self, game):
        return rim_moves(game.get_board(), self.player_num)[self.policy.first]
""",
        "moves.py": "from game import Move\n" + RIM_MOVES,
        # Protocol 0, so that it is text: an object of __main__.Policy with first = 2.
        "policy.txt": "ccopy_reg\n_reconstructor\n(c__main__\nPolicy\nc__builtin__\nobject\nNtR"
        "(dVfirst\nI2\nsb.",
    },
    "prints, and numbers its sides": {
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """
print("main.py is read")


class Prints(Player):
    def __init__(self, name="me", verbose=True):
        self.verbose = verbose

    def make_move(self, game):
        game.print()
        place, side = rim_moves(game.get_board(), game.get_current_player())[0]
        print("{" * 50, "I take", place, flush=True)
        return list(place), side.value
"""
    },
    "names libraries that are not here, and never uses them in a game": {
        "main.py": """
import torch_of_nowhere as torch
import torch_of_nowhere.nn as nn
import plots_of_nowhere.pyplot as plt
from tqdm.auto import tqdm, trange
from game import Game, Move, Player

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
plt.rcParams["figure.figsize"] = (3, 3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(25, 44)

    @torch.no_grad()
    def forward(self, x: torch.Tensor) -> "torch.Tensor":
        return self.layer(x)
"""
        + RIM_MOVES
        + """

class Bars(Player):
    def make_move(self, game):
        found = []
        with tqdm(total=3, desc="thinks") as bar:
            for move in tqdm(rim_moves(game.get_board(), game.get_current_player())):
                found.append(move)
                bar.update(1)
        return found[len(list(trange(3))) % len(found)]
"""
    },
    "reads arguments, and looks for its opponent's number": {
        "main.py": """
import argparse
from typing import Protocol
from game import Game, Move, Player

parser = argparse.ArgumentParser()
parser.add_argument("--games", type=int, default=10)
options = parser.parse_args()


class Strategy(Protocol):
    def make_move(self, game): ...
"""
        + RIM_MOVES
        + """

class Second(Player):
    def __init__(self, name, seed: int, me: int, opponent: int, symbol: None):
        assert me + opponent == 1 and symbol == me and seed == 0

    def make_move(self, game):
        return rim_moves(game.get_board(), game.get_current_player())[-1]
"""
    },
    "imported beside the random one of the template": {
        "main.py": """
import random
from best import MiniMaxPlayer
from game import Game, Move, Player


class RandomPlayer(Player):
    def make_move(self, game):
        assert False, "a baseline"
""",
        "best.py": "from game import Move, Player\n"
        + RIM_MOVES
        + """

class MiniMaxPlayer(Player):
    def __init__(self, player_idx):
        self.me = player_idx

    def make_move(self, game):
        return rim_moves(game.get_board(), self.me)[0]
""",
    },
    "made once in the file": {
        "main.py": "from game import Game, Move, Player\n"
        + RIM_MOVES
        + """

class Weighted(Player):
    def __init__(self, weights):
        self.weights = weights

    def make_move(self, game):
        return rim_moves(game.get_board(), game.get_current_player())[self.weights[0]]

best = Weighted([1, 2, 3])
"""
    },
    "in a package": {
        "__init__.py": "",
        "game.py": OWN_GAME,
        "players.py": """
import random
from .game import Game, Player


class Relative(Player):
    def make_move(self, game):
        return random.choice(game.possible_moves(game.get_current_player()))
""",
    },
}
# Which file is named, and what is told about it, where it is not just main.py.
TOLD = {
    "a file beside it, and a policy in a pickle": "agent.py",
    "in a package": "players.py",
    "made once in the file": "main.py:best",
}

NIM_HEAD = """
import logging
from collections import namedtuple
import random
from typing import Callable
from copy import deepcopy
from itertools import accumulate
from operator import xor

Nimply = namedtuple("Nimply", "row, num_objects")


class Nim:
    def __init__(self, num_rows: int, k: int = None) -> None:
        self._rows = [i * 2 + 1 for i in range(num_rows)]
        self._k = k

    def __bool__(self):
        return sum(self._rows) > 0

    def __str__(self):
        return "<" + " ".join(str(_) for _ in self._rows) + ">"

    @property
    def rows(self) -> tuple:
        return tuple(self._rows)

    @property
    def k(self) -> int:
        return self._k

    def nimming(self, ply: Nimply) -> None:
        row, num_objects = ply
        assert self._rows[row] >= num_objects
        assert self._k is None or num_objects <= self._k
        self._rows[row] -= num_objects
"""

PURE_RANDOM = """
def pure_random(state: Nim) -> Nimply:
    row = random.choice([r for r, c in enumerate(state.rows) if c > 0])
    num_objects = random.randint(1, state.rows[row])
    return Nimply(row, num_objects)
"""


def notebook(*cells: str) -> str:
    """A notebook of these code cells, after one of words."""
    words = {"cell_type": "markdown", "metadata": {}, "source": ["# Lab 2\n", "Nim"]}
    code = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell.splitlines(True)}
        for cell in cells
    ]
    return json.dumps({"cells": [words, *code], "nbformat": 4, "nbformat_minor": 5})


NIM: dict[str, Files] = {
    "a file": {
        "lab2.py": NIM_HEAD
        + PURE_RANDOM
        + """
def smallest(state: Nim) -> Nimply:
    row = min((c, r) for r, c in enumerate(state.rows) if c > 0)[1]
    return Nimply(row, 1)

logging.getLogger().setLevel(logging.INFO)
for game in range(10 ** 12):
    nim = Nim(5)
"""
    },
    "a notebook with loops and plots": {
        "lab2.ipynb": notebook(
            "%matplotlib inline\n!pip install tqdm\nimport matplotlib_of_nowhere.pyplot as plt\n"
            "from tqdm_of_nowhere import tqdm",
            NIM_HEAD,
            PURE_RANDOM,
            "def nim_sum(state: Nim) -> int:\n"
            "    *_, result = accumulate(state.rows, xor)\n"
            "    return result\n",
            "%%bash\necho nothing of Python",
            "this is (no Python",
            "NUM_MATCHES = 10 ** 12\nwon = 0\nfor m in tqdm(range(NUM_MATCHES)):\n    won += 1\n"
            "plt.plot([won])",
            "def evolve(generations):\n    weights = {'low': 0.1}\n"
            "    for _ in range(generations):\n        weights['low'] += 0.1\n"
            "    return weights\n"
            "GENERATIONS = 5\nbest = evolve(GENERATIONS)\nresult = evolve(10 ** 12)",
            "def strategy(state: Nim) -> Nimply:\n"
            "    assert best['low'] > 0.5\n"
            "    for row, c in enumerate(state.rows):\n"
            "        for n in range(1, c + 1):\n"
            "            result = deepcopy(state)\n"
            "            result.nimming(Nimply(row, n))\n"
            "            if nim_sum(result) == 0:\n"
            "                return Nimply(row, n)\n"
            "    return pure_random(state)\n",
            "strategy_wins = evaluate_of_nowhere(strategy)\nplt.show()",
        )
    },
    "classes of another file that is missing": {
        "lab3.ipynb": notebook(
            "from nim_lib_of_nowhere import Nim, Nimply\nimport random",
            "def mine(state: Nim):\n"
            "    rows = [r for r, c in enumerate(state.rows) if c]\n"
            "    return {'row': random.choice(rows), 'num_objects': 1}",
        )
    },
    "made from a dict of genes": {
        "lab2.py": NIM_HEAD
        + """
def make_strategy(genome: dict) -> Callable:
    def evolvable(state: Nim) -> Nimply:
        rows = [r for r, c in enumerate(state.rows) if c > 0]
        row = rows[0] if random.random() < genome["p"] else rows[-1]
        return Nimply(row, random.randint(1, state.rows[row]))
    return evolvable
"""
    },
    "a function of state and genes": {
        "lab2.py": NIM_HEAD
        + """
def ruled(state, genome):
    data = {"rows": [r for r, c in enumerate(state.rows) if c > 0]}
    return data["rows"][genome[0] % len(data["rows"])], 1
"""
    },
    "what it found in a loop that is left out": {
        "lab2.ipynb": notebook(
            NIM_HEAD + "from tqdm import tqdm\n",
            "class Individual:\n    def __init__(self, genes):\n        self.genes = genes\n"
            "population = [Individual([0.3]), Individual([0.7])]\nbest = population[0]\n"
            "for each in population:\n    if each.genes > best.genes:\n        best = each\n",
            "def chosen(state: Nim) -> Nimply:\n"
            "    moves = [(r, n) for r, c in enumerate(state.rows) for n in range(1, c + 1)]\n"
            "    return Nimply(*list(tqdm(moves))[int(best.genes[0] * len(moves))])\n",
        )
    },
    "a state of its own making": {
        "strategies.py": """
import random

class Nim:
    def __init__(self, num_rows):
        self.rows = [2 * i + 1 for i in range(num_rows)]
        self.turns = 0

    def nimming(self, row, num_objects):
        self.rows[row] -= num_objects

def greedy(state):
    row = state.rows.index(max(state.rows))
    state.nimming(row, state.rows[row])
    return row, max(1, 0 - state.rows[row] + 1)
"""
    },
    "the rows as a list, illegal at times": {
        "lab2.py": """
import random

def strategy(rows: list):
    return random.randrange(len(rows)), random.randint(1, max(rows))
"""
    },
}
NIM_TOLD = {
    "a file": "lab2.py",
    "a notebook with loops and plots": "lab2.ipynb:strategy",
    "classes of another file that is missing": "lab3.ipynb",
    "made from a dict of genes": 'lab2.py:make_strategy({"p": 0.25})',
    "a function of state and genes": "lab2.py:ruled([1, 2])",
    "what it found in a loop that is left out": "lab2.ipynb",
    "a state of its own making": "strategies.py:greedy",
    "the rows as a list, illegal at times": "lab2.py",
}

CS50_TICTACTOE = """
X = "X"
O = "O"
EMPTY = None


def player(board):
    flat = sum(board, [])
    return X if flat.count(X) == flat.count(O) else O


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY}


def result(board, action):
    i, j = action
    copied = [row[:] for row in board]
    copied[i][j] = player(board)
    return copied


def winner(board):
    lines = board + [list(column) for column in zip(*board)]
    lines += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for mark in (X, O):
        if [mark] * 3 in lines:
            return mark
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]


seen = {}


def value(board):
    key = str(board)
    if key not in seen:
        if terminal(board):
            seen[key] = utility(board)
        else:
            best = max if player(board) == X else min
            seen[key] = best(value(result(board, action)) for action in actions(board))
    return seen[key]


def minimax(board):
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value(result(board, action)))
"""

CS50_NIM = """
import random


class Nim:
    def __init__(self, initial=[1, 3, 5, 7]):
        self.piles = initial.copy()
        self.player = 0
        self.winner = None

    @classmethod
    def available_actions(cls, piles):
        return {(i, n) for i, pile in enumerate(piles) for n in range(1, pile + 1)}

    def move(self, action):
        pile, count = action
        self.piles[pile] -= count
        self.player = 1 - self.player
        if not any(self.piles):
            self.winner = self.player


class NimAI:
    def __init__(self, alpha=0.5, epsilon=0.1):
        self.q = {}
        self.alpha = alpha
        self.epsilon = epsilon

    def best(self, state):
        moves = Nim.available_actions(state)
        return max([self.q.get((tuple(state), move), 0) for move in moves], default=0)

    def update(self, old, action, new, reward):
        was = self.q.get((tuple(old), action), 0)
        self.q[tuple(old), action] = was + self.alpha * (reward + self.best(new) - was)

    def choose_action(self, state, epsilon=True):
        moves = sorted(Nim.available_actions(state))
        if epsilon and random.random() < self.epsilon:
            return random.choice(moves)
        return max(moves, key=lambda move: self.q.get((tuple(state), move), 0))


def train(n):
    ai = NimAI()
    for i in range(n):
        print(f"Playing training game {i + 1}")
        game = Nim()
        last = {0: None, 1: None}
        while game.winner is None:
            state = game.piles.copy()
            action = ai.choose_action(game.piles)
            last[game.player] = state, action
            game.move(action)
            new = game.piles.copy()
            if game.winner is not None:
                ai.update(state, action, new, -1)
                ai.update(*last[game.player], new, 1)
            elif last[game.player] is not None:
                ai.update(*last[game.player], new, 0)
    print("Done training")
    return ai
"""
