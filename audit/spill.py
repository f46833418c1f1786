"""The spill: a file beside the audit, of bounded size, that takes records while the database takes none.

One JSON object a line. Many processes and threads append; whoever finds the database open again takes everything over. A record may be
read twice, never lost: the file goes away only after its records were kept, and records are kept once however often they come.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from audit.trail import Record

MOST_BYTES = 64 * 1024 * 1024
_CHUNK = 500


class Spill:
    """The spill at `path`; what is being taken over lies beside it as `<name>.taken`."""

    def __init__(self, path: Path, most: int = MOST_BYTES) -> None:
        self.path = path
        self.taken = path.with_name(f"{path.name}.taken")
        self._most = most

    def __bool__(self) -> bool:
        return self.path.exists() or self.taken.exists()

    def append(self, records: Sequence[Record]) -> bool:
        """Add records, and make them last; False where the disk or the bound leaves no room, with nothing half written."""
        lines = "".join(json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n" for record in records).encode()
        try:
            with self._opened() as file:
                size = os.fstat(file).st_size
                return size + len(lines) <= self._most and _write_whole(file, size, b"\n" + lines)
        except OSError:
            return False

    def drain(self, keep: Callable[[Sequence[Record]], None]) -> None:
        """Hand every record to `keep`, then drop the file. What `keep` raises leaves everything there. One process at a time; others go on."""
        with self._alone() as mine:
            if not mine:
                return
            for turn in range(2):  # what an earlier drain left, then what has come since
                if turn or not self.taken.exists():
                    with suppress(FileNotFoundError):
                        self.path.rename(self.taken)
                if self.taken.exists():
                    for chunk in _chunks(self.taken):
                        keep(chunk)
                    self.taken.unlink()

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The file that stands at the path now, locked: one that was moved away meanwhile takes no more lines."""
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                if self._is_there(file):
                    yield file
                    return
            finally:
                os.close(file)

    def _is_there(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self.path.stat())
        except FileNotFoundError:
            return False

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        file = os.open(self.path.with_name(f"{self.path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield True
        except BlockingIOError:
            yield False
        finally:
            os.close(file)


def _write_whole(file: int, size: int, data: bytes) -> bool:
    """All of the data, synced, or nothing of it."""
    try:
        if os.write(file, data) == len(data):
            os.fdatasync(file)
            return True
    except OSError:
        pass
    os.ftruncate(file, size)
    return False


def _chunks(path: Path) -> Iterator[list[Record]]:
    """The records of a moved file. A line that a killed process left torn was never promised, and is passed over."""
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # the last one who opened it under its old name is through
        chunk: list[Record] = []
        for line in file:
            chunk += _read(line)
            if len(chunk) >= _CHUNK:
                yield chunk
                chunk = []
    if chunk:
        yield chunk


def _read(line: bytes) -> list[Any]:
    try:
        record = json.loads(line)
    except ValueError:
        return []
    return [record] if isinstance(record, dict) else []
