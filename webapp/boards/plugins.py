"""Templates, style sheets and scripts of games, found by convention.

Built in: `templates/boards/_<key>.html`, `static/css/boards/<key>.css`,
`static/js/boards/<key>.js`. In a game's package, beside its entry: functions `board` and `sheet`,
files `<key>.html`, `.css` and `.js`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, send_file, url_for
from jinja2 import BaseLoader, Environment, TemplateNotFound

from engine.catalog import catalog, find_entry
from engine.core import Game
from engine.errors import ZermeloError
from webapp.boards.grid import Board, Scene
from webapp.web import assets

log = logging.getLogger(__name__)

games = Blueprint("games", __name__)

TEMPLATE_PREFIX = "games/"  # keeps the templates of packages apart from built-in ones
MIME_TYPES = {"css": "text/css", "js": "text/javascript"}


def game_keys() -> tuple[str, ...]:
    """The keys of all games, for a page on which any of them may come next."""
    return tuple(entry.key for entry in catalog())


def package_file(key: str, kind: str) -> Path | None:
    """The file of that kind in the game's package, if there is one."""
    try:
        home = find_entry(key).home
    except ZermeloError:
        return None
    place = _package_folder(home) if home else None
    path = None if place is None else place / f"{key}.{kind}"
    return path if path is not None and path.is_file() else None


def package_board(home: str) -> Callable[[Scene], Board] | None:
    """The package's function `board`, if it has one."""
    board: Callable[[Scene], Board] | None = getattr(import_module(home), "board", None)
    return board


def package_sheet(home: str) -> Callable[[Game[Any, Any]], object] | None:
    """The package's function `sheet`, which explains the rules, if it has one."""
    sheet: Callable[[Game[Any, Any]], object] | None = getattr(import_module(home), "sheet", None)
    return sheet


@cache
def _package_folder(home: str) -> Path | None:
    """The folder of the package that the module is or belongs to; None for a single module."""
    package = find_spec(home)
    if package is not None and package.submodule_search_locations is None:
        parent = home.rpartition(".")[0]
        package = find_spec(parent) if parent else None
    return None if package is None or package.origin is None else Path(package.origin).parent


def template_for(key: str, usual: str) -> str:
    """The board's template in the game's package, else the default."""
    return usual if package_file(key, "html") is None else f"{TEMPLATE_PREFIX}{key}.html"


def urls_for(key: str, kind: str) -> tuple[str, ...]:
    """The addresses of the game's style sheet or script: none or one."""
    if (path := package_file(key, kind)) is not None:
        return (url_for("games.file", key=key, kind=kind, v=assets.file_hash(path)),)
    ours = f"{kind}/boards/{key}.{kind}"
    mine = not find_entry(key).home and (assets.folder("static") / ours).is_file()
    return (url_for("static", filename=ours),) if mine else ()


@games.get("/games/<key>.<kind>")
def file(key: str, kind: str) -> Response:
    """Serve a package's style sheet or script, and nothing else of it."""
    path = package_file(key, kind) if kind in MIME_TYPES else None
    if path is None:
        abort(404)
    return send_file(assets.serves(path), mimetype=MIME_TYPES[kind])


class PackageTemplates(BaseLoader):
    """Loads `games/<key>.html` from the package of that game."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        path = None
        if template.startswith(TEMPLATE_PREFIX) and template.endswith(".html"):
            path = package_file(
                template.removeprefix(TEMPLATE_PREFIX).removesuffix(".html"), "html"
            )
        if path is None:
            raise TemplateNotFound(template)
        read = path.stat().st_mtime_ns
        return path.read_text("utf-8"), str(path), lambda: path.stat().st_mtime_ns == read

    def list_templates(self) -> list[str]:
        keys = [entry.key for entry in catalog() if package_file(entry.key, "html")]
        return [f"{TEMPLATE_PREFIX}{key}.html" for key in keys]
