"""The seal of a snapshot file: 16 marking bytes and the SHA-256 of all bytes before them, after SQLite's last page.

SQLite takes the count of pages from its header and never looks at what follows, so the file stays one plain database that carries its own check.
"""

import hashlib
from pathlib import Path

from agent.errors import SnapshotRefused

MARK = b"asksmall-sha256:"
SEAL_BYTES = len(MARK) + hashlib.sha256().digest_size
_CHUNK = 1 << 20
_HEADER = b"SQLite format 3\x00"
_WRITE_VERSION = slice(18, 20)  # https://www.sqlite.org/fileformat.html: 1 is a rollback journal, 2 is WAL


def seal(path: Path) -> None:
    """Put the seal behind a finished database file."""
    digest = _digest(path, path.stat().st_size)
    with path.open("ab") as file:
        file.write(MARK + digest)


def verify_seal(path: Path) -> None:
    """Read a whole file and hold it against its seal. Raises SnapshotRefused, with what is wrong. About a second for a gigabyte."""
    try:
        size = path.stat().st_size - SEAL_BYTES
        with path.open("rb") as file:
            head = file.read(100)
            file.seek(max(size, 0))
            mark = file.read()
        if not head.startswith(_HEADER):
            raise SnapshotRefused(f"{path.name} is no SQLite database")
        if size <= 0 or not mark.startswith(MARK):
            raise SnapshotRefused(f"{path.name} has no seal at its end: it was cut short or never finished")
        if _digest(path, size) != mark[len(MARK) :]:
            raise SnapshotRefused(f"{path.name} does not match its checksum: it was damaged or changed")
        verify_journal(path)
    except OSError as error:
        raise SnapshotRefused(f"{path.name} cannot be read: {error}") from error


def verify_journal(path: Path) -> None:
    """A file in WAL mode may have rows that a reader of the file alone does not see. Raises SnapshotRefused."""
    with path.open("rb") as file:
        head = file.read(_WRITE_VERSION.stop)
    beside = [path.with_name(path.name + end) for end in ("-wal", "-journal") if path.with_name(path.name + end).exists()]
    if head[_WRITE_VERSION] != b"\x01\x01" or beside:
        raise SnapshotRefused(f"{path.name} was left in WAL mode or with a journal beside it, so rows may be missing")


def _digest(path: Path, size: int) -> bytes:
    digest = hashlib.sha256()
    chunk = memoryview(bytearray(_CHUNK))
    with path.open("rb", buffering=0) as file:
        while size:
            count = file.readinto(chunk[: min(size, _CHUNK)])
            if not count:
                raise SnapshotRefused(f"{path.name} ended while it was read")
            digest.update(chunk[:count])
            size -= count
    return digest.digest()
