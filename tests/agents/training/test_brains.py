"""Brains: what is saved is what is loaded, and what is no brain is refused with a clear word."""

import io
import json
import pickle
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.errors import MissingBrainError, UnreadableBrainError, UnsuitableBrainError
from agents.training import brain_checks, brain_files, brains
from agents.training.brain_files import brain_path, find
from agents.training.brains import Brain, Point
from engine.errors import InvalidSpecError
from tests.agents.training.zipping import npy, packed

BRAIN = Brain(
    agent="qlearning",
    game="tictactoe",
    parameters={"alpha": 0.5, "opponent": "self", "heaps": (1, 3), "cap": None, "fold": True},
    seed=7,
    steps=200,
    arrays={"q": np.arange(6, dtype=np.float32).reshape(2, 3), "met": np.ones(2, np.int32)},
    curve=(Point(100, {"wins": 0.5}), Point(200, {"wins": 0.75, "losses": 0.1})),
    reference="random",
)


def tampered(**changes: object) -> bytes:
    """The brain's file with other things in its header; None takes one out."""
    archive = zipfile.ZipFile(io.BytesIO(brains.to_bytes(BRAIN)))
    members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members[brains.HEADER]) | changes
    kept = {name: value for name, value in header.items() if value is not None}
    return packed(members | {brains.HEADER: json.dumps(kept).encode()})


def test_a_brain_saved_and_loaded_is_the_same(tmp_path: Path) -> None:
    brain_files.save(BRAIN, tmp_path / "deep" / "my-run.npz")
    loaded = find("my-run", tmp_path / "deep")
    assert replace(loaded, arrays={}).__dict__ == replace(BRAIN, arrays={}).__dict__
    assert loaded.arrays.keys() == BRAIN.arrays.keys()
    np.testing.assert_array_equal(loaded.arrays["q"], BRAIN.arrays["q"])
    assert loaded.arrays["q"].dtype == np.float32
    assert BRAIN.array("q", (None, 3), np.float32) is BRAIN.arrays["q"]
    with np.load(tmp_path / "deep" / "my-run.npz", allow_pickle=False) as file:  # by itself
        np.testing.assert_array_equal(file["met"], BRAIN.arrays["met"])


def test_a_failed_save_keeps_the_old_brain(tmp_path: Path) -> None:
    path = tmp_path / "my-run.npz"
    brain_files.save(BRAIN, path)
    hopeless = replace(BRAIN, arrays={"q": np.array([object()])})
    with pytest.raises(ValueError, match="Object arrays"):
        brain_files.save(hopeless, path)
    assert brain_files.load(path).steps == BRAIN.steps
    assert [file.name for file in tmp_path.iterdir()] == ["my-run.npz"]


WHOLE = brains.to_bytes(BRAIN)
HEADER_ONLY = {brains.HEADER: zipfile.ZipFile(io.BytesIO(WHOLE)).read(brains.HEADER)}


NAN, INF, LONG = float("nan"), float("inf"), 10**400

NO_BRAINS = {
    "no brain": {
        "empty": b"",
        "text": b"not a zip at all",
        "pickle": pickle.dumps(BRAIN.parameters),
        "another npz": packed({"q.npy": npy(np.ones(3))}),
        "broken header": packed({brains.HEADER: b"{"}),
        "nested header": packed({brains.HEADER: b"[" * 100_000}),
        "header of another shape": packed({brains.HEADER: b"[]"}),
        "another format": tampered(format="zip"),
        "a total without end": tampered(total=INF),
        "a seed that is no number": tampered(seed=NAN),
        "endless parameter": tampered(parameters={"a": 1e999}),
        "figure that is none": tampered(curve=[{"step": 1, "wins": NAN}]),
    },
    "cut short": {
        "truncated at the end": WHOLE[:-40],
        "truncated in the middle": WHOLE[: len(WHOLE) // 2],
        "damaged": WHOLE[:200] + b"\0" * 50 + WHOLE[250:],
    },
    "another Zermelo: format 3": {"newer version": tampered(version=3)},
    "another Zermelo: format 1": {"older version": tampered(version=1)},
    "another Zermelo": {"version that is no number": tampered(version="x")},
    "lacks something": {
        "no agent": tampered(agent=None),
        "game that is no text": tampered(game=3),
        "curve that is none": tampered(curve=[1]),
        "steps that are no number": tampered(steps="many"),
        "no unit": tampered(unit=None),
        "steps that are not whole": tampered(steps=1e300),
        "steps of 400 digits": tampered(steps=LONG),
        "steps that are true": tampered(steps=True),
        "half a character": tampered(agent="\ud800"),
        "a text that cannot be shown": tampered(game="nim\0"),
        "a text too long": tampered(reference="x" * 60_000),
        "parameter of 400 digits": tampered(parameters={"a": LONG}),
        "parameter of another kind": tampered(parameters={"a": {}}),
        "a list too long": tampered(parameters={"a": [0] * 101}),
        "too many": tampered(parameters=dict.fromkeys(map(str, range(61)), 1)),
        "figure of 400 digits": tampered(curve=[{"step": 1, "wins": LONG}]),
        "curve that stands still": tampered(curve=[{"step": 2}, {"step": 2}]),
        "too many figures": tampered(curve=[{"step": 1} | {str(at): 0 for at in range(21)}]),
        "too many points": tampered(curve=[{"step": at} for at in range(100_001)]),
    },
    "'q.npy' in it is no array": {
        "pickled objects": packed(HEADER_ONLY | {"q.npy": npy(np.array([{}]), allow_pickle=True)}),
    },
    "more than 64 MB": {"huge": packed(HEADER_ONLY | {"q.npy": bytes(brain_checks.MAX_UNPACKED)})},
}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(data, why, id=name)
        for why, files in NO_BRAINS.items()
        for name, data in files.items()
    ],
)
def test_a_file_that_is_no_brain_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(UnreadableBrainError, match=why) as refusal:
        brains.from_bytes(data, "run.npz")
    assert str(refusal.value).startswith("run.npz")
    assert refusal.value.source == "run.npz"


def test_a_header_longer_than_asked_for_and_a_directory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableBrainError, match="its curve has too many points"):
        brains.from_bytes(WHOLE, longest_header=100)
    with pytest.raises(UnreadableBrainError, match="cannot be read"):
        brain_files.load(tmp_path)


def test_a_brain_of_another_agent_or_game_is_refused() -> None:
    with pytest.raises(UnsuitableBrainError, match="for the agent 'qlearning', not 'menace'"):
        BRAIN.check("menace", "tictactoe")
    with pytest.raises(UnsuitableBrainError, match="for the game 'tictactoe', not 'quixo:size=3'"):
        BRAIN.check("qlearning", "quixo:size=3")


@pytest.mark.parametrize(
    ("name", "shape", "dtype", "why"),
    [
        ("beads", (2,), np.int32, "no 'beads'"),
        ("q", (2, 4), np.float32, "float32 2×3, the agent needs float32 2×4"),
        ("q", (2,), np.float32, "float32 2×3, the agent needs float32 2"),
        ("q", (None, 3), np.int32, "float32 2×3, the agent needs int32 any×3"),
    ],
)
def test_arrays_that_are_not_what_the_agent_needs_are_refused(
    name: str, shape: tuple[int | None, ...], dtype: type, why: str
) -> None:
    with pytest.raises(UnsuitableBrainError, match=why):
        BRAIN.array(name, shape, dtype)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -1.0, 9.0])
def test_numbers_that_no_training_gives_are_refused(wrong: float) -> None:
    brain = replace(BRAIN, arrays={"q": np.array([0.5, wrong])})
    with pytest.raises(UnsuitableBrainError, match="'q' in this brain holds numbers that no"):
        brain.array("q", (2,), np.float64, low=0.0, high=1.0)


def test_a_missing_brain_says_which_are_there(tmp_path: Path) -> None:
    brain_files.save(BRAIN, tmp_path / "my-run.npz")
    with pytest.raises(MissingBrainError, match="no brain called 'my-rum'") as told:
        find("my-rum", tmp_path)
    assert "did you mean 'my-run'" in told.value.advice


@pytest.mark.parametrize("name", ["", "../secret", "a/b", ".hidden", "x" * 61, "💥", "a b"])
def test_a_name_that_could_lead_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpecError, match="no name for a brain"):
        brain_path(name)


OTHERS = {
    "agent": replace(BRAIN, agent="menace"),
    "game": replace(BRAIN, game="nim"),
    "parameters": replace(BRAIN, parameters={"alpha": 0.6}),
    "seed": replace(BRAIN, seed=8),
    "steps": replace(BRAIN, steps=201),
    "a number": replace(BRAIN, arrays=BRAIN.arrays | {"met": np.array([1, 2], np.int32)}),
    "a type": replace(BRAIN, arrays=BRAIN.arrays | {"met": np.ones(2, np.int64)}),
    "a shape": replace(BRAIN, arrays=BRAIN.arrays | {"met": np.ones((2, 1), np.int32)}),
    "a name": replace(BRAIN, arrays={"q": BRAIN.arrays["q"], "mut": BRAIN.arrays["met"]}),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_brain_has_another_digest(other: Brain) -> None:
    assert other.digest != BRAIN.digest


@pytest.mark.parametrize(
    "same",
    [
        replace(BRAIN, curve=(), reference=""),
        replace(BRAIN, total=10_000),
        replace(BRAIN, arrays={"q": np.asfortranarray(BRAIN.arrays["q"]), **BRAIN.arrays}),
        replace(BRAIN, parameters=dict(reversed(BRAIN.parameters.items()))),
        brains.from_bytes(brains.to_bytes(BRAIN)),
    ],
)
def test_the_digest_is_about_what_the_brain_is_and_stays_what_it_was(same: Brain) -> None:
    assert same.digest == BRAIN.digest == "850d1826db2873ee60fef677644d5e72"  # of files out there


def test_equal_brains_give_equal_bytes() -> None:
    again = replace(BRAIN, arrays=dict(reversed(BRAIN.arrays.items())))
    assert brains.to_bytes(again) == brains.to_bytes(BRAIN)


def test_who_it_was_measured_against_is_told_in_words() -> None:
    for reference, said in (
        ("perfect", "perfect"),
        ("random:by=heap", "random (by heap)"),
        ("alphabeta:depth=2,skill=0.5", "alphabeta (depth 2, skill 0.5)"),
        ("", ""),
    ):
        assert replace(BRAIN, reference=reference).rival == said
