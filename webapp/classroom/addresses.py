"""By which address phones reach the class: the request's own, or one of this machine's."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import request

from webapp.classroom.models import ClassRecord
from webapp.classroom.views import AddressView, InviteView
from webapp.config import Config
from webapp.services import service
from webapp.serving.network import ANYWHERE, outward_addresses
from webapp.web.qr import code_of

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def invite_to(record: ClassRecord) -> InviteView | None:
    """Address, code and QR, as they stand on the screen; None once the class is over."""
    if record.code is None:
        return None
    host = host_for(record)
    link = f"{request.scheme}://{host}/c/{record.code}"
    return InviteView(record.code, f"{host}/join", link, code_of(link))


def host_for(record: ClassRecord) -> str:
    """The host that phones are told, with its port."""
    if not is_loopback(request.host):
        return request.host
    found = here_on_the_network()
    if record.address in found:
        return str(record.address)
    return found[0] if found else request.host


def addresses_for(record: ClassRecord) -> tuple[AddressView, ...]:
    """Those to choose from, looked up again as networks change; none where the name is known."""
    if not is_loopback(request.host):
        return ()
    chosen = host_for(record)
    return tuple(AddressView(host, host == chosen) for host in here_on_the_network())


def here_on_the_network() -> tuple[str, ...]:
    """This machine's addresses, with the port that the request came to."""
    if is_only_here():
        return ()
    port = urlsplit(f"//{request.host}").port
    return tuple(f"{host}:{port}" if port else host for host in outward_addresses())


def is_only_here() -> bool:
    """Whether no other device can reach this server."""
    return is_loopback(request.host) and service(Config).listens not in ANYWHERE


def is_loopback(host: str) -> bool:
    return urlsplit(f"//{host}").hostname in LOOPBACK
