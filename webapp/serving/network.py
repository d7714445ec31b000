"""Host names and addresses by which browsers on this network reach the server."""

from __future__ import annotations

import socket
from contextlib import suppress

from webapp.config import is_loopback

ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, never bound to here


def local_names(host: str) -> tuple[str, ...]:
    """The host that is listened on; for 0.0.0.0 and ::, this machine's names and addresses."""
    if host not in ANYWHERE:
        return (_bracketed(host),)
    name = socket.gethostname()
    return (name, socket.getfqdn(), f"{name}.local", *map(_bracketed, _addresses(name)))


def own_host_names(host: str) -> tuple[str, ...]:
    """The names that may change while the server listens on all interfaces; else none."""
    return local_names(host) if host in ANYWHERE else ()


def browser_address(host: str) -> str:
    """The host to open in a browser: never 0.0.0.0 or ::."""
    if host not in ANYWHERE:
        return _bracketed(host)
    outward = [address for address in _addresses(socket.gethostname()) if ":" not in address]
    return next((address for address in outward if not address.startswith("127.")), "127.0.0.1")


def lan_addresses() -> tuple[str, ...]:
    """Addresses for other devices of the network, the likeliest first."""
    found = [found for found in _addresses(socket.gethostname()) if not is_loopback(found)]
    return tuple(map(_bracketed, sorted(found, key=lambda address: ":" in address)))


def _addresses(name: str) -> list[str]:
    """The addresses of a name, after the source address of outgoing packets."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # reserved for examples; nothing is sent
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(name, None)]
    return list(dict.fromkeys(found))


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
