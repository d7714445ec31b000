"""Errors of requests, and the handlers that turn any error into a status and a page."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Flask, Response, g, jsonify, make_response, request
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from werkzeug.exceptions import HTTPException, SecurityError

from engine.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidTextError,
    ZermeloError,
    sentence,
)
from webapp.errors import RequestError
from webapp.web.htmx import render
from webapp.web.messages import Message, Tone

log = logging.getLogger(__name__)

ShowMessage = Callable[[Message, int], Response]


class InvalidFormError(InvalidTextError):
    """A field that is missing or holds nothing usable."""


class CrossSiteError(RequestError):
    """A change requested by a page of another site."""

    status = 403


class TooManyRequestsError(RequestError):
    """Beyond the rate limit of a player or an address."""

    status = 429

    def __init__(self, why: str, retry_after: int) -> None:
        super().__init__(why)
        self.retry_after = retry_after


API = "/api/"  # below it everything is JSON, errors included
API_CODES = {
    400: "invalid",
    401: "token",
    403: "forbidden",
    404: "unknown",
    405: "method",
    409: "conflict",
    410: "gone",
    413: "large",
    415: "type",
    422: "invalid",
    429: "slow",
    503: "busy",
}
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
TITLES = {
    400: "That request makes no sense here",
    401: "That needs a token",
    403: "That is not yours to change",
    404: "There is nothing here",
    405: "That cannot be done here",
    409: "The board has changed",
    410: "This cannot be read any more",
    413: "That is too much at once",
    415: "That is no JSON",
    422: "That cannot be read",
    429: "A little slower",
    500: "Something broke",
    503: "Busy just now",
}


def status_of(error: ZermeloError) -> int:
    """Its HTTP status; errors of engine and agents are bad input."""
    return error.status if isinstance(error, RequestError) else 422


def show_errors_on(show: ShowMessage) -> None:
    """Show later errors of this request as a message on that page, not as an error page."""
    g.show_message = show


def register(app: Flask) -> None:
    """Install the handlers."""
    app.register_error_handler(ZermeloError, _expected)
    for kind in (DBAPIError, PoolTimeoutError):
        app.register_error_handler(kind, _unavailable)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _expected(error: ZermeloError) -> Response:
    status = status_of(error)
    text = sentence(str(error))
    show: ShowMessage | None = g.pop("show_message", None)
    if is_api_request():
        response = _json(status, text, error)
    elif show is None or status in (404, 410):
        response = _page(status, text)
    else:
        try:
            response = show(Message(_tone(error, status), text), status)
        except ZermeloError as other:  # the page it should stand on is not there either
            return _expected(other)
    if isinstance(error, RequestError) and error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _tone(error: ZermeloError, status: int) -> Tone:
    if isinstance(error, IllegalMoveError | InvalidMoveError):
        return Tone.REFUSAL
    return Tone.WARNING if status in (409, 429, 503) else Tone.ERROR


def _http(error: HTTPException) -> Response:
    # No address of ours can be made for a host we are not.
    if isinstance(error, SecurityError) and not is_api_request():
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
    noted = f"It was not your fault, and it has been noted as {g.get('request_id', 'an error')}."
    return _page(500, f"{noted} Your match is safe.")


def is_api_request() -> bool:
    """Whether the current request is a program's, which reads JSON and has no cookies."""
    return request.path.startswith(API)


def _json(status: int, text: str, error: ZermeloError | None = None) -> Response:
    """An error as `{"error", "message"}`."""
    code, details = "", {}
    if isinstance(error, RequestError):
        code, details = error.code, dict(error.details)
    elif isinstance(error, IllegalMoveError):
        code = "illegal"
    code = code or API_CODES.get(status, "server")
    return make_response(jsonify(error=code, message=text, **details), status)


def _page(status: int, text: str) -> Response:
    if is_api_request():
        return _json(status, text)
    retry = request.path if request.method == "GET" and status in (429, 500, 503) else None
    title = TITLES.get(status, "That did not work")
    error = {"status": status, "title": title, "text": text, "retry": retry}
    return render("web/error.html", "web/_toast.html", status, error=error)
