"""The address under which other devices reach this server."""

from __future__ import annotations

from flask import request

from webapp.config import Config, is_loopback
from webapp.services import service
from webapp.serving.network import ANYWHERE, lan_addresses


def reachable_site() -> str:
    """Scheme and host that other computers can use, where this page was opened by localhost."""
    host, _, port = request.host.rpartition(":") if ":" in request.host else (request.host, "", "")
    listens = service(Config).listens
    if is_loopback(host.strip("[]")) and listens in ANYWHERE and (found := lan_addresses()):
        return f"{request.scheme}://{found[0]}{f':{port}' if port else ''}"
    return request.host_url.rstrip("/")
