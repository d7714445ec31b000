"""Parts of a page that a few values decide: drawn once, and printed wherever they recur."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache

from markupsafe import Markup


@lru_cache(maxsize=8192)
def drawn(macro: Callable[..., Markup], *values: Hashable) -> Markup:
    """What the macro makes of these values, and of nothing else."""
    return macro(*values)
