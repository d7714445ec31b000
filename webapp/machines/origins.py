"""Sources of each technique, taglines, and the showpiece position of each machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents.entry import Technique

TAGLINES: Mapping[Technique, str] = {
    Technique.RULES: "follows a rule that someone wrote",
    Technique.SEARCH: "looks ahead",
    Technique.LEARNING: "learned by playing",
    Technique.NETWORKS: "taught itself what to look for",
    Technique.EVOLUTION: "bred from winners",
    Technique.PERFECT: "has worked out every position",
    Technique.PLAYERS: "written by somebody here",
}


@dataclass(frozen=True, slots=True)
class Origin:
    """The first or best known publication of an idea."""

    who: str
    year: int
    work: str
    note: str = ""  # what is used here


BOUTON = Origin(
    "Charles L. Bouton",
    1901,
    "Nim, a game with a complete mathematical theory (Annals of Mathematics 3, 1901–02)",
    "The nim-sum of all heaps says who wins, and what to take.",
)
HOLLAND = Origin(
    "John H. Holland",
    1975,
    "Adaptation in Natural and Artificial Systems",
    "Parents are chosen by how well they do; children mix and change what these had.",
)
RECHENBERG = Origin(
    "Ingo Rechenberg",
    1973,
    "Evolutionsstrategie",
    "Children are a parent changed at random, and the best of them take its place.",
)

ORIGINS: Mapping[str, Origin] = {
    "random": Origin(
        "Émile Borel",
        1913,
        "Mécanique statistique et irréversibilité (Journal de Physique 3)",
        "Monkeys at typewriters. Everyone else is measured by how far chance alone gets.",
    ),
    "opportunist": Origin(
        "Allen Newell and Herbert A. Simon",
        1972,
        "Human Problem Solving",
        "Thoughts written as rules: if this, do that. Here is the plainest rule for any game: "
        "win if you can.",
    ),
    "greedy-heap": Origin(
        "Jack Edmonds",
        1971,
        "Matroids and the greedy algorithm (Mathematical Programming 1)",
        "To be greedy is to take the most at once and never look back; he showed where that is "
        "right. In Nim it is not.",
    ),
    "nim-sum": BOUTON,
    "nim-expert": BOUTON,
    "minimax": Origin(
        "Claude E. Shannon",
        1950,
        "Programming a computer for playing chess (Philosophical Magazine 41)",
        "Look a few moves ahead, let both sides choose what is best for them. That such games "
        "have a value at all is Zermelo's, 1913.",
    ),
    "alphabeta": Origin(
        "Donald E. Knuth and Ronald W. Moore",
        1975,
        "An analysis of alpha-beta pruning (Artificial Intelligence 6)",
        "Several had the idea in the 1950s; they showed what it saves.",
    ),
    "mcts": Origin(
        "Levente Kocsis and Csaba Szepesvári",
        2006,
        "Bandit based Monte-Carlo planning (ECML)",
        "Play out many games, and look closer where they go well; Rémi Coulom had the tree in the "
        "same year.",
    ),
    "quixo-deep": Origin(
        "Arthur L. Samuel",
        1959,
        "Some studies in machine learning using the game of checkers (IBM Journal 3)",
        "A search that learned, from playing itself, what a position is worth at the horizon; his "
        "second paper, of 1967, made full use of alpha-beta.",
    ),
    "qlearning": Origin(
        "Christopher J. C. H. Watkins",
        1989,
        "Learning from Delayed Rewards (thesis, Cambridge)",
        "One number for every move in every position, moved towards what came of it.",
    ),
    "reward-table": Origin(
        "Edward L. Thorndike",
        1911,
        "Animal Intelligence",
        "The law of effect: an action that led to something good is repeated more often.",
    ),
    "state-value": Origin(
        "Richard S. Sutton and Andrew G. Barto",
        1998,
        "Reinforcement Learning: An Introduction, chapter 1",
        "Their first example is this: tic-tac-toe by the value of the board you move to.",
    ),
    "menace": Origin(
        "Donald Michie",
        1963,
        "Experiments on the mechanization of game-learning (The Computer Journal 6)",
        "He built it of 304 matchboxes in 1961, told of it the same year, and played 220 games "
        "against it.",
    ),
    "network": Origin(
        "David Silver and others",
        2018,
        "A general reinforcement learning algorithm that masters chess, shogi, and Go through "
        "self-play (Science 362)",
        "A network guides a search, and learns from what the search found; this one is tiny.",
    ),
    "reinforce": Origin(
        "Ronald J. Williams",
        1992,
        "Simple statistical gradient-following algorithms for connectionist reinforcement "
        "learning (Machine Learning 8)",
        "Do more of what ended better than expected: the policy gradient, in its first form.",
    ),
    "dqn": Origin(
        "Volodymyr Mnih and others",
        2015,
        "Human-level control through deep reinforcement learning (Nature 518)",
        "Q-learning with a network in place of the table, on Atari games: it remembers moves, and "
        "checks itself against an older copy.",
    ),
    "neuroevolution": Origin(
        "Nikolaus Hansen and Andreas Ostermeier",
        2001,
        "Completely derandomized self-adaptation in evolution strategies (Evolutionary "
        "Computation 9)",
        "CMA-ES shapes the cloud that children are drawn from. To breed the weights of a network "
        "is older: Montana and Davis did it in 1989.",
    ),
    "ntuple": Origin(
        "Markus Thill, Patrick Koch and Wolfgang Konen",
        2012,
        "Reinforcement learning with n-tuples on the game Connect-4 (PPSN XII)",
        "Small tables for small parts of the board, added up; Simon Lucas brought them to board "
        "games in 2008.",
    ),
    "es-move": RECHENBERG,
    "es-rules": HOLLAND,
    "ea-table": HOLLAND,
    "es-mix": RECHENBERG,
    "quixo-evolved": Origin(
        "Kumar Chellapilla and David B. Fogel",
        1999,
        "Evolving neural networks to play checkers without relying on expert knowledge "
        "(IEEE Transactions on Neural Networks 10)",
        "Evolution finds how much a position is worth, not how far to look ahead.",
    ),
    "perfect": Origin(
        "Ernst Zermelo",
        1913,
        "Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels",
        "Every position is won, lost or drawn: that much he argued, for chess. To find which by "
        "working backwards from the ends, as is done here, came later.",
    ),
}


@dataclass(frozen=True, slots=True)
class Showpiece:
    """A position by its moves, and why it is interesting."""

    moves: str
    why: str
    open: str = ""  # the open path of its search tree, if it has one


# By game, for every machine.
DEFAULT_SHOWPIECES: Mapping[str, Showpiece] = {
    "nim": Showpiece("e6 d5", "Five heaps and one good answer: leave a nim-sum of 0."),
    "tictactoe": Showpiece(
        "a3 b2 c1", "x holds two corners and o the middle: a fork is in the air."
    ),
    "quixo": Showpiece(
        "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5", "A few cubes are turned, and no line is near yet."
    ),
}
# By machine and game, where another position shows more.
SHOWPIECES: Mapping[tuple[str, str], Showpiece] = {
    ("opportunist", "tictactoe"): Showpiece(
        "a3 b2 a2 c3", "x can win at once in column a, and it takes what is there."
    ),
    ("minimax", "tictactoe"): Showpiece(
        "a3 b2 a2",
        "x threatens to win in column a: a ply ahead, and it shows in every value.",
        open="0",
    ),
    ("alphabeta", "tictactoe"): Showpiece(
        "a3 b2 a2",
        "x threatens column a: once that is seen, most other answers need no look.",
        open="1",
    ),
    ("nim-sum", "nim"): Showpiece(
        "e9 d7 c5 b1", "Misère, near the end: here its rule leads it astray, and the expert turns."
    ),
    ("nim-expert", "nim"): Showpiece(
        "e9 d7 c5 b1", "Misère, near the end: one large heap is left, and the rule turns round."
    ),
    ("menace", "tictactoe"): Showpiece(
        "", "The first box, opened in every game in which it begins."
    ),
    ("network", "tictactoe"): Showpiece(
        "a3 c1", "Two corners are taken: the network has a favourite before it looks ahead."
    ),
    ("quixo-deep", "quixo"): Showpiece(
        "a1-a5 e3-a3 e5-a5 c1-c5 a4-e4 b1-b5 e1-a1 e2-a2",
        "Eight cubes are turned: value by depth, as it looks further and further.",
    ),
}


def showpiece(agent: str, game: str) -> Showpiece:
    """The position of a machine in a game, by their keys; the start in a package's game."""
    return (
        SHOWPIECES.get((agent, game))
        or DEFAULT_SHOWPIECES.get(game)
        or Showpiece("", "How a game begins.")
    )
