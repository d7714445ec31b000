"""Bad input on every command: one line that names the value, exit code 2, nothing else."""

import sys

import pytest

from tests.webapp.commands.command_line import process, zermelo

LONG = "a" * 10_000
STRANGE = [
    "",
    " ",
    LONG,
    "🐙",
    "\udcff\udcfe",
    "b2\nb2",
    "\x1b[31mred",
    "nim:",
    "nim:heaps",
    ":",
    "-",
]
COMMANDS = {
    "agents": ("GAME",),
    "analyse": ("GAME", "STATE", "--agent", "SPEC"),
    "arena": ("GAME", "SPEC", "random", "--games", "NUMBER"),
    "match": ("GAME", "random", "SPEC", "--games", "NUMBER"),
    "play": ("GAME", "--against", "SPEC"),
    "solve": ("GAME",),
}
GOOD = {"GAME": "tictactoe", "STATE": "start", "SPEC": "perfect", "NUMBER": "2"}


def command_with(name, **values):
    """A command that would work, but for these values."""
    chosen = GOOD | values
    return name, *(chosen.get(word, word) for word in COMMANDS[name])


def takes(word):
    return [name for name, words in COMMANDS.items() if word in words]


def assert_one_line(result, *words):
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("zermelo: ")
    assert result.stderr.strip().isprintable()
    assert len(result.stderr) < 450
    assert [word for word in words if word not in result.stderr] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_commands_these_tests_spoil_work_as_they_are(name):
    assert zermelo(*command_with(name)).exit_code == 0


@pytest.mark.parametrize("name", takes("GAME"))
@pytest.mark.parametrize("game", [text for text in STRANGE if text != "nim:"])
def test_a_strange_game_is_one_line(name, game):
    assert_one_line(zermelo(*command_with(name, GAME=game)))


@pytest.mark.parametrize("name", takes("GAME"))
def test_a_misspelt_game_is_put_right(name):
    result = zermelo(*command_with(name, GAME="tictacto"))
    assert_one_line(result, "unknown game 'tictacto': did you mean 'tictactoe'?")


@pytest.mark.parametrize("name", takes("GAME"))
def test_a_wrong_option_of_a_game_is_named(name):
    result = zermelo(*command_with(name, GAME="quixo:size=9"))
    assert_one_line(result, "size is one of 3, 4, 5, not '9'")


@pytest.mark.parametrize("name", takes("SPEC"))
@pytest.mark.parametrize("spec", STRANGE)
def test_a_strange_agent_is_one_line(name, spec):
    assert_one_line(zermelo(*command_with(name, SPEC=spec)))


@pytest.mark.parametrize("name", takes("SPEC"))
def test_a_misspelt_agent_is_put_right(name):
    result = zermelo(*command_with(name, SPEC="perfekt"))
    assert_one_line(result, "unknown agent 'perfekt': did you mean 'perfect'?")


@pytest.mark.parametrize("name", takes("SPEC"))
def test_a_parameter_out_of_range_is_named(name):
    result = zermelo(*command_with(name, SPEC="perfect:skill=2"))
    assert_one_line(result, "skill is a number from 0 to 1, not '2'")


@pytest.mark.parametrize("name", takes("SPEC"))
def test_an_agent_that_cannot_play_the_game_is_named(name):
    state = "...../...../...../...../..... x"
    result = zermelo(*command_with(name, GAME="quixo", STATE=state, SPEC="nim-sum"))
    assert_one_line(result, "nim-sum cannot play quixo")


@pytest.mark.parametrize("name", ["arena", "match", "play"])
def test_who_knows_only_the_end_of_a_game_does_not_play_it_from_the_start(name):
    result = zermelo(*command_with(name, GAME="quixo", SPEC="perfect"))
    assert_one_line(result, "perfect cannot play quixo: it knows only positions with hardly a")


@pytest.mark.parametrize("name", takes("SPEC"))
def test_an_agent_that_only_its_maker_refuses_is_named_too(name):
    result = zermelo(*command_with(name, SPEC="random:by=heap"))
    assert_one_line(result, "random:by=heap cannot play tictactoe")


@pytest.mark.parametrize("name", takes("NUMBER"))
@pytest.mark.parametrize(
    "number", ["0", "-1", "100001", "9" * 5_000, "1e3", "2.5", "", "ten", "٣", "🐙", "nan"]
)
def test_a_number_of_games_that_is_none_is_named(name, number):
    result = zermelo(*command_with(name, NUMBER=number))
    assert_one_line(result, "--games is a whole number from 1 to 100000, not '", number[:40])


@pytest.mark.parametrize("state", [*STRANGE, "x.o/.x./..o", "xxx/xxx/xxx x", "1-2-3 x"])
def test_a_strange_state_is_one_line(state):
    assert_one_line(zermelo(*command_with("analyse", STATE=state)))


def test_a_state_that_is_over_has_no_move_to_analyse():
    result = zermelo(*command_with("analyse", STATE="xxx/oo./... o"))
    assert_one_line(result, "the game is over in 'xxx/oo./... o'")


@pytest.mark.parametrize(
    ("option", "value", "wants"),
    [
        ("--seed", "-1", "--seed is a whole number of at least 0, not '-1'"),
        ("--depth", "0", "--depth is a whole number from 1 to 1000, not '0'"),
        ("--nodes", "many", "--nodes is a whole number of at least 1, not 'many'"),
        ("--seconds", "0", "--seconds is a number from 0.001 to 3600, not '0'"),
        ("--seconds", "inf", "--seconds is a number from 0.001 to 3600, not 'inf'"),
        ("--workers", "65", "--workers is a whole number from 1 to 64, not '65'"),
    ],
)
def test_every_number_says_what_it_may_be(option, value, wants):
    assert_one_line(zermelo(*command_with("arena"), option, value), wants)


@pytest.mark.parametrize(
    ("specs", "why"),
    [
        (["random"], "an arena takes 2 to 32 agents, not 1"),
        (["random"] * 33, "an arena takes 2 to 32 agents, not 33"),
        (["random", "random:by=move"], "'random' is named twice"),
    ],
)
def test_an_arena_wants_several_agents_each_once(specs, why):
    assert_one_line(zermelo("arena", "tictactoe", *specs), why)


@pytest.mark.parametrize("game", ["quixo", "quixo:size=5"])
def test_a_game_too_large_to_solve_says_so(game):
    assert_one_line(zermelo("solve", game), "quixo is too large to tabulate")


@pytest.mark.parametrize("game", ["tictactoe", "quixo:size=4"])
def test_endgames_are_quixos_alone(game):
    assert_one_line(zermelo("solve", game, "--blanks", 0), f"--blanks is for quixo, not for {game}")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["agnets"], "unknown command 'agnets': did you mean 'agents'?"),
        ([LONG], "unknown command 'aaa"),
        (["🐙"], "unknown command '🐙': there is serve, agents, play, "),
        (["--colour"], "no such option '--colour': see zermelo --help"),
        ([f"--{LONG}"], "no such option '--aaa"),
        (["match"], "missing argument 'GAME': see zermelo match --help"),
        (["match", "nim", "random"], "missing argument 'SPEC': see zermelo match --help"),
        (["analyse", "nim", "start"], "missing option '--agent': see zermelo analyse --help"),
        (["solve", "nim", "nim"], "unexpected extra argument (nim): see zermelo solve --help"),
        (["match", "nim", "random", "random", "--games"], "'--games' requires an argument"),
        (["agents", "--json=yes"], "'--json' does not take a value"),
    ],
)
def test_a_command_put_wrongly_says_where_to_look(arguments, why):
    assert_one_line(zermelo(*arguments), why)


@pytest.mark.skipif(sys.platform == "win32", reason="arguments there are always text")
def test_bytes_that_are_no_text_are_one_line():
    run = process("solve", b"\xff\xfe\x80", stdout=-1, stderr=-1)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (2, b"")
    assert err.endswith(rb"can be shown, unlike '\udcff\udcfe\udc80'" + b"\n")
    assert err.count(b"\n") == 1


def test_a_worker_joins_no_scheduler_in_the_open():
    result = zermelo("worker", "--scheduler", "tcp://10.0.0.7:8786")
    assert result.exit_code == 2
    assert "is open to its network" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_worker_joins_no_scheduler_over_tls_without_certificates():
    pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    result = zermelo("worker", "--scheduler", "tls://10.0.0.7:8786")
    assert result.exit_code == 2
    assert "tls://10.0.0.7:8786 needs certificates" in result.stderr
    assert result.stderr.count("\n") == 1
