"""Errors about matches and other recorded games."""

from __future__ import annotations

from webapp.errors import RequestError


class UnknownMatchError(RequestError):
    """An address of no match, or of a ply that was never played."""

    status = 404


class UnreadableMatchError(RequestError):
    """A match that was kept, but cannot be read any more."""

    status = 410


class NotYourMatchError(RequestError):
    """A change asked for by someone who may only read."""

    status = 403


class StaleError(RequestError):
    """A form made before the match last changed."""

    status = 409


class FinishedError(RequestError):
    """A change to a match that is over."""

    status = 409


class NotYourTurnError(RequestError):
    """A move, a reply or a take-back when it is not due."""

    status = 409
