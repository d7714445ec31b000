"""The cache file of minimax: the same values with it, less to look at, and never a broken file."""

import json
import os
import subprocess
import sys
from multiprocessing import get_context
from random import Random

import pytest

from agents.core import Limit
from agents.errors import UnsuitableAgentError
from agents.roster import load_agent, read_agent, ready_spec
from agents.search.cache_file import cache_files, cache_path, open_cache, read
from engine import load_game
from engine.errors import InvalidSpecError
from tests.positions import reachable_states
from tests.webapp.commands.command_line import zermelo
from tests.webapp.serving.process import ROOT

QUIXO, TTT, NIM = load_game("quixo:size=4"), load_game("tictactoe"), load_game("nim:heaps=1-3-5")


@pytest.fixture(autouse=True)
def own_data(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))


def values(agent, state):
    found = agent.analyse(state, limit=Limit(), rng=Random(1))
    return {each.move: (each.value, each.plies, each.proven) for each in found.candidates}


@pytest.mark.parametrize(
    ("game", "depth", "evaluation"), [(TTT, 4, "none"), (QUIXO, 2, "game"), (NIM, 5, "none")]
)
def test_values_are_those_without_a_cache_over_hundreds_of_positions(game, depth, evaluation):
    spec = f"minimax:depth={depth},evaluation={evaluation}"
    plain = load_agent(spec, game)
    states = reachable_states(game, 120, 3)
    with cache_files():
        cached = load_agent(f"{spec},cache=one", game)
        for state in states:
            assert values(cached, state) == values(plain, state)
    with cache_files():  # and from the file alone
        again = load_agent(f"{spec},cache=one", game)
        assert again.agent.cache.loaded > 0
        for state in states:
            assert values(again, state) == values(plain, state)


@pytest.mark.slow
def test_a_second_match_with_the_same_cache_looks_at_fewer_positions(tmp_path):
    """As in the same games with an empty cache of that name, which is part of their seed."""

    def played(seed, data=tmp_path):
        """Each in a process of its own, as on the command line."""
        words = ("match", "quixo", "minimax:depth=2,cache=boards", "random", "--games", "2")
        command = [sys.executable, "-m", "webapp", *words, "--seed", str(seed), "--json"]
        data.mkdir(exist_ok=True)
        environment = os.environ | {"ZERMELO_DATA": str(data)}
        return json.loads(subprocess.check_output(command, env=environment, cwd=ROOT))

    first, second, again = played(1), played(2), played(2)
    fresh = played(2, tmp_path / "empty")

    def looked(report):
        (text,) = report["caches"]
        return int(text.split(": ")[1].split(" ")[0].replace(",", ""))

    assert looked(first) > 0
    assert looked(second) < looked(fresh)
    assert looked(again) < looked(second)  # played again: all but what hangs on repetition
    assert second["score"] == fresh["score"]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: data[:-20], "cut short"),
        (lambda data: data[:-1] + b"9", "changed"),
        (lambda data: b"\x93NUMPY", "no cache"),
        (lambda data: b"", "no cache"),
        (lambda data: b'["a"]\n', "no cache"),
        (lambda data: data.replace(b"tictactoe", b"tictactic"), "is for"),
    ],
)
def test_a_truncated_or_foreign_file_is_refused_in_a_line_and_rebuilt(spoil, says, caplog):
    spec = "minimax:depth=2,cache=one"
    with cache_files():
        expected = values(load_agent(spec, TTT), TTT.start)
    path = cache_path("one")
    path.write_bytes(spoil(path.read_bytes()))
    with cache_files():
        assert values(load_agent(spec, TTT), TTT.start) == expected
    (line,) = [record.getMessage() for record in caplog.records]
    assert says in line
    assert "\n" not in line
    assert str(path.parent) not in line
    kept, refused = read(path, TTT.spec, "none")
    assert kept
    assert not refused


def fill(seed):
    """In another process: some values, and a save after each."""
    with cache_files():
        cache = open_cache("shared", TTT, "none")
        agent = load_agent("minimax:depth=2,cache=shared", TTT)
        for state in reachable_states(TTT, 15, seed):
            agent.analyse(state, limit=Limit(), rng=Random(1))
            cache.save()


@pytest.mark.slow
def test_two_processes_never_corrupt_it_and_lose_nothing_of_each_other():
    context = get_context("spawn")
    processes = [context.Process(target=fill, args=(seed,)) for seed in (1, 2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    _, refused = read(cache_path("shared"), TTT.spec, "none")
    assert not refused
    agent = load_agent("minimax:depth=2", TTT)
    with cache_files():
        both = load_agent("minimax:depth=2,cache=shared", TTT)
        for seed in (1, 2):
            for state in reachable_states(TTT, 15, seed):
                before = both.agent.cache.hits
                assert values(both, state) == values(agent, state)
                if any(after.outcome() is None for after in map(state.play, state.legal_moves())):
                    assert both.agent.cache.hits > before
        assert not both.agent.cache.fresh


def test_only_the_command_line_may_name_a_file():
    spec = "minimax:depth=1,cache=mine"
    for load in (load_agent, lambda spec, game: ready_spec(spec, game, 1.0)):
        with pytest.raises(UnsuitableAgentError, match="for zermelo match, play and watch"):
            load(spec, TTT)
    (option,) = (each for each in read_agent("minimax", TTT)[0].options if each.name == "cache")
    assert option.technical  # no form for players has it
    for name in ("../x", "A", "a/b", "x" * 41):
        with cache_files(), pytest.raises(InvalidSpecError):
            load_agent(f"minimax:cache={name}", TTT)


def test_an_arena_refuses_a_cache_in_one_line_that_says_where_it_is_for():
    refused = zermelo("arena", "tictactoe", "minimax:cache=one", "random", "--games", 1)
    assert refused.exit_code == 2
    (line,) = refused.stderr.splitlines()
    assert "cache= is for zermelo match, play and watch" in line


def test_a_value_that_hangs_on_repetition_is_not_kept():
    state = QUIXO.start
    with cache_files():
        agent = load_agent("minimax:depth=2,cache=one", QUIXO)
        history = [state, state]
        agent.analyse(state, limit=Limit(), rng=Random(1), history=history)
        assert not agent.agent.cache.values


def test_watching_says_what_the_cache_was_good_for():
    shown = zermelo("watch", "tictactoe", "minimax:depth=2,cache=one", "random", "--seed", 1)
    assert "values loaded" in shown.stdout.splitlines()[-1]
