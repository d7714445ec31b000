"""Players written for the course's interfaces play as they are."""

import pytest

from engine.core import Seat
from tests.agents.players.child import child, play
from tests.agents.players.course_players import (
    CS50_NIM,
    CS50_TICTACTOE,
    NIM,
    NIM_TOLD,
    QUIXO,
    TOLD,
    written,
)

GAMES = 20


def plays_all(directory, told, game, games=GAMES):
    """So many matches, half of them in either seat, each with a new player; how often it won."""
    won = 0
    for seat in Seat:
        with child(directory) as one:
            for number in range(games // 2):
                reply = one.start(told, game, int(seat), number)
                assert reply.get("ready"), reply
                won += play(one, game, seat, number).winner is seat
    return won


@pytest.mark.slow
@pytest.mark.parametrize("name", QUIXO)
def test_a_quixo_player_plays_every_game_to_its_end(name, tmp_path):
    plays_all(written(tmp_path, QUIXO[name]), TOLD.get(name, "main.py"), "quixo")


@pytest.mark.slow
@pytest.mark.parametrize("name", NIM)
@pytest.mark.parametrize("game", ["nim", "nim:heaps=3-4-5,last=wins"])
def test_a_nim_strategy_plays_every_game_to_its_end(name, game, tmp_path):
    plays_all(written(tmp_path, NIM[name]), NIM_TOLD[name], game)


@pytest.mark.slow
def test_the_projects_of_cs50_play_and_never_lose_what_they_have_learned(tmp_path):
    files = {"tictactoe.py": CS50_TICTACTOE, "nim.py": CS50_NIM}
    directory = written(tmp_path, files)
    assert plays_all(directory, "tictactoe.py", "tictactoe") >= 10
    assert plays_all(directory, "nim.py:train(2000)", "nim:heaps=1-3-5-7", 10) >= 6
