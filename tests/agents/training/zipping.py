"""Zip files and arrays in them, as brains are packed."""

import io
import zipfile

import numpy as np


def packed(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def npy(array: np.ndarray, *, allow_pickle: bool = False) -> bytes:
    member = io.BytesIO()
    np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=allow_pickle)
    return member.getvalue()
