"""Which addresses a request may name: the server's own, so that no other page can act for a visitor.

A page elsewhere can make a browser send requests here, and a name elsewhere can be made to point here. So the
host of every request must be one that the server answers to, and the origin of everything that acts must be
that host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from upcard.recycle.diagnostics import Refused

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


class BadAddress(Refused):
    """An address for --public that is not one."""


def public_host(address: str) -> str:
    """The host, with its port if there is one, of an address such as https://cards.example.org."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme in ("http", "https") and parts.hostname and not parts.path.strip("/")
        fits = fits and not parts.query and not parts.fragment and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        fits = None
    if not fits:
        raise BadAddress(
            f"{address[:80]} is not the address of a server; write it like https://cards.example.org or "
            "http://192.168.1.20:8000"
        )
    return parts.netloc.lower()


def own_hosts(port: int, public: str | None) -> frozenset[str]:
    """The hosts that this server answers to."""
    found = {f"{name}:{port}" for name in LOOPBACK} | ({*LOOPBACK} if port == 80 else set())
    if public is not None:
        found.add(public_host(public))
    return frozenset(found)


def is_own_host(headers: Mapping[str, str], hosts: Iterable[str]) -> bool:
    return headers.get("host", "").lower() in hosts


def is_own_origin(headers: Mapping[str, str]) -> bool:
    """Whether a request comes from a page of this server. Programs that are no browsers send no origin."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
