"""Bad input on every command: one line that names the value, exit code 2, nothing else."""

import sys

import pytest

from tests.webapp.commands.command_line import assert_one_line, process, zermelo

LONG = "a" * 10_000
STRANGE = ["", " ", LONG, "🐙", "\udcff\udcfe", "b2\nb2", "\x1b[31mred", "nim:heaps", ":", "-"]
COMMANDS = {
    "agents": ("GAME",),
    "analyse": ("GAME", "STATE", "--agent", "SPEC"),
    "arena": ("GAME", "SPEC", "random", "--games", "NUMBER"),
    "match": ("GAME", "random", "SPEC", "--games", "NUMBER"),
    "play": ("GAME", "--against", "SPEC"),
    "solve": ("GAME",),
}
GOOD = {"GAME": "tictactoe", "STATE": "start", "SPEC": "perfect", "NUMBER": "2"}
NUMBERS = ["0", "-1", "100001", "9" * 5_000, "1e3", "2.5", "", "ten", "٣", "🐙", "nan"]
QUIXO = {"GAME": "quixo", "STATE": "...../...../...../...../..... x"}
# What each command that takes the word is told of it.
SPOILT = [
    *(({"GAME": game}, "") for game in STRANGE),
    ({"GAME": "tictacto"}, "unknown game 'tictacto': did you mean 'tictactoe'?"),
    ({"GAME": "quixo:size=9"}, "size must be one of 3, 4, 5, not '9'"),
    *(({"SPEC": spec}, "") for spec in ("nim:", *STRANGE)),
    ({"SPEC": "perfekt"}, "unknown agent 'perfekt': did you mean 'perfect'?"),
    ({"SPEC": "perfect:skill=2"}, "skill must be a number from 0 to 1, not '2'"),
    ({"SPEC": "random:by=heap"}, "random:by=heap cannot play tictactoe"),
    ({"SPEC": "nim-sum"} | QUIXO, "nim-sum cannot play quixo"),
    *(
        ({"NUMBER": text}, f"--games must be a whole number from 1 to 100,000, not '{text[:40]}")
        for text in NUMBERS
    ),
    *(({"STATE": text}, "") for text in ("nim:", *STRANGE)),
    *(({"STATE": text}, "") for text in ("x.o/.x./..o", "xxx/xxx/xxx x", "1-2-3 x")),
    ({"STATE": "xxx/oo./... o"}, "the game is over in 'xxx/oo./... o'"),
]


def command_with(name, **values):
    """A command that would work, but for these values."""
    chosen = GOOD | values
    return name, *(chosen.get(word, word) for word in COMMANDS[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_commands_these_tests_spoil_work_as_they_are(name):
    assert zermelo(*command_with(name)).exit_code == 0


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        pytest.param(name, values, why, id=f"{name}-{at}")
        for at, (values, why) in enumerate(SPOILT)
        for name, words in COMMANDS.items()
        if next(iter(values)) in words
    ],
)
def test_what_is_wrong_with_a_word_is_one_line(name, values, why):
    assert_one_line(zermelo(*command_with(name, **values)), why)


@pytest.mark.parametrize("name", ["arena", "match", "play"])
def test_who_knows_only_the_end_of_a_game_does_not_play_it_from_the_start(name):
    result = zermelo(*command_with(name, GAME="quixo", SPEC="perfect"))
    assert_one_line(result, "perfect cannot play quixo: it knows only positions with hardly a")


@pytest.mark.parametrize(
    ("option", "value", "wants"),
    [
        ("--seed", "-1", "a whole number of at least 0"),
        ("--depth", "0", "a whole number from 1 to 1,000"),
        ("--nodes", "many", "a whole number of at least 1"),
        ("--seconds", "0", "a number from 0.001 to 3,600"),
        ("--seconds", "inf", "a number from 0.001 to 3,600"),
        ("--workers", "65", "a whole number from 1 to 64"),
    ],
)
def test_every_number_says_what_it_may_be(option, value, wants):
    result = zermelo(*command_with("arena"), option, value)
    assert_one_line(result, f"{option} must be {wants}, not '{value}'")


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
        (["arena", "nim", "random"], "an arena takes 2 to 32 agents, not 1"),
        (["arena", "nim", *["random"] * 33], "an arena takes 2 to 32 agents, not 33"),
        (["arena", "nim", "random", "random:by=move"], "'random' is named twice"),
        (["solve", "quixo"], "quixo is too large to tabulate"),
        (["solve", "quixo:size=5"], "quixo is too large to tabulate"),
        (["solve", "nim", "--blanks", "0"], "--blanks is for quixo, not for nim"),
        (["solve", "quixo:size=4", "--blanks", "0"], "--blanks is for quixo, not for quixo:size=4"),
        (["worker", "--scheduler", "tcp://10.0.0.7:8786"], "is open to its network"),
    ],
)
def test_a_command_put_wrongly_says_what_would_be_right(arguments, why):
    assert_one_line(zermelo(*arguments), why)


def test_a_worker_joins_no_scheduler_over_tls_without_certificates():
    pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    result = zermelo("worker", "--scheduler", "tls://10.0.0.7:8786")
    assert_one_line(result, "tls://10.0.0.7:8786 needs certificates")


@pytest.mark.skipif(sys.platform == "win32", reason="arguments there are always text")
def test_bytes_that_are_no_text_are_one_line():
    run = process("solve", b"\xff\xfe\x80", stdout=-1, stderr=-1)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (2, b"")
    assert err.endswith(rb"can be shown, unlike '\udcff\udcfe\udc80'" + b"\n")
    assert err.count(b"\n") == 1


def test_a_server_without_its_browser_files_or_its_players_says_so_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("webapp.web.assets.folder", lambda name: tmp_path / name)
    served = zermelo("serve", "--no-open", "--port", 0)
    assert_one_line(served, "htmx")
    assert "is missing: run `make play`" in served.stderr
    assert_one_line(zermelo("serve", "--players", tmp_path / "none"), "does not exist")
