"""What can go wrong with a request, and the one place that turns it into a status and a page."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Flask, Response, g, make_response, render_template, request
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from werkzeug.exceptions import HTTPException, SecurityError

from agents.errors import UnsuitableAgentError
from engine.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidTextError,
    ZermeloError,
    sentence,
)
from webapp.jobs.brain_store import NotYourBrainError, UnknownBrainError
from webapp.jobs.models import (
    FinishedJobError,
    FullQueueError,
    NotYourJobError,
    TooManyJobsError,
    UnknownJobError,
)
from webapp.storage.database import BusyDatabaseError
from webapp.web.htmx import partial_is_wanted, vary
from webapp.web.messages import ErrorView, Message, Tone

log = logging.getLogger(__name__)

ShowMessage = Callable[[Message, int], Response]


class UnknownMatchError(ZermeloError):
    """An address of no match, or of a ply that was never played."""


class UnreadableMatchError(ZermeloError):
    """A match that was kept, but cannot be read any more."""


class NotYourMatchError(ZermeloError):
    """A change asked for by someone who may only read."""


class StaleError(ZermeloError):
    """A form made before the match last changed."""


class FinishedError(ZermeloError):
    """A change to a match that is over."""


class NotYourTurnError(ZermeloError):
    """A move, a reply or a take-back when it is not due."""


class UnknownClassError(ZermeloError):
    """An address or a code of no class, or of one that is over."""


class NotYourClassError(ZermeloError):
    """Something that only the teacher may do, or only a student of this class."""


class ClosedVoteError(ZermeloError):
    """An answer, or a step, that comes when it is not the time for it."""


class InvalidFormError(InvalidTextError):
    """A field that is missing or holds nothing usable."""


class CrossSiteError(ZermeloError):
    """A change asked for by a page of another site."""


class TooManyRequestsError(ZermeloError):
    """More than one player, or one address, may ask for at once."""

    def __init__(self, why: str, retry_after: int) -> None:
        super().__init__(why)
        self.retry_after = retry_after


class BusyError(ZermeloError):
    """More thoughts waiting than we are willing to queue."""

    def __init__(self, why: str, retry_after: int = 2) -> None:
        super().__init__(why)
        self.retry_after = retry_after


STATUS: tuple[tuple[type[ZermeloError], int], ...] = (
    (UnknownMatchError, 404),
    (UnknownJobError, 404),
    (UnknownClassError, 404),
    (UnknownBrainError, 404),
    (NotYourBrainError, 403),
    (NotYourMatchError, 403),
    (NotYourJobError, 403),
    (NotYourClassError, 403),
    (CrossSiteError, 403),
    (StaleError, 409),
    (FinishedError, 409),
    (NotYourTurnError, 409),
    (FinishedJobError, 409),
    (ClosedVoteError, 409),
    (IllegalMoveError, 422),
    (InvalidTextError, 422),
    (UnsuitableAgentError, 422),
    (TooManyRequestsError, 429),
    (TooManyJobsError, 429),
    (UnreadableMatchError, 410),
    (BusyError, 503),
    (BusyDatabaseError, 503),
    (FullQueueError, 503),
    (ZermeloError, 422),
)

LATER = (TooManyRequestsError, BusyError, BusyDatabaseError, TooManyJobsError, FullQueueError)
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
TITLES = {
    400: "That request makes no sense here",
    403: "That is not yours to change",
    404: "There is nothing here",
    405: "That cannot be done here",
    409: "The board has changed",
    410: "This cannot be read any more",
    413: "That is too much at once",
    422: "That cannot be read",
    429: "A little slower",
    500: "Something broke",
    503: "Busy just now",
}


def status_of(error: ZermeloError) -> int:
    """The status code that means this error."""
    return next(status for kind, status in STATUS if isinstance(error, kind))


def show_errors_on(show: ShowMessage) -> None:
    """From here on, an error of this request is a message on that page, not a page of its own."""
    g.show_message = show


def register(app: Flask) -> None:
    """Answer every error with something a person can go on from."""
    app.register_error_handler(ZermeloError, _expected)
    for kind in (DBAPIError, PoolTimeoutError):
        app.register_error_handler(kind, _unavailable)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _expected(error: ZermeloError) -> Response:
    status = status_of(error)
    text = sentence(str(error))
    show: ShowMessage | None = g.pop("show_message", None)
    if show is None or status in (404, 410):
        response = _page(status, text)
    else:
        try:
            response = show(Message(_tone(error, status), text), status)
        except ZermeloError as other:  # the page it should stand on is not there either
            return _expected(other)
    if isinstance(error, LATER):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _tone(error: ZermeloError, status: int) -> Tone:
    if isinstance(error, IllegalMoveError | InvalidMoveError):
        return Tone.REFUSAL
    return Tone.WARNING if status in (409, 429, 503) else Tone.ERROR


def _http(error: HTTPException) -> Response:
    if isinstance(error, SecurityError):  # no address of ours can be made for a host we are not
        return make_response(f"{TITLES[400]}: it names another host.\n", 400, PLAIN)
    response = _page(error.code or 500, error.description or "")
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after"):
            response.headers[name] = value
    return response


def _unavailable(error: DBAPIError | PoolTimeoutError) -> Response:
    if isinstance(error, IntegrityError | DataError | ProgrammingError):  # we asked it wrongly
        return _unexpected(error)
    why = error.orig if isinstance(error, DBAPIError) else error
    log.error("%s %s: the database failed: %s", request.method, request.path, why)
    response = _page(503, "The database does not answer just now. Nothing was changed.")
    response.headers["Retry-After"] = "5"
    return response


def _unexpected(error: Exception) -> Response:
    log.exception("%s %s failed", request.method, request.path, exc_info=error)
    return _page(500, "It was not your fault, and it has been noted. Your match is safe.")


def _page(status: int, text: str) -> Response:
    retry = request.path if request.method == "GET" and status in (429, 500, 503) else None
    view = ErrorView(status, TITLES.get(status, "That did not work"), text, retry)
    template = "web/_toast.html" if partial_is_wanted() else "web/error.html"
    return vary(make_response(render_template(template, error=view), status))
