"""How a kernel is compiled: by numba, kept on disk, with the GIL released.

A cached kernel does not notice an edit to a jitted function in another file, so whatever a
kernel calls lives in the kernel's own file.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """The function compiled to machine code at its first call, its types kept for the reader."""
    return cast("Callable[P, R]", numba.njit(cache=True, nogil=True)(function))
