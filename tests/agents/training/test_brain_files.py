"""Brains by name and by digest: a name may come to mean another brain, and then that one plays."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.compute.paths import data_dir
from agents.contest.arena import _agent
from agents.errors import MissingBrainError, UnreadableBrainError
from agents.roster import OPPONENTS, pinned_spec
from agents.training.brain_files import brain_path, by_digest, find, home, keep, save
from agents.training.brains import Brain
from engine import load_game
from engine.errors import InvalidSpecError
from tests.agents.learning.helpers import trained

GAME = load_game("tictactoe")


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))


@pytest.fixture
def young() -> Brain:
    return trained("tictactoe", "menace:games=50,opponent=random")


@pytest.fixture
def old() -> Brain:
    return trained("tictactoe", "menace:games=2000,opponent=random")


def test_a_brain_that_is_kept_is_found_by_its_digest(young: Brain) -> None:
    digest = keep(young)
    assert digest == young.digest
    assert find(digest).digest == digest
    assert [file.name for file in by_digest().iterdir()] == [f"{digest}.npz"]
    assert home() == data_dir() / "brains"


def test_a_file_that_is_no_brain_does_not_hide_the_others(young: Brain) -> None:
    home().mkdir()
    (home() / "a-broken-one.npz").write_bytes(b"PK")
    save(young, brain_path("mine"))
    assert find(young.digest).digest == young.digest


def test_a_file_that_is_not_what_its_name_says_is_refused(young: Brain, old: Brain) -> None:
    save(old, by_digest() / f"{young.digest}.npz")
    with pytest.raises(UnreadableBrainError, match="not the brain it is named after"):
        find(young.digest)


def test_a_brain_nobody_has_is_said_to_be_so_and_no_name_looks_like_a_digest() -> None:
    with pytest.raises(MissingBrainError, match="no brain with the digest 00000"):
        find("0" * 32)
    with pytest.raises(MissingBrainError, match="no brain called"):
        pinned_spec("menace:brain=nobodys", GAME)
    with pytest.raises(InvalidSpecError, match="taken for a digest"):
        brain_path("0123456789abcdef" * 2)


def test_a_spec_is_pinned_to_the_brain_that_has_the_name_now(young: Brain, old: Brain) -> None:
    save(young, brain_path("mine"))
    first = pinned_spec("menace:brain=mine,skill=0.5", GAME)
    save(old, brain_path("mine"))
    then = pinned_spec("menace:brain=mine,skill=0.5", GAME)
    assert (first, then) == (
        f"menace:brain={young.digest},skill=0.5",
        f"menace:brain={old.digest},skill=0.5",
    )


@pytest.mark.parametrize("spec", ["menace", "random", "alphabeta:depth=4"])
def test_a_spec_without_a_brain_is_pinned_as_it_is(spec: str) -> None:
    assert pinned_spec(spec, GAME) == spec


def test_trained_further_under_the_same_name_the_new_brain_plays(young: Brain, old: Brain) -> None:
    save(young, brain_path("mine"))
    first = _agent("menace:brain=mine", GAME.spec)
    kept = _agent("menace:brain=mine", GAME.spec)
    save(old, brain_path("mine"))
    then = _agent("menace:brain=mine", GAME.spec)
    assert kept is first
    met = [agent.analyse(GAME.start).evidence[0].value for agent in (first, then)]
    assert met == [int(brain.arrays["opened"][0]) for brain in (young, old)]


@pytest.mark.slow
def test_an_opponent_trained_further_is_tabulated_anew(young: Brain, old: Brain) -> None:
    save(young, brain_path("mine"))
    before = OPPONENTS.policy("menace:brain=mine", GAME)
    save(old, brain_path("mine"))
    after = OPPONENTS.policy("menace:brain=mine", GAME)
    assert not (before == after).all()


def test_the_same_brain_under_another_name_is_the_same_agent(young: Brain) -> None:
    save(young, brain_path("mine"))
    save(replace(young, curve=()), brain_path("yours"))
    assert pinned_spec("menace:brain=mine", GAME) == pinned_spec("menace:brain=yours", GAME)
