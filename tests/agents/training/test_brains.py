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
from agents.training import archive, brain_files, brains
from agents.training.brain_files import brain_path, find, home
from agents.training.brains import Brain, Point
from engine.errors import InvalidSpecError

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
    return zipped(members | {brains.HEADER: json.dumps(kept).encode()})


def zipped(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def npy(array: np.ndarray, *, allow_pickle: bool = False) -> bytes:
    member = io.BytesIO()
    np.lib.format.write_array(member, array, allow_pickle=allow_pickle)
    return member.getvalue()


def test_a_brain_saved_and_loaded_is_the_same(tmp_path: Path) -> None:
    brain_files.save(BRAIN, tmp_path / "deep" / "my-run.npz")
    loaded = find("my-run", tmp_path / "deep")
    assert replace(loaded, arrays={}).__dict__ == replace(BRAIN, arrays={}).__dict__
    assert loaded.arrays.keys() == BRAIN.arrays.keys()
    np.testing.assert_array_equal(loaded.arrays["q"], BRAIN.arrays["q"])
    assert loaded.arrays["q"].dtype == np.float32


def test_numpy_opens_the_file_by_itself(tmp_path: Path) -> None:
    brain_files.save(BRAIN, tmp_path / "my-run.npz")
    with np.load(tmp_path / "my-run.npz", allow_pickle=False) as file:
        np.testing.assert_array_equal(file["met"], BRAIN.arrays["met"])


def test_equal_brains_give_equal_bytes() -> None:
    again = replace(BRAIN, arrays=dict(reversed(BRAIN.arrays.items())))
    assert brains.to_bytes(again) == brains.to_bytes(BRAIN)


def test_saving_leaves_no_other_file_behind(tmp_path: Path) -> None:
    brain_files.save(BRAIN, tmp_path / "my-run.npz")
    brain_files.save(BRAIN, tmp_path / "my-run.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["my-run.npz"]


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


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"", "no brain", id="empty"),
        pytest.param(b"not a zip at all", "no brain", id="text"),
        pytest.param(WHOLE[:-40], "cut short", id="truncated at the end"),
        pytest.param(WHOLE[: len(WHOLE) // 2], "cut short", id="truncated in the middle"),
        pytest.param(WHOLE[:200] + b"\0" * 50 + WHOLE[250:], "cut short", id="damaged"),
        pytest.param(pickle.dumps(BRAIN.parameters), "no brain", id="pickle"),
        pytest.param(zipped({"q.npy": npy(np.ones(3))}), "no brain", id="another npz"),
        pytest.param(zipped({brains.HEADER: b"{"}), "no brain", id="broken header"),
        pytest.param(zipped({brains.HEADER: b"[" * 100_000}), "no brain", id="nested header"),
        pytest.param(zipped({brains.HEADER: b"[]"}), "no brain", id="header of another shape"),
        pytest.param(tampered(format="zip"), "no brain", id="another format"),
        pytest.param(tampered(version=3), "another Zermelo: format 3", id="newer version"),
        pytest.param(tampered(version=1), "another Zermelo: format 1", id="older version"),
        pytest.param(tampered(version="x"), "another Zermelo", id="version that is no number"),
        pytest.param(tampered(agent=None), "lacks something", id="no agent"),
        pytest.param(tampered(game=3), "lacks something", id="game that is no text"),
        pytest.param(tampered(curve=[1]), "lacks something", id="curve that is none"),
        pytest.param(tampered(steps="many"), "lacks something", id="steps that are no number"),
        pytest.param(tampered(unit=None), "lacks something", id="no unit"),
        pytest.param(tampered(total=float("inf")), "no brain", id="a total without end"),
        pytest.param(tampered(seed=float("nan")), "no brain", id="a seed that is no number"),
        pytest.param(tampered(steps=1e300), "lacks something", id="steps that are not whole"),
        pytest.param(tampered(steps=10**400), "lacks something", id="steps of 400 digits"),
        pytest.param(tampered(steps=True), "lacks something", id="steps that are true"),
        pytest.param(tampered(agent="\ud800"), "lacks something", id="half a character"),
        pytest.param(tampered(game="nim\0"), "lacks something", id="a text that cannot be shown"),
        pytest.param(tampered(reference="x" * 60_000), "lacks something", id="a text too long"),
        pytest.param(tampered(parameters={"a": 1e999}), "no brain", id="endless parameter"),
        pytest.param(tampered(parameters={"a": 10**400}), "lacks", id="parameter of 400 digits"),
        pytest.param(tampered(parameters={"a": {}}), "lacks", id="parameter of another kind"),
        pytest.param(tampered(parameters={"a": [0] * 101}), "lacks", id="a list too long"),
        pytest.param(
            tampered(parameters=dict.fromkeys(map(str, range(61)), 1)), "lacks", id="too many"
        ),
        pytest.param(
            tampered(curve=[{"step": 1, "wins": 10**400}]), "lacks", id="figure of 400 digits"
        ),
        pytest.param(
            tampered(curve=[{"step": 1, "wins": float("nan")}]),
            "no brain",
            id="figure that is none",
        ),
        pytest.param(
            tampered(curve=[{"step": 2}, {"step": 2}]), "lacks", id="curve that stands still"
        ),
        pytest.param(
            tampered(curve=[{"step": 1} | {str(at): 0 for at in range(21)}]),
            "lacks",
            id="too many figures of a point",
        ),
        pytest.param(
            tampered(curve=[{"step": at} for at in range(100_001)]), "lacks", id="too many points"
        ),
        pytest.param(
            zipped(HEADER_ONLY | {"q.npy": npy(np.array([{}]), allow_pickle=True)}),
            "'q.npy' in it is no array",
            id="pickled objects inside",
        ),
        pytest.param(
            zipped(HEADER_ONLY | {"q.npy": npy(np.ones(9))[:-8]}),
            "'q.npy' in it is no array",
            id="array cut short",
        ),
        pytest.param(
            zipped(HEADER_ONLY | {"q.npy": npy(np.ones(9)).replace(b"(9,)", b"(9000000000,)")}),
            "'q.npy' in it is no array",
            id="array that promises more than there is",
        ),
        pytest.param(
            zipped(HEADER_ONLY | {"q.npy": bytes(archive.MAX_UNPACKED)}),
            "more than 64 MB",
            id="small file that unpacks to a huge one",
        ),
    ],
)
def test_a_file_that_is_no_brain_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(UnreadableBrainError, match=why) as refusal:
        brains.from_bytes(data, "run.npz")
    assert str(refusal.value).startswith("run.npz")
    assert refusal.value.source == "run.npz"


def test_a_header_longer_than_asked_for_is_refused() -> None:
    with pytest.raises(UnreadableBrainError, match="its curve has too many points"):
        brains.from_bytes(WHOLE, longest_header=100)


def test_a_brain_of_another_agent_is_refused() -> None:
    with pytest.raises(UnsuitableBrainError, match="for the agent 'qlearning', not 'menace'"):
        BRAIN.check("menace", "tictactoe")


def test_a_brain_of_another_game_is_refused() -> None:
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


def test_an_array_that_fits_is_given() -> None:
    assert BRAIN.array("q", (None, 3), np.float32) is BRAIN.arrays["q"]


def test_a_brain_error_survives_the_way_between_processes() -> None:
    error = UnreadableBrainError("run.npz", "run.npz is no brain")
    again = pickle.loads(pickle.dumps(error))
    assert (again.source, str(again)) == (error.source, str(error))


def test_a_missing_brain_says_which_are_there(tmp_path: Path) -> None:
    brain_files.save(BRAIN, tmp_path / "my-run.npz")
    with pytest.raises(MissingBrainError, match="no brain called 'my-rum'") as told:
        find("my-rum", tmp_path)
    assert "did you mean 'my-run'" in told.value.advice


def test_a_directory_in_place_of_a_brain_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableBrainError, match="cannot be read"):
        brain_files.load(tmp_path)


@pytest.mark.parametrize("name", ["", "../secret", "a/b", ".hidden", "x" * 61, "💥", "a b"])
def test_a_name_that_could_lead_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpecError, match="no name for a brain"):
        brain_path(name)


def test_brains_live_where_zermelo_data_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    assert home() == tmp_path / "brains"


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
def test_the_digest_is_about_what_the_brain_is(same: Brain) -> None:
    assert same.digest == BRAIN.digest


def test_the_digest_of_a_brain_stays_what_it_was() -> None:
    assert BRAIN.digest == "850d1826db2873ee60fef677644d5e72"  # of files that are out there
