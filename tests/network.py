"""No test reaches past this machine: sockets open to loopback and to Unix sockets alone."""

import ipaddress
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

GUARDED = ("connect", "connect_ex", "sendto")


class NetworkRefused(RuntimeError):
    """A test tried to leave the machine. No OSError, so that no code under test takes it for a bad line."""


def stays_here(host: str) -> bool:
    if host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check(host: object) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if isinstance(name, str) and not stays_here(name):
        raise NetworkRefused(f"A test tried to reach {name!r}. Tests use the servers that they start on 127.0.0.1, and nothing else.")


def guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: socket.socket, *args: Any) -> Any:
        if self.family in {socket.AF_INET, socket.AF_INET6}:
            check(args[-1][0])  # the address comes last in each of them
        return method(self, *args)

    return call


def guarded_lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
    check(host)
    return LOOKUP(host, *args, **kwargs)


LOOKUP = socket.getaddrinfo


@contextmanager
def network_closed() -> Iterator[None]:
    """Refuse with NetworkRefused, in this process, each connection, datagram and name look-up that leaves the machine."""
    with ExitStack() as stack:
        for name in GUARDED:
            stack.enter_context(patch.object(socket.socket, name, guarded(getattr(socket.socket, name))))
        stack.enter_context(patch.object(socket, "getaddrinfo", guarded_lookup))
        yield
