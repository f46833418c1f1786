"""Publish: a snapshot is built beside the live one, checked, made to last, and only then pointed to.

No file that a reader may have open is ever changed: a new number each time, mode 0444, and one rename for the pointer.
"""

import fcntl
import hashlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from agent.errors import SnapshotRefused
from agent.snapshot import shelf
from agent.snapshot.check import check_content, check_integrity
from agent.snapshot.fill import fill
from agent.snapshot.manifest import Manifest, count_rows, store_manifest
from agent.snapshot.schema import APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES, Content
from agent.snapshot.seal import seal, verify_journal, verify_seal

_TEMPORARY = ".building-"

# The file is thrown away if anything fails, so it needs no journal while it is filled; it is synced once, at the end.
_FAST = f"""
PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA_VERSION};
PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA secure_delete=OFF;
PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536;
"""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the manifest says that is in no row."""

    now: datetime
    town_name: str
    embedder_id: str
    hours_first: date
    hours_days: int


def write(
    folder: Path,
    content: Content,
    *,
    now: datetime,
    town_name: str,
    embedder_id: str,
    hours_first: date,
    hours_days: int,
    kept: int = 10,
    check: bool = False,
) -> Manifest:
    """Publish `content` as the next snapshot of `folder`, let `current` point to it, and keep the newest `kept`.

    `now` is aware and goes into the manifest; `embedder_id` names what made the tags' vectors; `hours_first` and `hours_days` say for which
    dates the hours' exceptions were worked out. With `check` everything is built and checked, and nothing is published.
    Raises SnapshotRefused, with what to mend; the live snapshot is then still live and nothing is left behind.
    """
    if now.tzinfo is None:
        raise ValueError("now must say its time zone")
    facts = Facts(now, town_name, embedder_id, hours_first, hours_days)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _only_publisher(folder), _temporary(folder) as beside:
            number = max([*shelf.numbers(folder), shelf.current(folder) or 0]) + 1
            manifest = _build(beside, content, facts, number)
            if not check:
                _place(beside, shelf.path_of(folder, number))
                shelf.point(folder, number)
                _prune(folder, kept)
    except (sqlite3.Error, OSError, UnicodeEncodeError) as error:
        raise SnapshotRefused(f"the snapshot could not be written ({error}); look at the space and rights of {folder} and publish again") from error
    return manifest


def rollback(folder: Path, number: int | None = None) -> int:
    """Let `current` point back to snapshot `number`, or to the newest one before the live one, and return its number.

    Nothing is copied or deleted, and the next publish still takes a new number. Raises SnapshotRefused where there is none, or where it is damaged.
    """
    with _only_publisher(folder):
        live = shelf.current(folder) or 0
        older = [each for each in shelf.numbers(folder) if each < live] if number is None else [number]
        if not older or not shelf.path_of(folder, older[0]).exists():
            raise SnapshotRefused(f"there is no snapshot {number or f'before {live}'} to go back to; kept are {shelf.numbers(folder)}")
        verify_seal(shelf.path_of(folder, older[0]))
        shelf.point(folder, older[0])
        return older[0]


def _build(beside: Path, content: Content, facts: Facts, number: int) -> Manifest:
    """Fill an empty file, check it as a reader would and more, and seal it."""
    with closing(sqlite3.connect(beside, isolation_level=None)) as connection:
        connection.executescript(_FAST + TABLES)
        width = fill(connection, content, beside.parent)
        connection.executescript(INDEXES + "ANALYZE;")
        store_manifest(connection, _describe(connection, facts, number, width))
        check_integrity(connection)
        manifest = check_content(connection)
    seal(beside)
    verify_journal(beside)
    return manifest


def _describe(connection: sqlite3.Connection, facts: Facts, number: int, width: int) -> Manifest:
    kinds = tuple(slug for (slug,) in connection.execute("SELECT slug FROM score_kind ORDER BY id"))
    return Manifest(
        number=number,
        published=facts.now,
        schema_version=SCHEMA_VERSION,
        content_hash=hash_content(connection),
        town=facts.town_name,
        embedder=facts.embedder_id,
        width=width,
        score_kinds=kinds,
        hours_first=facts.hours_first,
        hours_days=facts.hours_days,
        counts=count_rows(connection),
    )


def hash_content(connection: sqlite3.Connection) -> str:
    """SHA-256, in hexadecimal, over the rows of every table but the manifest, each table in the order of its key."""
    digest = hashlib.sha256()
    for table, order in _hashed(connection):
        digest.update(f"\n{table}\n".encode())
        rows = connection.execute(f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608 (names from our own schema)
        while batch := rows.fetchmany(1000):
            digest.update(repr(batch).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _hashed(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """The tables of the schema, less the manifest and what SQLite keeps for itself, each with the columns of its key."""
    found = []
    for name, kind in connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main' ORDER BY name").fetchall():
        if kind == "shadow" or name.startswith("sqlite_") or name == "manifest":
            continue
        key = [column for (column,) in connection.execute("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", (name,))]
        found.append((name, ", ".join(key) or "rowid"))
    return found


def _place(beside: Path, target: Path) -> None:
    """Make the finished file last and give it its name, which must be new."""
    if target.exists():
        raise SnapshotRefused(f"{target.name} is there already; a published snapshot is never overwritten")
    beside.chmod(0o444)
    with beside.open("rb") as file:
        os.fsync(file.fileno())
    beside.rename(target)
    shelf.sync_folder(target.parent)


def _prune(folder: Path, kept: int) -> None:
    live = shelf.current(folder)
    for number in shelf.numbers(folder)[kept:]:
        if number != live:
            shelf.path_of(folder, number).unlink(missing_ok=True)


@contextmanager
def _only_publisher(folder: Path) -> Iterator[None]:
    """Hold the folder against other publishers; a killed one lets go by itself. Raises SnapshotRefused while another publishes."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SnapshotRefused("another publish is running; try again when it is done") from None
        yield
    finally:
        os.close(handle)


@contextmanager
def _temporary(folder: Path) -> Iterator[Path]:
    """A new file that only its owner reads (O_EXCL), gone at the end unless it was renamed; what a killed publish left is cleared away."""
    for left in folder.glob(f"{_TEMPORARY}*"):
        left.unlink()
    beside = folder / f"{_TEMPORARY}{secrets.token_hex(8)}"
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW, 0o600))
    try:
        yield beside
    finally:
        for left in folder.glob(f"{beside.name}*"):
            left.unlink()
