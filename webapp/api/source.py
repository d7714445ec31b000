"""An agent as a Python file, for the pages of machines and brains."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, render_template, request

from engine import Game
from webapp.services import service
from webapp.web.downloads import file_response
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.knowledge import SourceRequest
from webapp.workers.queue import FailedRequestError, Rank

TIMEOUT_S = 30.0  # a table of 50,000 positions takes a worker about five
LARGE_BYTES = 200_000  # beyond which the size is told before the file is sent
RETRY_S = 2


def source_response(spec: str, game: Game[Any, Any], title: str, name: str) -> Response:
    """The file, if it is small or `whole=1` asks for it; else a page that says how large it is.

    While a worker writes it, a page that asks again.
    """
    service(RateLimits).spend()
    answer = service(WorkerClient).answer(SourceRequest(game.spec, spec), Rank.STORY, TIMEOUT_S)
    if answer is None:
        response = make_response(_page(title, ""), 202)
        response.headers["Refresh"] = str(RETRY_S)
        return response
    if answer.result is None:
        raise FailedRequestError(answer.note or "it could not be written")
    size = len(answer.result.encode())
    if size > LARGE_BYTES and "whole" not in request.args:
        return make_response(_page(title, f"{size / 1000:,.0f} kB"))
    return file_response(answer.result, f"{name}.py", "text/x-python")


def _page(title: str, size: str) -> str:
    together = "&" if request.query_string else "?"
    url = request.full_path.rstrip("?") + f"{together}whole=1"
    return render_template("api/source.html", title=title, size=size, url=url)
