"""One log line for each request, and the id that ties it to other lines and to the response."""

from __future__ import annotations

import logging
import re
import secrets
from hashlib import sha256
from time import perf_counter

from flask import Flask, Response, g, has_request_context, request

from webapp.web.cookies import current_player

log = logging.getLogger("webapp.requests")

HEADER = "X-Request-ID"
GIVEN_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
MAX_PATH_CHARS = 120
VISITOR_CHARS = 12


def register(app: Flask, *, behind_proxy: bool) -> None:
    """Number and time every request; a proxy may have numbered it already."""

    def begin() -> None:
        given = request.headers.get(HEADER, "") if behind_proxy else ""
        g.began = perf_counter()
        g.request_id = given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)

    app.before_request(begin)
    app.after_request(_finish)


def request_id() -> str | None:
    """The id of the current request, if there is one."""
    return g.get("request_id") if has_request_context() else None


def seconds_taken() -> float:
    """Since the current request began."""
    began: float = g.get("began", perf_counter())
    return perf_counter() - began


def route_of_request() -> str:
    """The pattern of the address: an id in it may be a secret, and of patterns there are few."""
    return "" if request.url_rule is None else request.url_rule.rule


def visitor_id(player: str) -> str:
    """A player as logs and `zermelo visitors` name them, which is no key to anything."""
    return sha256(player.encode()).hexdigest()[:VISITOR_CHARS]


def _finish(response: Response) -> Response:
    if (found := request_id()) is not None:
        response.headers[HEADER] = found
    if log.isEnabledFor(logging.INFO):
        player = current_player()
        fields = {
            "method": request.method,
            "route": route_of_request() or request.path[:MAX_PATH_CHARS],
            "status": response.status_code,
            "ms": round(1000 * seconds_taken(), 1),
            "bytes": response.calculate_content_length() or 0,
            "visitor": "-" if player is None else visitor_id(player),
            "address": request.remote_addr or "-",
        }
        text = "{method} {route} {status} in {ms} ms, {bytes} bytes, to {visitor} at {address}"
        log.info("%s", text.format(**fields), extra={"fields": fields})
    return response
