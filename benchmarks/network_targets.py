"""What `network` reaches with its default preset: three seeds of each game, untrained beside it.

Run with `python -m benchmarks.network_targets [GAME …]`. Right is the share of positions in which
a move keeps the exact value: of all positions, on 4×4 of 2,000 sampled ones. On 5×5, which nobody
has solved, games are played from four random plies. CPU seconds are of one core and without the
curve, whose points are measurements.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, cast

from agents import load_agent, play_arena
from agents.networks.measurement import is_unsolved, moves_alone, moves_searched, truth_of
from agents.networks.player import NetworkPlayer
from agents.roster import read_agent
from agents.runs import read_learner
from agents.tabular.exact import beatable_seats
from agents.tabular.tables import tabulate
from agents.training.brain_files import brain_path, save
from agents.training.brains import Brain
from agents.training.loop import begin
from engine import load_game
from engine.core import Game

SEEDS = (1, 2, 3)
# Game, and the simulations with which its positions are searched.
GAMES = {
    "tictactoe": 32,
    "nim:preset=marienbad": 32,
    "nim:preset=normal": 32,
    "nim:preset=twenty-one": 32,
    "nim": 32,
    "quixo:size=3": 32,
    "quixo:size=4": 200,
    "quixo": 200,
}
OPPONENTS = ("quixo-deep:level=sharp", "mcts")
MATCH_GAMES, OPENING_PLIES = 100, 4


def brains(game: Game[Any, Any], seed: int) -> Iterator[tuple[str, Brain, float]]:
    """(what, brain, CPU seconds) before and after a training."""
    key, _, options = read_learner("network", game)
    entry, _ = read_agent("network", game)
    learner = cast("Any", entry.train).__self__
    total, _ = learner.plan(game, options)
    callbacks = learner.callbacks(game, options, seed, None)
    new = begin(key, game, options, seed, "")
    for what, steps in (("untrained", 0), ("trained", total)):
        begun = process_time()
        if steps:
            callbacks.learn(0, steps)
        seconds = process_time() - begun
        yield what, Brain(key, game.spec, new.parameters, seed, steps, callbacks.arrays()), seconds


def shares(game: Game[Any, Any], player: NetworkPlayer, simulations: int) -> str:
    truth = truth_of(game)
    alone, _ = moves_alone(truth, player.rules, player.weights, player.shape)
    searched = moves_searched(truth, simulations, player.rules, player.weights, player.shape)
    text = f"right {truth.share(alone):.1%}, with {simulations} simulations "
    text += f"{truth.share(searched):.1%} of {len(truth.states):,}"
    if game.key != "tictactoe":
        return text
    tables = tabulate(game)
    beaten = [seat.mark for seat in beatable_seats(tables, tables.policy(player))]
    return f"{text}, {'beatable as ' + ' and '.join(beaten) if beaten else 'unbeatable'}"


def results(game: Game[Any, Any], spec: str) -> str:
    texts = []
    for opponent in OPPONENTS:
        table = play_arena(game, (spec, opponent), games=MATCH_GAMES, opening=OPENING_PLIES, seed=1)
        score = next(each.score for each in table.standings if each.spec.startswith("network"))
        low, high = score.interval()
        texts.append(f"{score.rate:.1%} ({low:.1%} to {high:.1%}) against {opponent}")
    return ", ".join(texts)


def measure(spec: str, simulations: int) -> None:
    game = load_game(spec)
    for seed in SEEDS:
        for what, brain, seconds in brains(game, seed):
            name = f"{what}-{seed}"
            save(brain, brain_path(name))
            agent = f"network:brain={name}"
            if is_unsolved(game):
                found = results(game, f"{agent},search={simulations}")
            else:
                player = cast("NetworkPlayer", load_agent(agent, game).agent)
                found = shares(game, player, simulations)
            time = f" after {brain.steps:,} games, {seconds:.1f} CPU s" if brain.steps else ""
            sys.stdout.write(f"{spec}, seed {seed}, {what}{time}: {found}\n")
            sys.stdout.flush()


def main() -> None:
    with TemporaryDirectory() as place:
        os.environ["ZERMELO_DATA"] = place
        for spec in sys.argv[1:] or GAMES:
            measure(spec, GAMES[spec])


if __name__ == "__main__":
    main()
