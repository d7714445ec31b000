"""What a game brings along for the pages, found by convention.

Ours: `templates/boards/_<key>.html`, `static/css/boards/<key>.css`, `static/js/boards/<key>.js`.
A package's, beside its entry: functions `board` and `sheet`, `<key>.html`, `.css` and `.js`.
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
from webapp.boards.scene import Board, Scene
from webapp.web import assets

log = logging.getLogger(__name__)

games = Blueprint("games", __name__)

TEMPLATES = "games/"  # apart from ours, so that no key is taken
KINDS = {"css": "text/css", "js": "text/javascript"}


def game_keys() -> tuple[str, ...]:
    """Every game there is, for a page on which any of them may come next."""
    return tuple(entry.key for entry in catalog())


def package_file(key: str, kind: str) -> Path | None:
    """The file of that kind that a game's package has for it, if the game is one of a package."""
    try:
        home = find_entry(key).home
    except ZermeloError:
        return None
    place = _place(home) if home else None
    path = None if place is None else place / f"{key}.{kind}"
    return path if path is not None and path.is_file() else None


def package_board(home: str) -> Callable[[Scene], Board] | None:
    """The function that makes its board, where the package has one."""
    board: Callable[[Scene], Board] | None = getattr(import_module(home), "board", None)
    return board


def package_sheet(home: str) -> Callable[[Game[Any, Any]], object] | None:
    """The function that says how its game is played, where the package has one."""
    sheet: Callable[[Game[Any, Any]], object] | None = getattr(import_module(home), "sheet", None)
    return sheet


@cache
def _place(home: str) -> Path | None:
    """The folder of the package that a module is, or is part of; a lone module has none."""
    package = find_spec(home)
    if package is not None and package.submodule_search_locations is None:
        parent = home.rpartition(".")[0]
        package = find_spec(parent) if parent else None
    return None if package is None or package.origin is None else Path(package.origin).parent


def template_for(key: str, usual: str) -> str:
    """The template that the game's package has for its board, else the usual one."""
    return usual if package_file(key, "html") is None else f"{TEMPLATES}{key}.html"


def urls_for(key: str, kind: str) -> tuple[str, ...]:
    """The addresses of its style sheet or script: none or one."""
    if (path := package_file(key, kind)) is not None:
        return (url_for("games.file", key=key, kind=kind, v=assets.hash_now(path)),)
    ours = f"{kind}/boards/{key}.{kind}"
    mine = not find_entry(key).home and (assets.folder("static") / ours).is_file()
    return (url_for("static", filename=ours),) if mine else ()


@games.get("/games/<key>.<kind>")
def file(key: str, kind: str) -> Response:
    """A package's style sheet or script; nothing else of it can be asked for."""
    path = package_file(key, kind) if kind in KINDS else None
    if path is None:
        abort(404)
    return send_file(assets.serves(path), mimetype=KINDS[kind])


class PackageTemplates(BaseLoader):
    """Finds `games/<key>.html` in the package of the game with that key."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        path = None
        if template.startswith(TEMPLATES) and template.endswith(".html"):
            path = package_file(template.removeprefix(TEMPLATES).removesuffix(".html"), "html")
        if path is None:
            raise TemplateNotFound(template)
        read = path.stat().st_mtime_ns
        return path.read_text("utf-8"), str(path), lambda: path.stat().st_mtime_ns == read

    def list_templates(self) -> list[str]:
        keys = [entry.key for entry in catalog() if package_file(entry.key, "html")]
        return [f"{TEMPLATES}{key}.html" for key in keys]
