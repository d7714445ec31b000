"""A player's file as a training opponent: asked once in every position of a small game."""

import json
from secrets import token_hex

import pytest

from agents.compute.paths import data_dir
from agents.players.recorded import is_recorded, recorded_player
from agents.roster import OPPONENTS, load_agent
from agents.training.brain_files import find
from engine import load_game
from engine.errors import ZermeloError
from tests.agents.players.bad_players import assert_none_left
from tests.agents.players.test_outside import written
from tests.webapp.commands.command_line import assert_one_line, document, zermelo

pytestmark = pytest.mark.usefixtures("own_data")  # logs and brains
GAME = "nim:heaps=3-4-5,last=wins"
TAKES_LEAST = "def choose(turn):\n    return min(turn.legal, key=lambda move: (move[1:], move))\n"


def positions(heaps, mover):
    """The texts of all positions from here on in which there is something to take."""
    found, waiting = set(), [(heaps, mover)]
    while waiting:
        heaps, mover = waiting.pop()
        text = f"{'-'.join(map(str, heaps))} {mover}"
        if text not in found and any(heaps):
            found.add(text)
            after = "o" if mover == "x" else "x"
            for at, heap in enumerate(heaps):
                rest = range(heap)
                waiting += [((*heaps[:at], left, *heaps[at + 1 :]), after) for left in rest]
    return found


def trained_against(path):
    name = f"recorded-{token_hex(4)}"
    options = ("--opponent", path, "--games", 300, "--name", name)
    document("train", GAME, "qlearning", *options)
    return name, find(name)


@pytest.mark.slow
def test_a_file_is_asked_in_every_position_and_its_digest_is_in_the_brain(tmp_path):
    path = written(tmp_path, TAKES_LEAST)
    name, brain = trained_against(path)
    opponent = brain.parameters["opponent"]
    assert is_recorded(opponent)
    assert opponent.startswith("file-mybot@")
    game = load_game(GAME)
    answers = recorded_player(opponent, game).answers
    assert set(answers) == positions((3, 4, 5), "x")
    for text, move in answers.items():
        state = game.parse_state(text)
        least = min(map(str, state.legal_moves()), key=lambda each: (each[1:], each))
        assert move == least
    policy = OPPONENTS.policy(opponent, game)
    assert set(policy.sum(axis=1)) == {0.0, 1.0}
    _, again = trained_against(path)
    assert (again.parameters["opponent"], again.digest) == (opponent, brain.digest)
    written(tmp_path, TAKES_LEAST.replace("min(", "max("))
    _, other = trained_against(path)
    assert other.parameters["opponent"] != opponent
    assert_none_left(tmp_path)
    assert document("train", GAME, "qlearning", "--resume", name, "--games", 400)["steps"] == 400


@pytest.mark.slow
def test_a_large_game_and_a_player_that_fails_are_refused_in_one_line(tmp_path):
    path = written(tmp_path, "def choose(turn):\n    return turn.legal[len(turn.board[0])]\n")
    large = zermelo("train", "quixo:size=4", "qlearning", "--opponent", path)
    assert_one_line(large, "86,093,442 positions are too many to ask a player's file in each")
    fails = zermelo("train", GAME, f"qlearning:opponent={path}")
    assert_one_line(fails, "(mybot.py, line 2)")
    assert "1-0-0 x" in fails.stderr or "-" in fails.stderr.partition(": in ")[2]
    assert_none_left(tmp_path)


def test_what_was_recorded_is_no_agent_that_anyone_can_ask_for(tmp_path):
    digest = "0123456789abcdef"
    place = data_dir() / "players"
    place.mkdir(exist_ok=True)
    (place / f"{digest}.json").write_text(json.dumps({"game": "nim", "answers": {}}))
    game = load_game(GAME)
    with pytest.raises(ZermeloError, match="was asked in nim, not in"):
        recorded_player(f"file-a@{digest}", game)
    with pytest.raises(ZermeloError, match="not on this machine"):
        recorded_player(f"file-a@{digest[::-1]}", game)
    with pytest.raises(ZermeloError, match="unknown agent"):
        load_agent(f"file-a@{digest}", game)
