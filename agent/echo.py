"""The echo: all that a follow-up remembers, signed, and carried by the client. The server keeps nothing (A-30).

On the wire it is `<version>.<payload>.<stamp>.<signature>`, URL-safe base64 without padding after the version. The payload is a JSON array, the
stamp is the second at which the echo was first minted, the signature is HMAC-SHA256 over all before it. Signing, stamp and comparison are
itsdangerous' (TimestampSigner); the age is judged here, because the engine's clock is the run's `now`. Nothing is ever decompressed.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from itsdangerous import BadData, TimestampSigner
from itsdangerous.encoding import base64_decode, base64_encode, want_bytes
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from agent.errors import EchoRejected, InvalidPick

VERSION = 1
SALT = "asksmall.echo.v1"
LIFE_S = 600
AHEAD_S = 30  # another server's clock may be this far ahead of ours
MOST_CHARS = 4096
TIMES_SHOWN = 2  # once, and once more after a pick that was none

Slot = Literal["where", "what", "which"]


class Option(NamedTuple):
    """What a resident may pick. `id` is a public id such as `area:harbour`; `label` is the words that were shown for it."""

    id: str
    label: str


class Kept(NamedTuple):
    """A row of an answered question that an open one leans on ("near Q1"), by its public id."""

    question: int
    id: str


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that waits for a pick: its number, the slot that is open, the options as offered (at most 4), and how often they were shown."""

    question: int
    slot: Slot
    options: tuple[Option, ...]
    shown: int = 1


@dataclass(frozen=True, slots=True)
class Echo:
    """What travels. There is no room in it for a position.

    `digest` is that of the query, see `digest_of`; `snapshot` the number of the snapshot that was asked; `pending` at most 2 questions; `rows` at
    most 15. `minted` is the second since 1970 at which it was first minted, None before that: its life counts from there, however often
    it is minted again. `nonce` names this follow-up through all of its echoes.
    """

    digest: str
    snapshot: int
    pending: tuple[Pending, ...]
    rows: tuple[Kept, ...] = ()
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    minted: int | None = None
    version: int = VERSION


_Offered = Annotated[tuple[tuple[str, str], ...], Field(max_length=4)]
_Shown = Annotated[int, Field(ge=1, le=TIMES_SHOWN)]
_Pendings = Annotated[tuple[tuple[int, Slot, _Shown, _Offered], ...], Field(max_length=2)]
_Rows = Annotated[tuple[tuple[int, str], ...], Field(max_length=15)]
_PAYLOAD: TypeAdapter[tuple[str, int, str, _Pendings, _Rows]] = TypeAdapter(tuple[str, int, str, _Pendings, _Rows], config=ConfigDict(strict=True))


class _Signer(TimestampSigner):
    """The library's signer with SHA-256 (its own default is SHA-1), a stamp that is given, and one spelling of each signature."""

    def __init__(self, keys: Sequence[str], stamp: int = 0) -> None:
        super().__init__(keys[::-1], salt=SALT, digest_method=hashlib.sha256)  # the library signs with the last
        self.stamp = stamp

    def get_timestamp(self) -> int:
        return self.stamp

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        """Base64 leaves bits unused at its end: the library reads several spellings as one signature, here only the one that is written is good."""
        return super().verify_signature(value, sig) and base64_encode(base64_decode(sig)) == want_bytes(sig)


@lru_cache(maxsize=8)
def _verifier(keys: tuple[str, ...]) -> _Signer:
    return _Signer(keys)


def digest_of(query: str) -> str:
    """SHA-256 of a query as intake gave it, in URL-safe base64 without padding."""
    return base64_encode(hashlib.sha256(query.encode()).digest()).decode()


def mint(echo: Echo, keys: Sequence[str], now: datetime) -> str:
    """The token of an echo, signed with the first key. An echo that was minted before keeps its first time.

    Raises EchoRejected("size") where names are so long that no door would take it back, and ValueError for an echo that breaks the caps.
    """
    pending = tuple((one.question, one.slot, one.shown, tuple(tuple(option) for option in one.options)) for one in echo.pending)
    payload = _PAYLOAD.validate_python((echo.digest, echo.snapshot, echo.nonce, pending, tuple(tuple(row) for row in echo.rows)))
    stamp = int(now.timestamp()) if echo.minted is None else echo.minted
    token = _Signer(keys, stamp).sign(b"%d.%b" % (echo.version, base64_encode(_PAYLOAD.dump_json(payload)))).decode()
    if len(token) > MOST_CHARS:
        raise EchoRejected("size")
    return token


def verify(token: str, query: str, keys: Sequence[str], now: datetime) -> Echo:
    """The echo in a token. `query` is what the client sent along, after intake; any of the keys is good.

    Raises EchoRejected; its `why` is the first of these that is so: `size`, `tampered`, `future`, `expired`, `version`, `query`.
    """
    if len(token) > MOST_CHARS:
        raise EchoRejected("size")
    value, stamp = _unsigned(token, keys)
    age = now.timestamp() - stamp
    if age < -AHEAD_S:
        raise EchoRejected("future")
    if age > LIFE_S:
        raise EchoRejected("expired")
    version, _, payload = value.partition(b".")
    if version != b"%d" % VERSION:
        raise EchoRejected("version")
    echo = _read(payload, stamp)
    if echo.digest != digest_of(query):
        raise EchoRejected("query")
    return echo


def _unsigned(token: str, keys: Sequence[str]) -> tuple[bytes, int]:
    if not token.isascii():
        raise EchoRejected("tampered")
    try:
        value, at = _verifier(tuple(keys)).unsign(token, return_timestamp=True)
    except (BadData, ValueError, OverflowError) as error:  # the last two: a stamp that is no date
        raise EchoRejected("tampered") from error
    return value, int(at.timestamp())


def _read(payload: bytes, stamp: int) -> Echo:
    """A payload whose signature was good. It is read strictly all the same: a key may have leaked."""
    try:
        digest, snapshot, nonce, pending, rows = _PAYLOAD.validate_json(base64_decode(payload))
    except (BadData, ValidationError) as error:
        raise EchoRejected("tampered") from error
    return Echo(
        digest,
        snapshot,
        tuple(Pending(question, slot, tuple(map(Option._make, options)), shown) for question, slot, shown, options in pending),
        tuple(map(Kept._make, rows)),
        nonce,
        stamp,
    )


def pick(echo: Echo, question: int, option: str) -> str:
    """The label of the option picked. Raises InvalidPick unless it is one that was offered for that question (A-31)."""
    for pending in echo.pending:
        if pending.question == question:
            for offered in pending.options:
                if offered.id == option:
                    return offered.label
    raise InvalidPick(question)


def show_again(echo: Echo) -> Echo | None:
    """The same echo with each question counted as shown once more, to be minted again; None where that was done before (A-36)."""
    if any(one.shown >= TIMES_SHOWN for one in echo.pending):
        return None
    return replace(echo, pending=tuple(replace(one, shown=one.shown + 1) for one in echo.pending))
