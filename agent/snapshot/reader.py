"""A handle on one published snapshot: one connection a belt, opened together, each of which can read its own tables and do nothing else."""

import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agent.errors import AskError, SnapshotRefused, SnapshotUnavailable, ToolRefused, TooSlow
from agent.snapshot.check import check_content
from agent.snapshot.manifest import Manifest
from agent.snapshot.schema import BELTS
from agent.snapshot.seal import verify_seal

# Everything that the tools' and the anchors' SQL may call. No clock, no randomness, nothing that makes long strings or touches files.
FUNCTIONS = frozenset({
    "abs", "acos", "asin", "atan", "atan2", "avg", "bm25", "ceil", "coalesce", "cos", "count",
    "degrees", "floor", "group_concat", "highlight", "iif", "ifnull", "instr", "json_each", "length", "like", "lower",
    "match", "max", "min", "nullif", "pi", "pow", "power", "radians", "round", "row_number", "sign",
    "sin", "snippet", "sqrt", "substr", "substring", "sum", "total", "trim", "unicode", "upper",
})  # fmt: skip
_STEPS = 1000  # of SQLite's machine between two looks at the clock: about 20 microseconds
_CACHE_KIB = 1024  # a belt's own page cache; the system's is behind it, shared by all
_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_LENGTH: 16 << 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 64,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}

Params = Sequence[Any] | Mapping[str, Any]
SqlRow = sqlite3.Row  # for the types of those who may not import sqlite3


@dataclass(frozen=True, slots=True)
class Vectors:
    """The phrases of the tags: `matrix` is float32 of shape (n, width), each row of unit length; `tags` are tag ids, `phrases` the words."""

    matrix: npt.NDArray[np.float32]
    tags: tuple[int, ...]
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """A file that was held against its checksum and checks; made once a process and shared by its handles."""

    path: Path
    manifest: Manifest
    vectors: Vectors


class Belt:
    """One connection that reads the tables of one belt. It belongs to the thread that opened it."""

    def __init__(self, path: Path, name: str, statement_s: float) -> None:
        self.name = name
        self._limit_s = statement_s
        self._until = float("inf")
        self._connection = _connect(path)
        self._connection.row_factory = sqlite3.Row
        _buckle(self._connection, BELTS[name])
        self._connection.set_progress_handler(self._is_late, _STEPS)

    def rows(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """All rows of one fixed statement; what is not known when it is written goes in as a parameter.

        Raises TooSlow past the statement's CPU time, ToolRefused for what the belt does not allow, SnapshotUnavailable for a damaged file.
        """
        self._until = time.thread_time() + self._limit_s
        try:
            return self._connection.execute(sql, params).fetchall()
        except sqlite3.DatabaseError as error:
            if explained := self._explain(error):
                raise explained from error
            raise

    def one(self, sql: str, params: Params = ()) -> sqlite3.Row | None:
        """The first row, or None."""
        found = self.rows(sql, params)
        return found[0] if found else None

    def close(self) -> None:
        self._connection.close()

    def __del__(self) -> None:
        with suppress(AttributeError, sqlite3.ProgrammingError):  # never opened; or freed by another thread, where SQLite closes it itself
            self._connection.close()

    def _is_late(self) -> bool:
        return time.thread_time() > self._until

    def _explain(self, error: sqlite3.DatabaseError) -> AskError | None:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            return TooSlow(f"a statement of the {self.name} belt took more than {self._limit_s} s")
        if code == sqlite3.SQLITE_AUTH:
            return ToolRefused(f"the {self.name} belt does not allow it: {error}")
        if code in _DAMAGED:
            return SnapshotUnavailable(f"the snapshot is damaged ({error}); publish again, or roll back")
        return None


class Snapshot:
    """A handle: the belts `places`, `festivals`, `anchors` and `pages` on one file. It belongs to the thread that opened it."""

    def __init__(self, verified: Verified, statement_s: float) -> None:
        self._verified = verified
        self.places, self.festivals, self.anchors, self.pages = (
            Belt(verified.path, name, statement_s) for name in ("places", "festivals", "anchors", "pages")
        )

    @property
    def manifest(self) -> Manifest:
        return self._verified.manifest

    @property
    def number(self) -> int:
        return self._verified.manifest.number

    def vectors(self) -> Vectors:
        """The tags' vectors, loaded once a file and shared by the handles of the process."""
        return self._verified.vectors

    def close(self) -> None:
        for belt in (self.places, self.festivals, self.anchors, self.pages):
            belt.close()


def verify(path: Path) -> Verified:
    """Hold a file against its checksum and its checks. Raises SnapshotRefused. Reads the whole file: about a second for a gigabyte."""
    verify_seal(path)
    try:
        connection = _connect(path)
        try:
            manifest = check_content(connection)
            vectors = _load_vectors(connection, manifest.width)
        finally:
            connection.close()
    except (sqlite3.Error, ValueError) as error:
        raise SnapshotRefused(f"{path.name} cannot be opened: {error}") from error
    return Verified(path, manifest, vectors)


def _load_vectors(connection: sqlite3.Connection, width: int) -> Vectors:
    rows = connection.execute("SELECT tag, phrase, vector FROM tag_vector ORDER BY id").fetchall()
    matrix = np.frombuffer(b"".join(row[2] for row in rows), "<f4").reshape(len(rows), width)
    return Vectors(matrix.astype(np.float32, copy=False), tuple(row[0] for row in rows), tuple(row[1] for row in rows))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None, cached_statements=256)
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
    return connection


def _buckle(connection: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Put the belt on: from here on only these tables can be read, and nothing else can be done.

    The text and map indexes are touched first: what SQLite prepares for them inside would not pass the authorizer.
    """
    listed = connection.execute("SELECT name, type FROM pragma_table_list").fetchall()
    virtual = [name for name, kind in listed if kind == "virtual" and name in tables]
    for name in virtual:
        connection.execute(f"SELECT * FROM {name} LIMIT 1").fetchall()  # noqa: S608 (names from our own schema)
        if name.endswith("_fts"):
            connection.execute(f"SELECT rowid FROM {name} WHERE {name} MATCH 'x' ORDER BY bm25({name}) LIMIT 1").fetchall()  # noqa: S608
    connection.execute("SELECT value FROM json_each('[]')").fetchall()
    shadows = [name for name, kind in listed if kind == "shadow" and name.rpartition("_")[0] in virtual]
    readable = frozenset((*tables, *shadows, "json_each"))
    known = frozenset(name for name, _ in listed) | frozenset(name for (name,) in connection.execute("SELECT name FROM pragma_module_list"))
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)

    def allow(action: int, first: str | None, second: str | None, database: str | None, _trigger: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            return sqlite3.SQLITE_OK if second in FUNCTIONS else sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_PRAGMA:  # FTS5 asks this of itself
            return sqlite3.SQLITE_OK if first == "data_version" and second is None else sqlite3.SQLITE_DENY
        if action != sqlite3.SQLITE_READ or first is None:
            return sqlite3.SQLITE_DENY
        name = first.lower()
        named_query = database is None and second == "" and name not in known and not name.startswith(("pragma_", "sqlite_"))
        return sqlite3.SQLITE_OK if name in readable or named_query else sqlite3.SQLITE_DENY

    connection.set_authorizer(allow)
