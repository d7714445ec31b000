"""Exported files against the agents they come from, in every position of the small games."""

import ast
import json
import subprocess
import sys
from random import Random
from types import SimpleNamespace

import pytest

from agents import agents_for, load_agent
from agents.errors import UnsuitableAgentError
from agents.export import can_export, export_source
from agents.tabular.tables import tabulate
from engine import Match, load_game
from tests.positions import reachable_states
from tests.soak import lessened
from tests.webapp.commands.command_line import assert_one_line, zermelo

SMALL = ("tictactoe", "nim:heaps=1-3-5-7", "nim:preset=twenty-one", "nim:preset=normal")
MAX_BYTES = 200_000
SPECS = [
    (game, entry.key)
    for game in SMALL
    for entry in agents_for(load_game(game))
    if can_export(entry, load_game(game))
]


def read(source):
    """The module that a source makes."""
    names = {}
    exec(compile(source, "exported", "exec"), names)
    return names


def assert_plays_alike(spec, game, states, source=None):
    agent, chances = load_agent(spec, game), read(source or export_source(spec, game))["chances"]
    for state in states:
        analysis = agent.analyse(state, rng=Random(0))
        own = {str(each.move): each.chance for each in analysis.candidates if each.chance}
        legal = [str(move) for move in state.legal_moves()]
        found = {move: chance for move, chance in chances(str(state), legal).items() if chance}
        assert found == pytest.approx(own, abs=2e-6), state


def unfinished(game):
    return [state for state in tabulate(game).states if state.outcome() is None]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "key"), SPECS)
def test_a_file_has_the_agents_chances_in_every_position(spec, key):
    game = load_game(spec)
    source = export_source(key, game)
    assert len(source.encode()) < MAX_BYTES
    assert_plays_alike(key, game, unfinished(game), source)


@pytest.mark.soak
@pytest.mark.parametrize("key", [entry.key for entry in agents_for(load_game("nim"))])
def test_so_it_has_with_the_heaps_of_the_course(key):
    game = load_game("nim")
    if key in ("minimax", "alphabeta", "mcts"):
        with pytest.raises(UnsuitableAgentError):
            export_source(key, game)
        return
    assert_plays_alike(key, game, unfinished(game))


LOOKING_AHEAD = {
    "quixo:size=3": ("network", "network:search=30"),
    "quixo:size=4": ("network",),
    "quixo": ("network", "quixo-evolved", "quixo-evolved:depth=2", "quixo-evolved:skill=0.8"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "key"), [(game, key) for game, keys in LOOKING_AHEAD.items() for key in keys]
)
def test_genes_and_networks_play_alike_in_quixo(spec, key):
    game = load_game(spec)
    source = export_source(key, game)
    assert len(source.encode()) < MAX_BYTES
    assert_plays_alike(key, game, reachable_states(game, 2, seed=3), source)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("spec", "key"), [(game, key) for game, keys in LOOKING_AHEAD.items() for key in keys]
)
def test_genes_and_networks_play_alike_in_a_thousand_positions_of_quixo(spec, key):
    game = load_game(spec)
    assert_plays_alike(key, game, reachable_states(game, lessened(1_000, 20), seed=5))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ("tictactoe", "network:search=12"),
        ("nim:heaps=1-3-5-7", "network:search=12"),
        ("nim:preset=normal", "network:search=12,skill=0.6"),
        ("nim", "network"),
        ("nim", "network:inputs=binary"),
    ],
)
def test_a_network_plays_alike_with_a_search_and_with_other_inputs(spec, key):
    game = load_game(spec)
    assert_plays_alike(key, game, unfinished(game)[::40])


REPEATED = {
    "network:search=25": ("quixo:size=3", "b1-c1 b3-c3 " * 4),
    "quixo-evolved:depth=2": ("quixo", "c1-e1 c5-e5 " * 5),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", REPEATED)
def test_a_file_knows_what_stood_before(key):
    """Positions that stood twice: a third time is a draw, as the match says and the file too."""
    spec, texts = REPEATED[key]
    game = load_game(spec)
    match = Match.replay(game, map(game.parse_move, texts.split()))
    names = read(export_source(key, game))
    seen = set()
    for ply in range(match.ply):
        at = match.at(ply)
        analysis = load_agent(key, game).analyse(at.state, rng=Random(0), history=at.states[:-1])
        own = {str(each.move): each.chance for each in analysis.candidates if each.chance}
        turn = SimpleNamespace(start="", moves=[str(move) for move in at.moves])
        legal = [str(move) for move in at.state.legal_moves()]
        assert names["chances"](str(at.state), legal, names["earlier"](turn)) == own
        seen.add(at.states.count(at.state))
    assert max(seen) == 2


@pytest.mark.slow
@pytest.mark.parametrize("key", ["random", "opportunist", "opportunist:skill=0.7"])
def test_rules_play_alike_in_a_thousand_positions_of_quixo(key):
    game = load_game("quixo")
    states = reachable_states(game, 1_000, seed=3)
    assert_plays_alike(key, game, states)
    if key == "opportunist":  # in some of them there is something to win
        agent = load_agent(key, game)
        assert any("wins at once" in agent.analyse(state).reason for state in states)


@pytest.mark.parametrize(
    "key", ["random:by=heap", "nim-sum:leave=nonzero", "greedy-heap:skill=0.5", "perfect:skill=0.8"]
)
def test_options_are_written_too(key):
    game = load_game("nim:heaps=3-4-5,last=wins")
    assert_plays_alike(key, game, unfinished(game))


def test_rules_are_written_as_rules_and_not_as_a_table():
    source = export_source("nim-sum", load_game("nim"))
    assert "total ^= heap" in source
    assert len(source) < 2_000


ALONE = """
import sys; sys.path.insert(0, ".")
import player, random
class Turn:
    state, start, moves, legal, rng = {state!r}, "", [], {legal!r}, random.Random(1)
print(player.PLAYS, {{player.choose(Turn) for _ in range({times})}} <= set(Turn.legal))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "key", "times"),
    [
        ("tictactoe", "menace", 200),
        ("nim:heaps=1-3-5-7", "es-rules", 20),
        ("quixo:size=3", "network", 3),
        ("quixo", "quixo-evolved:depth=1", 3),
    ],
)
def test_a_file_runs_on_plain_python_and_plays_as_a_bot(tmp_path, spec, key, times):
    path = tmp_path / "player.py"
    path.write_text(zermelo("export", spec, key).stdout, "utf-8")
    tops = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [node.names[0].name])
    }
    assert tops <= sys.stdlib_module_names
    game = load_game(spec)
    legal = [str(move) for move in game.start.legal_moves()]
    code = ALONE.format(state=str(game.start), legal=legal, times=times)
    alone = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"[{game.spec!r}] True\n"
    played = zermelo("match", spec, str(path), "random", "--games", "2", "--json")
    assert played.exit_code == 0, played.output
    assert json.loads(played.stdout)["faults"] == []


@pytest.mark.parametrize(
    ("game", "spec", "why"),
    [
        ("tictactoe", "mcts", "it searches anew"),
        ("quixo", "qlearning", "too many to write down"),
        ("tictactoe", "nobody", "unknown agent"),
        ("quixo", "menace", "it plays only tictactoe"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(game, spec, why):
    assert_one_line(zermelo("export", game, spec), why)
