"""By which names a browser on this network may call us."""

from __future__ import annotations

import socket
from contextlib import suppress

ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, never bound to here


def local_names(host: str) -> tuple[str, ...]:
    """The host that is listened on; for all of them, this machine's names and addresses."""
    if host not in ANYWHERE:
        return (_bracketed(host),)
    name = socket.gethostname()
    return (name, socket.getfqdn(), f"{name}.local", *map(_bracketed, _addresses(name)))


def shown_address(host: str) -> str:
    """Where to point a browser: never at 'everywhere'."""
    if host not in ANYWHERE:
        return _bracketed(host)
    outward = [address for address in _addresses(socket.gethostname()) if ":" not in address]
    return next((address for address in outward if not address.startswith("127.")), "127.0.0.1")


def _addresses(name: str) -> list[str]:
    """What the name stands for, and the address that packets to the outside would carry."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # reserved for examples; nothing is sent
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(name, None)]
    return list(dict.fromkeys(found))


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
