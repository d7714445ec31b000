"""Exported files against the agents they come from, in every position of the small games."""

import ast
import subprocess
import sys
from random import Random

import pytest

from agents import agents_for, load_agent
from agents.errors import UnsuitableAgentError
from agents.export import can_export, export_source
from agents.tabular.tables import tabulate
from engine import load_game
from tests.positions import reachable_states
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


@pytest.mark.slow
def test_a_file_runs_on_plain_python_and_draws_what_it_says(tmp_path):
    (tmp_path / "menace.py").write_text(zermelo("export", "tictactoe", "menace").stdout, "utf-8")
    tree = ast.parse((tmp_path / "menace.py").read_text("utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    code = (
        "import menace, random\n"
        "class Turn:\n"
        "    state, rng = 'xo./.x./..o x', random.Random(1)\n"
        "    legal = ['a1', 'b1', 'a2', 'c2', 'c3']\n"
        "print(menace.PLAYS, {menace.choose(Turn) for _ in range(200)} <= set(Turn.legal))\n"
    )
    alone = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.')\n{code}"]
    done = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "['tictactoe'] True\n"


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
