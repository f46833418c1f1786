"""A database of its own for each test of the audit: a file, since what is shown is what becomes of files."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections

from tests.engine import engine

SYSTEM = "system"


@pytest.fixture(scope="session")
def empty_audit(tmp_path_factory, django_db_setup, django_db_blocker) -> Path:
    """A file with the audit's tables and nothing in them."""
    path = tmp_path_factory.mktemp("audit") / "empty.db"
    before = connections.settings[SYSTEM]
    kept = connections[SYSTEM]
    with django_db_blocker.unblock():
        del connections[SYSTEM]
        connections.settings[SYSTEM] = {**before, "NAME": str(path)}
        call_command("migrate", "audit", database=SYSTEM, verbosity=0)
        with connections[SYSTEM].cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connections[SYSTEM].close()
    connections.settings[SYSTEM] = before
    connections[SYSTEM] = kept
    return path


@pytest.fixture
def audit_file(tmp_path: Path, empty_audit: Path, django_db_blocker) -> Iterator[Path]:
    """`system` as a fresh file in a folder of its own, open to every thread."""
    path = tmp_path / "smallsystem.db"
    shutil.copy(empty_audit, path)
    before, kept = connections.settings[SYSTEM], connections[SYSTEM]
    connections.settings[SYSTEM] = {**before, "NAME": str(path)}
    del connections[SYSTEM]
    with django_db_blocker.unblock():
        yield path
        connections[SYSTEM].close()
    connections.settings[SYSTEM], connections[SYSTEM] = before, kept


@pytest.fixture
def recorder(audit_file: Path):
    """A recorder on that file, with its spill beside it."""
    from audit.recorder import Recorder

    mine = Recorder(audit_file.with_name("smallsystem.spill"))
    yield mine
    mine.close()


@pytest.fixture(scope="session")
def town(tmp_path_factory):
    """What a run over the example town may touch, with the rules model."""
    return engine(tmp_path_factory.mktemp("town"))
