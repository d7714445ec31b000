"""What a person sees: help, tables, glyphs, and that it fits the screen."""

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

import webapp.cli
from agents.contest.strength import strength_of
from agents.formats import portion
from tests.webapp.commands.command_line import process, zermelo
from tests.webapp.serving.process import run_command
from webapp.commands.output import shortened, verdict

COMMANDS = ["agents", "analyse", "arena", "match", "optimise", "play", "solve"]


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_lists_every_command_and_each_explains_itself(arguments):
    result = zermelo(*arguments)
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout
        assert zermelo(name, "--help").stdout.startswith(f"Usage: zermelo {name}")


def test_help_imports_nothing_slow():
    script = (
        "import sys; from click.testing import CliRunner; from webapp.cli import cli; "
        "CliRunner().invoke(cli, ['--help']); "
        "assert not {'numba', 'numpy', 'agents.roster'} & set(sys.modules)"
    )
    assert run_command(sys.executable, "-c", script).returncode == 0


def not_installed(name):
    raise PackageNotFoundError(name)


@pytest.mark.parametrize(
    ("version", "told"),
    [(lambda _: "1.2.3", "1.2.3"), (not_installed, "from its sources, not installed")],
)
def test_the_version_is_that_of_the_package(monkeypatch, version, told):
    monkeypatch.setattr(webapp.cli, "version", version)
    assert zermelo("--version").stdout == f"zermelo {told}\n"


def test_a_solution_as_a_person_reads_it():
    assert zermelo("solve", "nim:heaps=2-1").stdout.splitlines() == [
        "nim:heaps=2-1: ▲ win in 2, for the player who moves first",
        "",
        "states",
        "▲ won    5   62.5 %",
        "= drawn  0    0.0 %",
        "▼ lost   3   37.5 %",
        "all      8  100.0 %",
        "",
        "first move  value",
        "a2          ▲ win in 2",
        "a1 b1       ▼ loss in 3",
    ]


def test_an_analysis_as_a_person_reads_it():
    shown = zermelo("analyse", "tictactoe", "x.o/.x./..o x", "--agent", "perfect").stdout
    assert shown.splitlines()[:10] == [
        "    ┌───┬───┬───┐",
        "  3 │ x │   │ o │",
        "    ├───┼───┼───┤",
        "  2 │   │ x │   │",
        "    ├───┼───┼───┤",
        "  1 │   │   │ o │",
        "    └───┴───┴───┘",
        "      a   b   c",
        "",
        "x to move. Plays c2.",
    ]
    table = shown.splitlines().index("move  value         chance  line")
    assert shown.splitlines()[table : table + 4] == [
        "move  value         chance  line",
        "c2    = draw       100.0 %  c2 a2 a1 b1 …",
        "a1    ▼ loss in 2    0.0 %  a1",
        "b1    ▼ loss in 2    0.0 %  b1",
    ]


def test_heaps_are_drawn_with_their_names():
    lines = zermelo("analyse", "nim:heaps=3-12", "2-10 o", "--agent", "random").stdout
    assert lines.splitlines()[:4] == ["  a  2  ||", "  b 10  ||||||||||", "", lines.splitlines()[3]]
    assert lines.splitlines()[3].startswith("o to move. Plays ")


def test_a_match_as_a_person_reads_it_a_seat_that_nobody_had_is_blank():
    lines = zermelo("match", "nim:heaps=2", "perfect", "random", "--games", 1).stdout.splitlines()
    assert lines[0] == "nim:heaps=2: perfect against random"
    assert lines[2].split("  ")[0] == "perfect"
    assert [line.split()[0] for line in lines[3:6]] == ["moving", "moving", "both"]
    assert lines[4].split() == ["moving", "second", "0", "0", "0", "0", "–", "–"]
    assert lines[7].startswith("1 game of ")


def test_an_arena_as_a_person_reads_it():
    lines = zermelo(
        "arena", "tictactoe", "random", "perfect", "--games", 10, "--workers", 1
    ).stdout.splitlines()
    assert lines[0] == "tictactoe: 10 games for each pair"
    assert lines[3].split()[:2] == ["1", "perfect"]
    assert lines[4].split()[:2] == ["2", "random"]
    assert lines[6] == "points in percent, row against column"


def test_an_arena_says_what_its_figures_do_not():
    shown = zermelo(
        *["arena", "tictactoe", "perfect:skill=0.99", "perfect", "opportunist", "--games", 4],
        *["--workers", 1, "--opening", 1, "--seconds", 5],
    ).stdout
    assert "cannot be told apart by these games." in shown
    assert "A limit in seconds: another run may give other games." in shown
    assert "Ranked by rating" in shown


def test_the_files_of_an_arena_are_the_same_however_often_it_is_played(tmp_path):
    field = ["arena", "tictactoe", "random", "perfect", "--games", 6, "--seed", 3, "--workers", 1]
    written = []
    for name in ("one.csv", "two.csv"):
        assert zermelo(*field, "--csv", tmp_path / name).exit_code == 0
        meetings = tmp_path / f"{Path(name).stem}-meetings.csv"
        written.append(((tmp_path / name).read_bytes(), meetings.read_bytes()))
    assert written[0] == written[1]
    table, meetings = written[0]
    assert table.startswith(b"rank,machine,rating,low,high,games,wins,draws,losses,forfeits,")
    assert meetings.startswith(b"machine,opponent,seat,wins,draws,losses\nperfect,random,first,")


def test_a_file_that_cannot_be_written_is_one_line(tmp_path):
    nowhere = tmp_path / "missing" / "table.csv"
    result = zermelo("arena", "nim", "random", "perfect", "--games", 1, "--csv", nowhere)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


def test_agents_as_a_person_reads_them():
    shown = zermelo("agents", "tictactoe").stdout
    points = portion(strength_of("random", "tictactoe").rate)
    assert f"random (wins {points} of the points)" in shown
    assert "skill=1: how often it plays its own choice" in shown
    assert "random (plays every game)" in zermelo("agents").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["agents"],
        ["agents", "nim"],
        ["solve", "nim"],
        pytest.param(["solve", "quixo:size=3"], marks=pytest.mark.slow),
        pytest.param(
            ["analyse", "quixo:size=3", "start", "--agent", "perfect"], marks=pytest.mark.slow
        ),
        ["analyse", "nim", "start", "--agent", "perfect"],
        ["match", "tictactoe", "perfect:skill=0.123456789012345", "random", "--games", "2"],
        [
            *["arena", "nim", "--games", "1", "--workers", "1", "random", "random:by=heap"],
            *[f"random:skill=0.{digits}" for digits in range(12345671, 12345679)],
        ],
    ],
)
def test_what_is_shown_fits_80_columns(arguments):
    result = zermelo(*arguments)
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(("value", "text"), [(0.314, "~ +0.31"), (-1, "~ -1.00")])
def test_a_value_that_is_not_proven_says_so(value, text):
    assert verdict(value, proven=False) == text


def test_a_long_name_is_cut():
    assert shortened("perfect", 7) == "perfect"
    assert shortened("perfects", 7) == "perfec…"


@pytest.mark.slow
def test_a_terminal_without_our_glyphs_shows_stand_ins():
    run = process("solve", "nim:heaps=2", environment={"PYTHONIOENCODING": "latin-1"}, stdout=-1)
    out, _ = run.communicate(timeout=60)
    assert run.returncode == 0
    assert rb"\u25b2 win in 2" in out


def test_a_reader_that_stops_early_is_no_error():
    run = process("agents", "--json", stdout=-1, stderr=-1)
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stderr.close()
    assert run.wait(timeout=60) == 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("arguments", [["--help"], ["solve", "nim:heaps=2"]])
def test_a_full_disk_is_one_line(arguments):
    with open("/dev/full", "wb") as full:
        run = process(*arguments, stdout=full, stderr=-1)
    _, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (1, b"zermelo: [Errno 28] No space left on device\n")
