"""How much may be sent: by the path, the same here as at the door (`webapp.serving.door`)."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, request


def register(app: Flask, bound: Callable[[str], int]) -> None:
    """Let every request know its bound before its body is read."""

    @app.before_request
    def set_bound() -> None:
        request.max_content_length = request.max_form_memory_size = bound(request.path)
