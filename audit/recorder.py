"""Records runs while they go on, without ever being in their way (A-51, A-54, A-55).

The run's thread puts records into a queue; one thread of the process writes them, as many to a commit as have gathered. A run's start is on the
disk before its first step is handed on, and its end before its reply is, so that a process that is killed leaves no run unseen. Where the
database takes nothing, the records go to the spill; where that has no room either, they are counted and dropped. Nothing raises into a run.
"""

from __future__ import annotations

import atexit
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from agent.deps import Deps
from agent.types import Event, Part, Query, Reply, Resume
from audit.ledger import Ledger
from audit.recording import Recording, gap
from audit.spill import Spill
from audit.trail import Record

PATIENCE_S = 0.08  # a run waits no longer for the disk
AGAIN_S = 1.0  # after a refusal the database is left alone for so long
TEND_S = 3600.0
BACKLOG = 5_000  # envelopes; past them the run's own thread writes to the spill
_BATCH = 400  # envelopes of one commit

Step = Event | Part | Reply


@dataclass(slots=True)
class Envelope:
    """Records that belong together; `kept` is set when they are on the disk, or given up."""

    records: Sequence[Record]
    kept: threading.Event = field(default_factory=threading.Event)


class Recorder:
    """Records the runs of a process. `spill` is the file beside the database, `days` how long a question's words are kept.

    `unwritten` counts the records that could be written nowhere; `problem` says so in words, or that the database takes nothing just now.
    """

    def __init__(self, spill: Path, days: int = 90) -> None:
        self.spill = Spill(spill)
        self.unwritten = 0
        self._days = days
        self._trouble = ""
        self._begin()
        os.register_at_fork(after_in_child=_beginning(weakref.ref(self)))

    def _begin(self) -> None:
        """Nothing queued, no thread yet: also how a forked process begins."""
        self._inbox: queue.SimpleQueue[Envelope | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._again_at = 0.0
        self._told = self.unwritten

    @property
    def problem(self) -> str:
        """What whoever runs the site has to know; empty where all is kept."""
        lost = f"{self.unwritten} records of the audit could not be written" if self.unwritten else ""
        return "; ".join(filter(None, (lost, self._trouble and f"the audit's database takes nothing: {self._trouble}")))

    def recorded(self, steps: Iterator[Step], query: Query, deps: Deps, door: str, resumed: Resume | None = None) -> Iterator[Step]:
        """Hand on the engine's steps, and record them whatever the end: a reply, an exception, a client that left.

        `door` says where it was asked (web, terminal).
        """
        recording = None
        with self._sparing():
            recording = Recording(self.submit, query, deps, door, resumed)
            recording.start()
        try:
            for step in steps:
                with self._sparing():
                    if recording:
                        recording.step(step)
                yield step
        except BaseException as error:
            with self._sparing():
                if recording:
                    recording.broken(error)
            raise
        finally:
            with suppress(AttributeError):
                steps.close()  # type: ignore[attr-defined]

    def submit(self, records: Sequence[Record], wait: bool = False) -> None:
        """Queue records; with `wait`, go on only when they are on the disk. It takes PATIENCE_S at most, then they go to the spill from here."""
        envelope = Envelope(records)
        with self._lock:
            if self._closed:
                return
            self._wake()
        if self._inbox.qsize() > BACKLOG:
            self._put_aside(records)
            return
        self._inbox.put(envelope)
        if wait and not envelope.kept.wait(PATIENCE_S):
            self._put_aside(records)

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until all that was queued so far is written, set aside or given up."""
        envelope = Envelope(())
        with self._lock:
            if self._closed or not self._thread:
                return True
        self._inbox.put(envelope)
        return envelope.kept.wait(timeout_s)

    def close(self, timeout_s: float = 5.0) -> None:
        """Write what is queued and let go of the database; what comes later is not recorded."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread:
            self._inbox.put(None)
            thread.join(timeout_s)

    def _wake(self) -> None:
        if not self._thread:
            self._thread = threading.Thread(target=self._work, name="audit", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        ledger, tended = Ledger(), 0.0
        going = True
        while going:
            batch = self._collect()
            going = None not in batch
            envelopes = [one for one in batch if one]
            with self._sparing():
                self._keep(ledger, [record for one in envelopes for record in one.records])
            for one in envelopes:
                one.kept.set()
            with self._sparing():
                self._drain(ledger)
                if going and (not tended or time.monotonic() - tended > TEND_S) and self._try(lambda: ledger.tend(datetime.now(UTC), self._days)):
                    tended = time.monotonic()
        with self._sparing():
            ledger.close()

    def _collect(self) -> list[Envelope | None]:
        """What has come, and what came with it; nothing after a while without, so that the spill is looked at."""
        batch: list[Envelope | None] = []
        with suppress(queue.Empty):
            batch.append(self._inbox.get(timeout=AGAIN_S))
            while len(batch) < _BATCH and batch[-1] is not None:
                batch.append(self._inbox.get_nowait())
        return batch

    def _keep(self, ledger: Ledger, records: Sequence[Record]) -> None:
        if records and not self._try(lambda: self._write(ledger, records)):
            self._put_aside(records)

    def _drain(self, ledger: Ledger) -> None:
        """Bring in the spill, and, once, how much was lost before."""
        if self.spill and time.monotonic() >= self._again_at:
            self._try(lambda: self.spill.drain(lambda records: self._write(ledger, records)))
        if self.unwritten > self._told and time.monotonic() >= self._again_at:
            count = self.unwritten - self._told
            if self._try(lambda: self._write(ledger, [gap(count)])):
                self._told += count

    def _write(self, ledger: Ledger, records: Sequence[Record]) -> None:
        try:
            self.unwritten += ledger.write(records)
        except BaseException:
            with suppress(Exception):
                ledger.close()
            raise

    def _try(self, work: Callable[[], object]) -> bool:
        """Do it unless the database has just refused; whether it was done."""
        if time.monotonic() < self._again_at:
            return False
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever a database may say: answers go on
            self._trouble = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            self._again_at = time.monotonic() + AGAIN_S
            return False
        self._trouble = ""
        return True

    def _put_aside(self, records: Sequence[Record]) -> None:
        if not self.spill.append(records):
            self.unwritten += len(records)

    @contextmanager
    def _sparing(self) -> Iterator[None]:
        """Whatever goes wrong in the recording is counted, and is no fault of the run (A-55)."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the one place that takes them all
            self.unwritten += 1
            self._trouble = f"{type(error).__name__} while recording"


def _beginning(recorder: weakref.ref[Recorder]) -> Callable[[], None]:
    """What a recorder does in a forked process, if it still is one."""

    def begin() -> None:
        if found := recorder():
            found._begin()  # noqa: SLF001 - of this module

    return begin


@lru_cache(maxsize=1)
def recorder() -> Recorder:
    """The process's one recorder; it writes what is left when the process ends."""
    mine = Recorder(settings.DATA_DIR / "smallsystem.spill", settings.SWITCHES.audit_days)
    atexit.register(mine.close)
    return mine
