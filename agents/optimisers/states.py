"""The state of a run as bytes, for whoever carries it on elsewhere: arrays and figures, never
pickles."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.optimisers.entry import Arrays
from agents.optimisers.errors import UnreadableStateError

FACTS = "facts"


def to_bytes(arrays: Arrays, facts: Mapping[str, Any]) -> bytes:
    """The arrays, and figures that JSON can hold."""
    packed = io.BytesIO()
    text = np.frombuffer(json.dumps(dict(facts)).encode(), np.uint8)
    np.savez_compressed(packed, allow_pickle=False, **{FACTS: text}, **arrays)
    return packed.getvalue()


def from_bytes(data: bytes) -> tuple[Arrays, dict[str, Any]]:
    """What `to_bytes` was given; raises UnreadableStateError."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        facts = json.loads(arrays.pop(FACTS).tobytes())
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise UnreadableStateError("these bytes are no state of a run") from error
    return arrays, facts
