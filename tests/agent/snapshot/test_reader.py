import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import AskError, SnapshotUnavailable, ToolRefused
from agent.snapshot.reader import Belt, Snapshot, verify
from agent.snapshot.schema import BELTS
from agent.snapshot.store import Store
from tests.rows import build, unit_vector

PLACE_TABLES = {"place", "place_tag", "score", "tag_cell", "tag_fame", "hours", "hours_day", "place_rtree", "place_fts"}
FESTIVAL_TABLES = {"festival", "festival_tag", "event", "event_tag", "occurrence", "event_fts"}
ALL_TABLES = sorted({table for tables in BELTS.values() for table in tables})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("town")).parent


@pytest.fixture
def snapshot(folder: Path) -> Iterator[Snapshot]:
    handle = Store(folder).open(1)
    yield handle
    handle.close()


@pytest.fixture(scope="module")
def shared(folder: Path) -> Snapshot:
    return Store(folder).open(1)


def test_rows_come_by_name_and_by_position(snapshot: Snapshot) -> None:
    found = snapshot.places.rows("SELECT slug, price FROM place WHERE price = ?", ("cheap",))
    assert [(row["slug"], row[1]) for row in found] == [("blue-door-cafe", "cheap")]
    assert snapshot.places.one("SELECT slug FROM place WHERE id = :id", {"id": 99}) is None


def test_the_tags_vectors_come_as_one_matrix_shared_by_handles(folder: Path) -> None:
    store = Store(folder)
    vectors = store.handle().vectors()
    assert vectors.matrix.shape == (len(vectors.phrases), 512)
    assert vectors.matrix.dtype == np.float32
    assert vectors.phrases[:3] == ("cafe", "coffee house", "tea room")
    assert vectors.tags[:4] == (1, 1, 1, 2)
    assert vectors.matrix[1].tolist() == np.asarray(unit_vector("coffee house"), np.float32).tolist()
    assert store.open(1).vectors() is vectors


@pytest.mark.rule("A-17")
def test_a_run_has_one_handle_with_a_connection_a_belt_on_one_file(folder: Path) -> None:
    store = Store(folder)
    snapshot = store.handle()
    assert store.handle() is snapshot
    assert [belt.name for belt in (snapshot.places, snapshot.festivals, snapshot.anchors, snapshot.pages)] == list(BELTS)
    assert snapshot.number == snapshot.manifest.number == 1


def test_a_handle_belongs_to_the_thread_that_opened_it(folder: Path) -> None:
    store = Store(folder)
    snapshot = store.handle()
    seen: list[Any] = []

    def other() -> None:
        seen.append(store.handle() is snapshot)
        with pytest.raises(sqlite3.ProgrammingError, match="can only be used in that same thread"):
            snapshot.places.rows("SELECT 1")

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [False]


@pytest.mark.rule("A-19")
@pytest.mark.parametrize("belt", BELTS)
@pytest.mark.parametrize("table", ALL_TABLES)
def test_a_belt_reads_its_own_tables_and_no_other(snapshot: Snapshot, belt: str, table: str) -> None:
    connection = getattr(snapshot, belt)
    for query in ("SELECT * FROM {}", "SELECT count(*) FROM {} AS x", "WITH x AS (SELECT 1 FROM {}) SELECT count(*) FROM x"):
        if table in BELTS[belt]:
            assert len(connection.rows(query.format(table))) > 0
        else:
            with pytest.raises(ToolRefused, match=f"the {belt} belt does not allow it"):
                connection.rows(query.format(table.upper()))


@pytest.mark.rule("A-19")
def test_the_place_belt_and_the_festival_belt_share_tags_alone() -> None:
    assert set(BELTS["places"]) & set(BELTS["festivals"]) == {"tag"}
    assert not PLACE_TABLES & set(BELTS["festivals"])
    assert not FESTIVAL_TABLES & (set(BELTS["places"]) | set(BELTS["anchors"]))


HOSTILE = [
    "INSERT INTO tag VALUES (99, 'x', 'x', 'category', NULL, 0, 0)",
    "UPDATE tag SET name = 'x'",
    "DELETE FROM tag",
    "REPLACE INTO tag SELECT * FROM tag",
    "INSERT INTO place_fts(place_fts) VALUES ('delete-all')",
    "INSERT INTO place_rtree VALUES (99, 0, 0, 0, 0)",
    "DROP TABLE tag",
    "ALTER TABLE tag RENAME TO gat",
    "CREATE TABLE x (a)",
    "CREATE TEMP TABLE x (a)",
    "CREATE TEMP VIEW x AS SELECT 1",
    "CREATE TEMP TRIGGER x AFTER INSERT ON tag BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE temp.x USING fts5(a)",
    "CREATE INDEX x ON tag(name)",
    "ATTACH 'other.db' AS other",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO 'copy.db'",
    "REINDEX",
    "ANALYZE",
    "BEGIN IMMEDIATE",
    "SAVEPOINT x",
    "PRAGMA writable_schema = ON",
    "PRAGMA query_only = OFF",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 7",
    "PRAGMA temp_store_directory = '.'",
    "PRAGMA data_version = 7",
    "PRAGMA database_list",
    "SELECT * FROM pragma_database_list",
    "SELECT count(*) FROM pragma_table_list",
    "SELECT * FROM dbstat",
    "SELECT count(*) FROM dbstat",
    "SELECT * FROM sqlite_master",
    "SELECT count(*) FROM sqlite_master",
    "SELECT * FROM sqlite_temp_schema",
    "SELECT load_extension('x')",
    "SELECT writefile('out', 'x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT randomblob(1000000000)",
    "SELECT zeroblob(1000000000)",
    "SELECT printf('%.*c', 1000000000, 'x')",
    "SELECT datetime('now')",
    "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x",
    "SELECT 1; DROP TABLE tag",
    "EXPLAIN DELETE FROM tag",
]


def everything_in(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


@pytest.mark.rule("A-23")
@pytest.mark.fault("FD6")
@pytest.mark.parametrize("sql", HOSTILE)
@pytest.mark.parametrize("belt", BELTS)
def test_what_could_write_or_reach_out_is_refused(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, belt: str, sql: str) -> None:
    """Each with a connection of its own: a refused VACUUM INTO spoils one for its virtual tables."""
    monkeypatch.chdir(tmp_path)
    before = everything_in(folder)
    connection = Belt(folder / "smallplaces-1.db", belt, 0.05)
    with pytest.raises((AskError, sqlite3.Error)):
        connection.rows(sql)
    connection.close()
    assert everything_in(tmp_path) == {}
    assert everything_in(folder) == before


@pytest.mark.rule("A-23")
def test_even_without_a_belt_the_file_is_opened_read_only(folder: Path, snapshot: Snapshot) -> None:
    connection = snapshot.places._connection
    connection.set_authorizer(None)
    with pytest.raises(sqlite3.OperationalError, match="attempt to write a readonly database"):
        connection.execute("DELETE FROM tag")


NAMES = st.sampled_from([*ALL_TABLES, "main.tag", "temp.x", "sqlite_master", "other.db", "x"])
VALUES = st.sampled_from(["1", "'x'", "NULL", "x'00'", "(SELECT max(id) FROM tag)", "load_extension('x')", "randomblob(9)"])
WRITES = st.one_of(
    st.builds("INSERT OR {2} INTO {0} VALUES ({1})".format, NAMES, VALUES, st.sampled_from(["REPLACE", "IGNORE", "ABORT", "ROLLBACK"])),
    st.builds("INSERT INTO {0} SELECT * FROM {1}".format, NAMES, NAMES),
    st.builds("UPDATE {0} SET rowid = {1}".format, NAMES, VALUES),
    st.builds("DELETE FROM {0} WHERE rowid = {1}".format, NAMES, VALUES),
    st.builds("CREATE {0} {1} AS SELECT {2}".format, st.sampled_from(["TABLE", "VIEW", "TEMP TABLE", "TEMP VIEW"]), NAMES, VALUES),
    st.builds("DROP {0} IF EXISTS {1}".format, st.sampled_from(["TABLE", "VIEW", "INDEX", "TRIGGER"]), NAMES),
    st.builds("ATTACH {0} AS y".format, VALUES),
    st.builds("VACUUM INTO {0}".format, VALUES),
    st.builds("PRAGMA {0} = {1}".format, st.sampled_from(["writable_schema", "query_only", "schema_version", "cache_size", "mmap_size"]), VALUES),
    st.builds("WITH x AS (SELECT {1}) DELETE FROM {0}".format, NAMES, VALUES),
)


@pytest.mark.rule("A-23")
@pytest.mark.fault("FD6")
@settings(max_examples=200, deadline=None)
@given(sql=WRITES, belt=st.sampled_from(list(BELTS)))
def test_no_generated_write_is_let_through(folder: Path, sql: str, belt: str) -> None:
    before = everything_in(folder)
    connection = Belt(folder / "smallplaces-1.db", belt, 0.05)
    try:
        connection.rows(sql)
    except (AskError, sqlite3.Error):
        refused = True
    else:
        refused = sql.startswith("DROP")  # of something that is not there: nothing to do
    connection.close()
    assert refused, sql
    assert everything_in(folder) == before


@pytest.mark.rule("A-21")
@settings(max_examples=200, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=140),
        st.sampled_from(["'; DROP TABLE place; --", "x' OR '1'='1", '" OR 1=1 --', "%", "_", "x' UNION SELECT sql FROM sqlite_master --"]),
    )
)
def test_a_text_given_as_a_parameter_is_only_ever_compared(shared: Snapshot, text: str) -> None:
    assert shared.places.rows("SELECT slug FROM place WHERE slug = ? OR name = ?", (text, text)) == []
    assert shared.places.one("SELECT count(*) AS n FROM place")["n"] == 7


@pytest.mark.fault("FD8")
def test_damage_met_while_reading_says_what_to_do(tmp_path: Path) -> None:
    path = build(tmp_path)
    handle = Snapshot(verify(path), 0.05)
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    with pytest.raises(SnapshotUnavailable, match=r"the snapshot is damaged .*; publish again, or roll back"):
        handle.places.rows("SELECT * FROM score ORDER BY reason")
