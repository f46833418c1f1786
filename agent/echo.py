"""The echo: all that a follow-up remembers, signed, and carried by the client. The server keeps nothing (A-30).

On the wire it is `<version>.<payload>.<stamp>.<signature>`, URL-safe base64 without padding after the version. The payload is a JSON array, the
stamp is the second at which the echo was first minted, the signature is HMAC-SHA256 over all before it. Signing, keys and stamp are itsdangerous'
(TimestampSigner); the age is judged here, because the engine's clock is the run's `now`. Nothing is ever decompressed.

Its values are named tuples: a frozen dataclass takes three times as long to make, which the goal for verifying (five HMACs) has no room for.
"""

import hashlib
import hmac
import secrets
from binascii import a2b_base64
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from itsdangerous import TimestampSigner
from itsdangerous.encoding import base64_encode, want_bytes
from pydantic import ConfigDict, Field, TypeAdapter

from agent.errors import EchoRejected, InvalidPick

VERSION = 1
SALT = "asksmall.echo.v1"
LIFE_S = 600
AHEAD_S = 30  # another server's clock may be this far ahead of ours
MOST_CHARS = 4096
TIMES_SHOWN = 2  # once, and once more after a pick that was none

_TO_STANDARD = bytes.maketrans(b"-_", b"+/")

Slot = Literal["where", "what", "which"]
Rows = tuple[tuple[int, str], ...]


class Pending(NamedTuple):
    """A question that waits for a pick: its number, the slot that is open, and how often its options were shown.

    `options` are those that were offered, at most 4, in that order: a public id such as `area:harbour`, and the words that were shown for it.
    """

    question: int
    slot: Slot
    options: Mapping[str, str]
    shown: int = 1


class Echo(NamedTuple):
    """What travels. There is no room in it for a position. `begin` makes the first one of a follow-up.

    `digest` is that of the query, see `digest_of`; `snapshot` the number of the snapshot that was asked; `nonce` names this follow-up through all of
    its echoes; `pending` at most 2 questions; `rows` the rows of answered questions that an open one leans on ("near Q1"), at most 15, each with
    its question's number and its public id. `minted` is the second since 1970 at which it was first minted, None before that: its life
    counts from there, however often it is minted again.
    """

    digest: str
    snapshot: int
    nonce: str
    pending: tuple[Pending, ...]
    rows: Rows = ()
    minted: int | None = None
    version: int = VERSION


_Offered = Annotated[dict[str, str], Field(max_length=4)]
_Shown = Annotated[int, Field(ge=1, le=TIMES_SHOWN)]
_Pending = Annotated[tuple[tuple[int, Slot, _Offered, _Shown], ...], Field(max_length=2)]
_Payload = tuple[str, int, str, _Pending, Annotated[Rows, Field(max_length=15)]]
_PAYLOAD: TypeAdapter[_Payload] = TypeAdapter(_Payload, config=ConfigDict(strict=True))
_read_payload = _PAYLOAD.validator.validate_json


class _Signer(TimestampSigner):
    """The library's signer with SHA-256 (its own default is SHA-1), a stamp that is given, keys derived once, and one spelling of each signature."""

    def __init__(self, keys: Sequence[str], stamp: int = 0) -> None:
        super().__init__(keys[::-1], salt=SALT, digest_method=hashlib.sha256)  # the library signs with the last
        self.stamp = stamp
        self.derived = [self.derive_key(key) for key in reversed(self.secret_keys)]

    def get_timestamp(self) -> int:
        return self.stamp

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        """Compared as it is written, in constant time: base64 leaves bits unused at its end, and the library reads four spellings as one signature."""
        value, sig = want_bytes(value), want_bytes(sig)
        for key in self.derived:  # noqa: SIM110  a generator costs a fifth of an HMAC
            if hmac.compare_digest(sig, base64_encode(self.algorithm.get_signature(key, value))):
                return True
        return False


@lru_cache(maxsize=8)
def _verifier(keys: tuple[str, ...]) -> _Signer:
    return _Signer(keys)


def digest_of(query: str) -> str:
    """SHA-256 of a query as intake gave it, in hexadecimal digits."""
    return hashlib.sha256(query.encode()).hexdigest()


def begin(query: str, snapshot: int, pending: Sequence[Pending], rows: Rows = ()) -> Echo:
    """The first echo of a follow-up on a query, which is as intake gave it."""
    return Echo(digest_of(query), snapshot, secrets.token_urlsafe(9), tuple(pending), rows)


def mint(echo: Echo, keys: Sequence[str], now: datetime) -> str:
    """The token of an echo, signed with the first key. An echo that was minted before keeps its first time.

    Raises EchoRejected("size") where names are so long that no door would take it back, and ValueError for an echo that breaks the caps.
    """
    pending = tuple((one.question, one.slot, dict(one.options), one.shown) for one in echo.pending)
    payload = _PAYLOAD.validate_python((echo.digest, echo.snapshot, echo.nonce, pending, echo.rows))
    stamp = int(now.timestamp()) if echo.minted is None else echo.minted
    token = _Signer(keys, stamp).sign(b"%d.%b" % (echo.version, base64_encode(_PAYLOAD.dump_json(payload)))).decode()
    if len(token) > MOST_CHARS:
        raise EchoRejected("size")
    return token


def verify(token: str, query: str, keys: Sequence[str], now: datetime) -> Echo:
    """The echo in a token. `query` is what the client sent along, after intake; any of the keys is good.

    Raises EchoRejected; its `why` is the first of these that is so: `size`, `tampered`, `future`, `expired`, `version`, `query`.
    """
    version, payload, stamp = _signed(token, keys)
    minted = int.from_bytes(_decoded(stamp), "big")
    age = now.timestamp() - minted
    if age < -AHEAD_S:
        raise EchoRejected("future")
    if age > LIFE_S:
        raise EchoRejected("expired")
    if version != b"%d" % VERSION:
        raise EchoRejected("version")
    echo = _read(payload, minted)
    if echo.digest != digest_of(query):
        raise EchoRejected("query")
    return echo


def _signed(token: str, keys: Sequence[str]) -> list[bytes]:
    """Version, payload and stamp, once size and signature are found good."""
    if len(token) > MOST_CHARS:
        raise EchoRejected("size")
    value, _, signature = token.encode(errors="replace").rpartition(b".")
    parts = value.split(b".")
    if len(parts) != 3 or not _verifier(tuple(keys)).verify_signature(value, signature):
        raise EchoRejected("tampered")
    return parts


def _decoded(text: bytes) -> bytes:
    return a2b_base64(text.translate(_TO_STANDARD) + b"==")


def _read(payload: bytes, minted: int) -> Echo:
    """A payload whose signature was good. It is read strictly all the same: a key may have leaked."""
    try:
        digest, snapshot, nonce, pending, rows = _read_payload(_decoded(payload))
    except ValueError as error:
        raise EchoRejected("tampered") from error
    return Echo(digest, snapshot, nonce, tuple(map(Pending._make, pending)), rows, minted)


def pick(echo: Echo, question: int, option: str) -> str:
    """The label of the option picked. Raises InvalidPick unless it is one that was offered for that question (A-31)."""
    for pending in echo.pending:
        if pending.question == question and option in pending.options:
            return pending.options[option]
    raise InvalidPick(question)


def show_again(echo: Echo) -> Echo | None:
    """The same echo with each question counted as shown once more, to be minted again; None where that was done before (A-36)."""
    if any(one.shown >= TIMES_SHOWN for one in echo.pending):
        return None
    return echo._replace(pending=tuple(one._replace(shown=one.shown + 1) for one in echo.pending))
