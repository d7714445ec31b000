"""Files and notebooks of which only the definitions are run."""

import sys

import pytest

from agents.players.guest.source import Definitions, import_file, top_level_names
from tests.agents.players.course_players import notebook

pytestmark = pytest.mark.usefixtures("own_modules")

NOWHERE = 10**12  # turns of a loop that nobody waits for


def definitions(tmp_path, *cells, **imports):
    path = tmp_path / "lab.ipynb"
    path.write_text(notebook(*cells), encoding="utf-8")
    return Definitions(str(path), imports)


def test_loops_calls_and_plots_are_left_out(tmp_path):
    found = definitions(
        tmp_path,
        "import math as m\nN = 3\nNAMES: list = ['a', 'b']\nBIG = dict(a=m.pi)\n",
        f"%matplotlib inline\nprint('no')\nfor _ in range({NOWHERE}):\n    pass\n",
        "def f(x):\n    return x * N\n",
        "value = f(1)\nf(2)\nif True:\n    N = 7\n",
        "class A:\n    size = N + 1\n",
    ).module
    assert (found.f(2), found.A.size, found.BIG, found.NAMES) == (
        6,
        4,
        {"a": found.m.pi},
        ["a", "b"],
    )
    assert not hasattr(found, "value")


def test_what_the_player_needs_is_assigned_and_nothing_else(tmp_path):
    found = definitions(
        tmp_path,
        "def build(n):\n    return list(range(n))\n",
        f"table = build(3)\nunused = build({NOWHERE}) + [1 / 0]\nother = build(len(table))",
        "def helper():\n    return other\n",
        "def play(state):\n    unused = 1\n    return helper(), unused\n",
    )
    found.complete("play")
    assert found.module.play(None) == ([0, 1, 2], 1)
    assert not hasattr(found.module, "unused")


def test_what_is_missing_is_said_when_it_is_used(tmp_path, capsys):
    found = definitions(
        tmp_path,
        "import nowhere.plots as plt\nfrom nothing import Nim, Other\n",
        "def draw():\n    plt.show()\n",
        "@Other\ndef decorated():\n    pass\n",
        Nim="ours",
    ).module
    assert found.Nim == "ours"
    assert not hasattr(found, "decorated")
    with pytest.raises(ImportError, match="nowhere"):
        found.draw()
    told = capsys.readouterr().out
    assert "lab.ipynb cell 1: No module named 'nowhere'" in told
    assert "lab.ipynb cell 3 line 2 is left out: ModuleNotFoundError" in told


def test_cells_that_are_no_python_are_left_out_and_errors_name_cell_and_line(tmp_path, capsys):
    found = definitions(
        tmp_path, "a = 1\n", "%%html\n<b>\n", "not python (", "!ls\n\ndef f():\n    return 1 / 0\n"
    ).module
    with pytest.raises(ZeroDivisionError) as raised:
        found.f()
    frame = raised.traceback[-1]
    assert (frame.frame.code.raw.co_filename, frame.lineno + 1) == (
        f"{tmp_path}/lab.ipynb cell 4",
        4,
    )
    assert "lab.ipynb cell 3 is left out" in capsys.readouterr().out
    assert str(raised.traceback[-1].statement).strip() == "return 1 / 0"


def test_a_file_is_its_own_module_and_main(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import __main__\nclass A:\n    pass\nhere = __main__.A\n")
    module = import_file(str(path))
    assert (module.__name__, module.here, sys.modules["mine"]) == ("mine", module.A, module)
    taken = tmp_path / "random.py"
    taken.write_text("one = 1\n")
    assert import_file(str(taken)).__name__ == "player"


def test_names_are_known_before_anything_is_run(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("from b import choose\nx, y = 1, 2\nimport a.c\ndef f(): pass\n1 / 0\n")
    assert top_level_names(str(path)) == {"choose", "x", "y", "a", "f"}
