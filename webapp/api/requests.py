"""Requests to the API: a blueprint without cookies, JSON bodies, rate limits told in headers.

Pages of other sites may read its answers only where ZERMELO_API_ORIGINS names them (CORS).
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, g, request

from webapp.api.store import TokenStore
from webapp.api.tokens import bearer_token
from webapp.config import Config, is_loopback
from webapp.errors import RequestError
from webapp.services import service
from webapp.web.cookies import Actor
from webapp.web.errors import InvalidFormError
from webapp.web.rate_limits import Allowance, RateLimits, client_network

VERSION = "/api/1"
PREFLIGHT_S = 600  # for which a browser need not ask again what it may send
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via")  # set by proxies


class MediaTypeError(RequestError):
    """A body that is no JSON by its header."""

    status = 415


def api_blueprint(name: str) -> Blueprint:
    """A blueprint below VERSION that never looks at a cookie and tells its rate limits."""
    blueprint = Blueprint(name, name, url_prefix=VERSION)
    blueprint.before_request(_forget_cookies)
    blueprint.after_request(_add_rate_headers)
    blueprint.after_request(_allow_other_sites)
    return blueprint


def current_person() -> Actor:
    """The person whose token the request has, counted; raises TokenError."""
    spend()  # before the token is looked at, or they could be guessed without end
    player = service(TokenStore).owner_of(bearer_token("zp_"))
    spend_for(player)
    return Actor(player)


def spend_for_anyone() -> None:
    """Count this request for its token, where it has one, else for its address."""
    if "Authorization" in request.headers:
        current_person()
    else:
        spend()


def spend() -> None:
    """Count this request for its address; raises TooManyRequestsError."""
    _take(service(RateLimits).tokens_by_address, client_network())


def spend_for(bearer: str) -> None:
    """Count this request for whose token it has; raises TooManyRequestsError.

    The bearer's name is also that of its share of the workers.
    """
    g.bearer = bearer
    _take(service(RateLimits).by_token, bearer)


def json_body() -> dict[str, Any]:
    """The object in the body, empty without one; raises MediaTypeError or InvalidFormError."""
    data = request.get_data()
    if not data:
        return {}
    if not request.is_json:  # a form of another site could send any other type
        raise MediaTypeError("send JSON, with the header Content-Type: application/json")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidFormError("", f"this is no JSON: {error}") from error
    if not isinstance(body, dict):
        raise InvalidFormError("", "the body is one JSON object, in curly braces")
    return body


def is_on_this_computer() -> bool:
    """Whether the request came from the computer that serves it, and through no proxy.

    A proxy that adds no header and renames the host cannot be told from a visitor: nothing but
    joining without a code may follow from this.
    """
    local = request.remote_addr in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
    named = is_loopback(urlsplit(request.host_url).hostname or "")
    through = service(Config).behind_proxy or any(name in request.headers for name in FORWARDED)
    return local and named and not through


def site() -> str:
    """The address of this server, as the request names it."""
    return request.host_url.rstrip("/")


def _allow_other_sites(response: Response) -> Response:
    """Let pages of the named sites read the answer, and ask before they send a token."""
    origin, sites = request.headers.get("Origin", ""), service(Config).api_origins
    if not sites:
        return response
    response.vary.add("Origin")
    if any(fnmatchcase(origin, each) for each in sites):
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = (
            "Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After"
        )
        if request.method == "OPTIONS":
            response.headers["Access-Control-Allow-Methods"] = response.headers["Allow"]
            response.headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
            response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
    return response


def _forget_cookies() -> None:
    g.player = None


def _take(allowance: Allowance, name: str) -> None:
    g.rate = (allowance, 0)
    g.rate = (allowance, allowance.take(name))


def _add_rate_headers(response: Response) -> Response:
    """So many at once, so many left, and the seconds until there are as many as at first."""
    if "rate" in g:
        allowance, left = g.rate
        most = int(allowance.rate.burst)
        response.headers["RateLimit-Limit"] = str(most)
        response.headers["RateLimit-Remaining"] = str(left)
        wait = (most - left) / allowance.rate.per_second
        response.headers["RateLimit-Reset"] = str(round(wait + 0.5))
    return response
