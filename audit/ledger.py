"""The audit's own hold on its database: one thread's connection, short waits, and tables that it makes itself."""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import DataError, IntegrityError, OperationalError, ProgrammingError, connections, transaction
from django.db.migrations.recorder import MigrationRecorder

from asksmall.routers import AUDIT, SYSTEM
from audit import migrations
from audit.models import Ended, Followup, Run, RunEvent
from audit.process import is_dead
from audit.trail import Record

WAIT_MS = 30  # how long SQLite waits for another writer, so that no run waits longer
ELSEWHERE_S = 600  # a run of another machine that has not ended after this long is lost: 40 times a run's deadline
_ENDS = [
    field.name
    for field in Run._meta.concrete_fields  # noqa: SLF001 - documented
    if field.name not in {"id", "started", "query", "masked", "blanked", "process"}
]
_ROW_AT_FAULT = (DataError, IntegrityError, ValueError, TypeError, OverflowError)
_INSTANTS = ("now", "started", "finished")


class Ledger:
    """Writes records. It belongs to the thread that uses it."""

    def __init__(self) -> None:
        self._file: os.stat_result | None = None
        self._open = False

    def write(self, records: Sequence[Record]) -> int:
        """Keep the records, each once, in one commit; gives how many are such that no database would take them. Raises DatabaseError, with nothing kept."""
        self._ready()
        try:
            return self._write(records)
        except (OperationalError, ProgrammingError):
            if not self._lacks_tables():
                raise
            call_command("migrate", AUDIT, database=SYSTEM, verbosity=0, interactive=False)
            return self._write(records)

    def _write(self, records: Sequence[Record]) -> int:
        try:
            _put(records)
        except _ROW_AT_FAULT:
            return sum(self._write([record]) for record in records) if len(records) > 1 else 1
        return 0

    def tend(self, now: datetime, days: int) -> None:
        """Mark the runs of dead processes as lost, and blank the questions that are older than `days`."""
        self._ready()
        unfinished = Run.objects.filter(ended=Ended.RUNNING).values_list("id", "process", "started")
        lost = [run for run, process, started in unfinished if _is_lost(process, now - started)]
        old = Run.objects.filter(started__lt=now - timedelta(days=days), blanked=False)
        with transaction.atomic(using=SYSTEM):
            Run.objects.filter(id__in=lost, ended=Ended.RUNNING).update(ended=Ended.LOST)
            blanked = old.update(query="", blanked=True)
        if blanked and connections[SYSTEM].vendor == "sqlite":
            self._run("PRAGMA wal_checkpoint(TRUNCATE)")  # the words stood in the log, too

    def close(self) -> None:
        """Let go of the database; the next write opens it anew."""
        self._open = False
        connections[SYSTEM].close()

    def _ready(self) -> None:
        """An open connection to the file that is there now: SQLite would go on writing into one that was deleted or replaced."""
        connection = connections[SYSTEM]
        if connection.vendor != "sqlite":
            connection.ensure_connection()
            return
        if self._open and self._file is not None and _same(self._file, connection.settings_dict["NAME"]):
            return
        self.close()
        connections[SYSTEM] = _patient(WAIT_MS / 1000)
        self._run(f"PRAGMA busy_timeout={WAIT_MS}")
        self._run("PRAGMA secure_delete=ON")  # what is blanked is gone from the file
        self._file, self._open = _stat(connection.settings_dict["NAME"]), True

    def _run(self, statement: str) -> None:
        with connections[SYSTEM].cursor() as cursor:
            cursor.execute(statement)

    def _lacks_tables(self) -> bool:
        """Whether a migration of the audit has not run here: the file is new, or from before an upgrade."""
        wanted = {module.name for module in pkgutil.iter_modules(migrations.__path__)}
        done = {name for app, name in MigrationRecorder(connections[SYSTEM]).applied_migrations() if app == AUDIT}
        return not wanted <= done


def _patient(seconds: float) -> Any:
    """A connection like the settings' own, which waits for a lock no longer than this."""
    connection = connections.create_connection(SYSTEM)
    options = {**connections[SYSTEM].settings_dict.get("OPTIONS", {}), "timeout": seconds}
    connection.settings_dict = {**connections[SYSTEM].settings_dict, "OPTIONS": options}
    return connection


def _stat(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except OSError:
        return None


def _same(before: os.stat_result, path: str) -> bool:
    after = _stat(path)
    return after is not None and os.path.samestat(before, after)


def _is_lost(process: str, age: timedelta) -> bool:
    dead = is_dead(process)
    return age > timedelta(seconds=ELSEWHERE_S) if dead is None else dead


def _put(records: Sequence[Record]) -> None:
    """All records in one commit; a record that was kept before changes nothing."""
    of: dict[str, list[Record]] = {kind: [one["row"] for one in records if one["kind"] == kind] for kind in _WRITERS}
    with transaction.atomic(using=SYSTEM):
        for kind, rows in of.items():
            if rows:
                _WRITERS[kind](rows)


def _put_starts(rows: Sequence[Record]) -> None:
    Run.objects.bulk_create([_run(row) for row in rows], ignore_conflicts=True)


def _put_events(rows: Sequence[Record]) -> None:
    RunEvent.objects.bulk_create([RunEvent(**row) for row in rows], ignore_conflicts=True)


def _put_ends(rows: Sequence[Record]) -> None:
    """An end brings the whole row, so that it stands even where its start could not be written; it also puts right a run that was taken for lost."""
    whole = {row["id"]: _run(row) for row in rows}
    Run.objects.bulk_create(whole.values(), update_conflicts=True, update_fields=_ENDS, unique_fields=["id"])


def _put_followups(rows: Sequence[Record]) -> None:
    Followup.objects.bulk_create([Followup(**row) for row in rows], ignore_conflicts=True)


def _put_picks(rows: Sequence[Record]) -> None:
    for row in rows:
        asked = Followup.objects.filter(run__echo=row["echo"], question=row["question"])
        asked.update(pick=row["pick"], picked_by=row["picked_by"])


def _run(row: Record) -> Run:
    return Run(**{name: datetime.fromisoformat(value) if name in _INSTANTS and value else value for name, value in row.items()})


_WRITERS: dict[str, Callable[[Sequence[Record]], None]] = {
    "start": _put_starts,
    "event": _put_events,
    "end": _put_ends,
    "followup": _put_followups,
    "pick": _put_picks,
}
