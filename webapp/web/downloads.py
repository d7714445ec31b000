"""Files to download."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from flask import Response, make_response


def file_response(data: str | bytes, name: str, mimetype: str = "text/csv") -> Response:
    """A file that browsers store under this name."""
    response = make_response(data)
    response.mimetype = mimetype
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def csv_response(header: Sequence[str], rows: Iterable[Sequence[object]], name: str) -> Response:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file_response(text.getvalue(), name)
