"""Exceptions carry the status that ends a request; one handler reads it."""

import pytest
from flask import Flask

from engine.errors import ZermeloError
from webapp.errors import RequestError
from webapp.web.errors import TITLES, register, status_of


class GoneError(RequestError):
    """An error of a feature."""

    status = 410


class LaterError(RequestError):
    """Another, which passes."""

    status = 503
    retry_after = 7


def every(kind):
    for found in kind.__subclasses__():
        yield found
        yield from every(found)


def test_every_error_of_the_app_ends_in_a_page_that_has_a_title(app):
    ours = [kind for kind in every(RequestError) if kind.__module__.startswith("webapp.")]
    assert len(ours) > 15
    assert {kind.__name__: kind.status for kind in ours if kind.status not in TITLES} == {}


def test_what_is_asked_for_too_often_or_too_soon_says_when_to_ask_again(app):
    passing = [kind for kind in every(RequestError) if kind.status in (429, 503)]
    silent = [kind for kind in passing if kind.retry_after is None and "__init__" not in vars(kind)]
    assert silent == []


@pytest.mark.parametrize(
    ("error", "status", "retry_after"),
    [
        (GoneError("gone"), 410, None),
        (LaterError("later"), 503, "7"),
        (RequestError("unreadable"), 422, None),
        (ZermeloError("of the engine"), 422, None),
    ],
)
def test_the_status_is_that_of_the_class(app, error, status, retry_after):
    assert status_of(error) == status
    small = Flask("webapp", template_folder=app.template_folder)
    small.jinja_env.globals.update(app.jinja_env.globals)
    small.jinja_env.filters.update(app.jinja_env.filters)
    register(small)

    @small.get("/")
    def fails():
        raise error

    answer = small.test_client().get("/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry_after)
