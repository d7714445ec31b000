"""Faults in the code of others: each is told once, however often a page runs into it."""

import logging
from functools import lru_cache


@lru_cache(maxsize=1024)
def tell_once(where: str, what: str) -> None:
    """A line in the log named `where`; the same line again is no news."""
    logging.getLogger(where).warning("%s", what)
