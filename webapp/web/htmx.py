"""Pages for browsers, partials for htmx, from the same view function."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any

from flask import Response, make_response, render_template, request
from markupsafe import Markup


def partial_is_wanted() -> bool:
    """Whether htmx requests one swap target; a page restored from history must be whole."""
    restoring = request.headers.get("HX-History-Restore-Request") == "true"
    return request.headers.get("HX-Request") == "true" and not restoring


def render(page: str, partial: str, status: int = 200, **context: Any) -> Response:
    """Render the page or the partial, whichever is wanted."""
    template = partial if partial_is_wanted() else page
    return vary(make_response(render_template(template, **context), status))


def vary(response: Response) -> Response:
    """Tell caches that the two renderings differ."""
    response.vary.add("HX-Request")
    return response


def go_to(address: str) -> Response:
    """Redirect: 303 for a browser, a header for htmx, which would follow a 303 unseen."""
    if partial_is_wanted():
        response = make_response("", 204)
        response.headers["HX-Redirect"] = address
        return vary(response)
    response = make_response("", 303)
    response.headers["Location"] = address
    return vary(response)


@lru_cache(maxsize=8192)
def drawn(macro: Callable[..., Markup], *values: Hashable) -> Markup:
    """Cached output of a macro that depends on these values only."""
    return macro(*values)
