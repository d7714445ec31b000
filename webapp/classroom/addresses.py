"""Address under which phones reach the class: the request's host, or one of this machine's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from webapp.classroom.models import ClassRecord
from webapp.serving.network import ANYWHERE, lan_addresses
from webapp.web.forms import Choice
from webapp.web.qr import QrCode, qr_code

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Invitation:
    """How to join."""

    code: str
    address: str  # 192.168.1.7:8000/join
    link: str
    qr: QrCode


@dataclass(frozen=True)  # without slots: cached properties need a __dict__
class Site:
    """Where a request reached the server, and where phones can."""

    scheme: str
    host: str  # of the request, with its port
    listens: str  # the address that the server listens at

    @property
    def is_local_only(self) -> bool:
        """Whether no other device can reach this server."""
        return is_loopback(self.host) and self.listens not in ANYWHERE

    @cached_property
    def network(self) -> tuple[str, ...]:
        """This machine's addresses, with the port of the request."""
        if self.is_local_only:
            return ()
        port = urlsplit(f"//{self.host}").port
        return tuple(f"{each}:{port}" if port else each for each in lan_addresses())

    def invitation(self, record: ClassRecord) -> Invitation | None:
        """Join address, code and QR code; None once the class is over."""
        if record.code is None:
            return None
        host = self.class_host(record)
        link = f"{self.scheme}://{host}/c/{record.code}"
        return Invitation(record.code, f"{host}/join", link, qr_code(link))

    def class_host(self, record: ClassRecord) -> str:
        """Host and port that phones use."""
        if not is_loopback(self.host):
            return self.host
        if record.address in self.network:
            return str(record.address)
        return self.network[0] if self.network else self.host

    def choices(self, record: ClassRecord) -> tuple[Choice, ...]:
        """Hosts the teacher can choose from; none if the request came by a public name."""
        if not is_loopback(self.host):
            return ()
        chosen = self.class_host(record)
        return tuple(Choice(host, host, host == chosen) for host in self.network)


def is_loopback(host: str) -> bool:
    return urlsplit(f"//{host}").hostname in LOOPBACK
