"""Files to download."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flask import Response, make_response

from agents.formats import csv_text

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def file_response(data: str | bytes, name: str, mimetype: str = "text/csv") -> Response:
    """A file that browsers store under this name."""
    response = make_response(data)
    response.mimetype = mimetype
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def csv_response(header: Sequence[str], rows: Iterable[Sequence[object]], name: str) -> Response:
    return file_response(csv_text(header, rows), name)


def svg_response(image: str) -> Response:
    """An image that pages of other sites may show, and whose style stands in it."""
    response = make_response(image)
    response.mimetype = "image/svg+xml"
    response.headers["Content-Security-Policy"] = SVG_POLICY
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
