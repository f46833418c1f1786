"""Finds the live snapshot, checks it once, and gives each thread its own handle; a bad new snapshot leaves the old one live."""

import sqlite3
import threading
from pathlib import Path

from agent.errors import SnapshotRefused, SnapshotUnavailable
from agent.snapshot import shelf
from agent.snapshot.reader import Snapshot, Verified, verify

_REMEMBERED = 4  # checked files: the live one, and those of runs that are still going on

Identity = tuple[int, int, int, int, int]  # number, device, inode, size, change time in nanoseconds


class Store:
    """The snapshots of a folder. `problem` is empty, or says why the snapshot that was published is not the one that is served."""

    def __init__(self, folder: Path, statement_s: float = 0.05) -> None:
        self.folder = folder
        self.problem = ""
        self._statement_s = statement_s
        self._thread = threading.local()
        self._lock = threading.Lock()
        self._checked: dict[Identity, Verified | str] = {}  # what came of checking a file: why it was refused, or what was found
        self._live: tuple[Identity, Verified] | None = None

    def handle(self) -> Snapshot:
        """The calling thread's handle on the live snapshot, for one run from its beginning to its end.

        It is opened anew when `current` points elsewhere (two system calls tell). Handles given before stay good for those who hold them.
        Raises SnapshotUnavailable where no snapshot can be opened.
        """
        identity, verified = self._find_live()
        if getattr(self._thread, "identity", None) != identity:
            self._thread.snapshot = self._open(identity, verified)
            self._thread.identity = identity
        snapshot: Snapshot = self._thread.snapshot
        return snapshot

    def open(self, number: int) -> Snapshot:
        """A handle on a kept snapshot, for the thread that asks. Raises SnapshotUnavailable where it is gone or damaged."""
        identity = self._identify(number)
        if identity is None:
            raise SnapshotUnavailable(f"snapshot {number} is not kept any more; kept are {shelf.numbers(self.folder)}")
        with self._lock:
            checked = self._check(identity)
        if isinstance(checked, str):
            raise SnapshotUnavailable(f"{checked}; it cannot be opened")
        return self._open(identity, checked)

    def _find_live(self) -> tuple[Identity, Verified]:
        """The file to serve. While one thread checks a new one, the others go on with the old."""
        identity = self._point()
        live = self._live
        if live and live[0] == identity:
            return live
        if live and identity and isinstance(self._checked.get(identity), str):
            return live
        mine = self._lock.acquire(blocking=live is None)
        if live and not mine:
            return live
        try:
            return self._choose()
        finally:
            self._lock.release()

    def _choose(self) -> tuple[Identity, Verified]:
        """Look again at the pointer, which may have moved while the lock was waited for, and settle what is live; the lock is held."""
        identity = self._point()
        checked = self._check(identity) if identity else f"no snapshot is published in {self.folder}: run `python manage.py publish`"
        if identity and isinstance(checked, Verified):
            self.problem = ""
            self._live = identity, checked
        else:
            self.problem = str(checked)
            still = self._live if self._live and self._identify(self._live[0][0]) == self._live[0] else None
            self._live = still or self._newest_good(shelf.current(self.folder))
        if self._live is None:
            raise SnapshotUnavailable(self.problem)
        return self._live

    def _newest_good(self, below: int | None) -> tuple[Identity, Verified] | None:
        """With a bad live file and none before it in this process: the newest older one that is sound, never one that somebody rolled back from."""
        for number in shelf.numbers(self.folder):
            identity = self._identify(number) if below and number < below else None
            checked = self._check(identity) if identity else None
            if identity and isinstance(checked, Verified):
                return identity, checked
        return None

    def _check(self, identity: Identity) -> Verified | str:
        """Check a file once; the lock is held."""
        if identity not in self._checked:
            try:
                self._checked[identity] = verify(shelf.path_of(self.folder, identity[0]))
            except SnapshotRefused as error:
                self._checked[identity] = f"snapshot {identity[0]} was refused: {error}"
            while len(self._checked) > _REMEMBERED:
                del self._checked[next(iter(self._checked))]
        return self._checked[identity]

    def _point(self) -> Identity | None:
        number = shelf.current(self.folder)
        return self._identify(number) if number else None

    def _identify(self, number: int) -> Identity | None:
        try:
            stat = shelf.path_of(self.folder, number).stat()
        except OSError:
            return None
        return number, stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns

    def _open(self, identity: Identity, verified: Verified) -> Snapshot:
        """Open the belts, and be sure that the file under them is still the one that was checked."""
        try:
            snapshot = Snapshot(verified, self._statement_s)
        except sqlite3.Error as error:
            raise SnapshotUnavailable(f"snapshot {identity[0]} cannot be opened ({error}); ask again, or publish") from error
        if self._identify(identity[0]) != identity:
            snapshot.close()
            raise SnapshotUnavailable(f"snapshot {identity[0]} changed while it was opened; ask again")
        return snapshot
