"""What NumPy 1 did and NumPy 2 does not, as far as players written for the course rely on it.

The course's board is `np.ones((5, 5), dtype=np.uint8) * -1`, which NumPy 2 refuses.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import numpy as np

# Names that NumPy 2 took away, and what they stood for.
REMOVED = {
    "Inf": "inf",
    "Infinity": "inf",
    "infty": "inf",
    "NaN": "nan",
    "float_": "float64",
    "product": "prod",
    "cumproduct": "cumprod",
    "alltrue": "all",
    "sometrue": "any",
}


class SignedProducts(np.ndarray):
    """An array of unsigned bytes whose product with a negative number is signed."""

    def __mul__(self, other: Any) -> Any:
        if _negative(other):
            return np.asarray(self).astype(int) * other
        return super().__mul__(other)

    __rmul__ = __mul__


def install() -> None:
    """Make the numpy of this process accept what NumPy 1 accepted; nothing to do before 2."""
    if int(np.__version__.partition(".")[0]) < 2 or hasattr(np.ones, "__wrapped__"):
        return
    for name in ("ones", "zeros", "empty"):
        setattr(np, name, _signed_products(getattr(np, name)))
    for name in ("full", "array", "asarray"):
        setattr(np, name, _wrapped_around(getattr(np, name)))
    for name, replacement in REMOVED.items():
        setattr(np, name, getattr(np, replacement))


def _signed_products(made: Callable[..., Any]) -> Callable[..., Any]:
    """`np.ones(…, np.uint8)` gives an array that can be multiplied by -1."""

    @functools.wraps(made)
    def make(*args: Any, **options: Any) -> Any:
        found = made(*args, **options)
        return found.view(SignedProducts) if found.dtype == np.uint8 else found

    return make


def _wrapped_around(made: Callable[..., Any]) -> Callable[..., Any]:
    """`np.full(…, -1, np.uint8)` gives 255, as it did."""

    @functools.wraps(made)
    def make(*args: Any, **options: Any) -> Any:
        try:
            return made(*args, **options)
        except OverflowError:
            position = 2 if made.__name__ == "full" else 1
            asked = options.pop("dtype", args[position] if len(args) > position else None)
            if asked is None:
                raise
            return made(*args[:position], dtype=int, **options).astype(asked)

    return make


def _negative(other: Any) -> bool:
    return isinstance(other, (int, float)) and other < 0
