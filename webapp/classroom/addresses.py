"""Address under which phones reach the class: the request's host, or one of this machine's."""

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


def invite_view(record: ClassRecord) -> InviteView | None:
    """Join address, code and QR code; None once the class is over."""
    if record.code is None:
        return None
    host = class_host(record)
    link = f"{request.scheme}://{host}/c/{record.code}"
    return InviteView(record.code, f"{host}/join", link, code_of(link))


def class_host(record: ClassRecord) -> str:
    """Host and port that phones use."""
    if not is_loopback(request.host):
        return request.host
    found = network_hosts()
    if record.address in found:
        return str(record.address)
    return found[0] if found else request.host


def address_choices(record: ClassRecord) -> tuple[AddressView, ...]:
    """Hosts the teacher can choose from; none if the request came by a public name."""
    if not is_loopback(request.host):
        return ()
    chosen = class_host(record)
    return tuple(AddressView(host, host == chosen) for host in network_hosts())


def network_hosts() -> tuple[str, ...]:
    """This machine's addresses, with the port of the request."""
    if is_local_only():
        return ()
    port = urlsplit(f"//{request.host}").port
    return tuple(f"{host}:{port}" if port else host for host in outward_addresses())


def is_local_only() -> bool:
    """Whether no other device can reach this server."""
    return is_loopback(request.host) and service(Config).listens not in ANYWHERE


def is_loopback(host: str) -> bool:
    return urlsplit(f"//{host}").hostname in LOOPBACK
