"""The Universal Game Interface both ways: engines play here, and ours play elsewhere."""

import sys
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import pytest

from agents import load_agent
from agents.players import ugi
from agents.players.ugi_engine import UgiEngine
from engine import load_game
from engine.catalog import all_variants
from engine.core import Ending
from tests.agents.players.bad_players import assert_none_left
from tests.agents.players.test_outside import game_of, written
from tests.agents.players.ugi_program import replayed
from tests.webapp.commands.command_line import assert_one_line, document, zermelo

pytestmark = pytest.mark.usefixtures("own_data")  # logs and brains
PROGRAM = Path(__file__).with_name("ugi_program.py")
GAMES = [game.spec for game in all_variants()]
ANSWER_TIMEOUT_S = 60


class InnerEngine:
    """Ours in a thread of this process, as a runner meets it: lines in, lines out."""

    def __init__(self, agent, game):
        self._in, self._out = SimpleQueue(), SimpleQueue()
        engine = UgiEngine(load_agent(agent, load_game(game)), self._out.put)
        Thread(target=engine.run, args=(iter(self._in.get, None),), daemon=True).start()

    def tell(self, line):
        self._in.put(line)

    def ask(self, line, head):
        """Its next line that begins like that, without the head."""
        self.tell(line)
        while not (answer := self._out.get(timeout=ANSWER_TIMEOUT_S)).startswith(head):
            pass
        return answer.removeprefix(head).strip()

    def is_silent(self):
        try:
            return not self._out.get(timeout=0.2)
        except Empty:
            return True


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_engine_with_rules_of_its_own_plays_whole_matches_against_ours(game):
    engine = f"ugi={sys.executable} {PROGRAM}"
    for round_ in range(2):
        one, two = (engine, "random") if round_ == 0 else ("random", engine)
        played = game_of(one, two, game=game, round_=round_)
        assert (played.fault, played.outcome.ending is Ending.RESIGNATION) == (None, False)
        assert replayed(game, played.moves)[2] in (
            ("draw",) if played.outcome.winner is None else (int(played.outcome.winner),)
        )
    assert game_of(one, two, game=game, round_=round_) == played


@pytest.mark.parametrize("game", GAMES)
def test_in_a_runner_ours_plays_whole_matches_and_says_who_has_won(game):
    """As cutegames does: the position is told, then whose turn it is and whether it is over."""
    engine = InnerEngine("random", game)
    assert engine.ask("ugi", "ugiok") == ""
    engine.tell("setoption name seed value 5")
    assert engine.ask("isready", "readyok") == ""
    engine.tell("uginewgame")
    moves = []
    while True:
        engine.tell(ugi.position_line(None, moves))
        _, mover, winner = replayed(game, moves)
        assert engine.ask("query p1turn", "response") == str(mover == 0).lower()
        over = engine.ask("query gameover", "response") == "true"
        assert over == (winner is not None)
        if over:
            break
        moves.append(engine.ask("go movetime 50", "bestmove"))
    result = {0: "p1win", 1: "p2win", "draw": "draw"}[winner]
    assert engine.ask("query result", "response") == result
    engine.tell("quit")


def test_it_takes_any_limit_and_any_position_and_answers_what_it_cannot_do():
    engine = InnerEngine("alphabeta", "tictactoe")
    engine.tell("position fen xx./oo./... x")
    for limit in ("depth 2", "nodes 500", "movetime 100", "p1time 2000 p2time 9 p1inc 0 p2inc 0"):
        assert engine.ask(f"go {limit}", "bestmove") == "c3"
    engine.tell("go infinite")
    assert engine.is_silent()
    assert engine.ask("isready", "readyok") == ""
    assert engine.ask("stop", "bestmove") == "c3"
    assert "no such command" in engine.ask("sing", "info string")
    assert "z9" in engine.ask("position startpos moves z9", "info string")
    assert engine.ask("query p1turn", "response") == "true"  # the position stays
    engine.tell("position fen xxx/oo./... o")
    assert engine.ask("go depth 1", "bestmove") == ugi.NO_MOVE


@pytest.mark.slow
def test_ours_plays_ours_over_the_command_line():
    """`zermelo ugi` in a process, asked by `bot play`."""
    command = f"{sys.executable} -m webapp ugi perfect --game tictactoe"
    played = ("bot", "play", "--command", command, "--ugi", "--against", "perfect", "--games", 2)
    series = document(*played)
    assert series["first"] == series["second"] == {"wins": 0, "draws": 1, "losses": 0}
    assert_one_line(zermelo("bot", "check", "--command", command, "--ugi"), "--game")
    assert_one_line(zermelo("bot", "play", "./x.py", "--ugi", "--against", "random"), "--command")
    assert_one_line(zermelo("ugi", "perfect", "--game", "quixo"), "cannot play quixo")


def test_what_an_engine_says_is_its_reason():
    search = ugi.Search()
    assert search.read("info depth 4 score cp 12 nodes 300 pv a1 b2") is None
    assert search.read("bestmove a1")["reason"] == (
        "It looked 4 plies ahead at 300 positions and expects a1 b2."
    )
    assert ugi.Search().read("bestmove")["move"] == ""


FLOOD = "while True: print('info depth 1', flush=True)"
BAD = {
    "floods": (FLOOD, "it was not ready within"),
    "exits": ("sys.exit(1)", "its process ended"),
    "answers nonsense": (
        "for line in sys.stdin: print('ugiok\\nreadyok\\nbestmove z9', flush=True)",
        "it answered 'z9'",
    ),
    "floods as it thinks": (f"print('ugiok\\nreadyok', flush=True)\n{FLOOD}", "it did not answer"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_engine_forfeits(kind, tmp_path, monkeypatch):
    monkeypatch.setattr("agents.players.process.START_TIMEOUT_S", 1.0)
    lines, why = BAD[kind]
    program = written(tmp_path, f"import os, sys; os.chdir({str(tmp_path)!r})\n{lines}")
    played = game_of(f"ugi={sys.executable} {program}", seconds=0.5)
    assert why in played.fault
    assert_none_left(tmp_path)
