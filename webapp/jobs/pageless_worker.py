"""A Dask worker without HTTP pages; a module of its own, as it needs the extra `[cluster]`."""

from __future__ import annotations

from typing import Any

from distributed import Worker


class PagelessWorker(Worker):  # type: ignore[misc]  # distributed has no types
    """A worker without an HTTP server.

    Dask has no setting for this: without a dashboard its workers still serve pages about
    themselves, unencrypted.
    """

    def start_http_server(self, *_: Any, **__: Any) -> None:
        return None
