import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from agent.errors import SnapshotRefused
from agent.snapshot.reader import verify
from agent.snapshot.seal import SEAL_BYTES, seal, verify_seal
from tests.rows import build

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return build(tmp_path_factory.mktemp("town")).read_bytes()


def changed(*statements: str) -> Callable[[Path], None]:
    """A change to the database, sealed again: what the checksum alone would let through."""

    def change(path: Path) -> None:
        path.write_bytes(path.read_bytes()[:-SEAL_BYTES])
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
        seal(path)

    return change


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def sealed_cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: -SEAL_BYTES - 8192])
    seal(path)


def other_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


MUTATIONS = {
    "has no seal at its end: it was cut short": cut,
    "cannot be opened: database disk image is malformed": sealed_cut,
    "does not match its checksum": other_byte,
    "is no SQLite database": lambda path: path.write_bytes(b""),
    "x.db is no SQLite database": lambda path: path.write_text("<html>" * 1000),
    "application_id, user_version: (1, ": changed("PRAGMA application_id = 1"),
    "application_id, user_version: (1098083155, 99)": changed("PRAGMA user_version = 99"),
    "the snapshot has schema version 99": changed("UPDATE manifest SET value = '99' WHERE key = 'schema_version'"),
    "the snapshot's manifest cannot be read": changed("DELETE FROM manifest WHERE key = 'town'"),
    "no such table: place_fts_docsize": changed("DROP TABLE place_fts"),
    "no such table: name_fts": changed("DROP TABLE name_fts"),
    "no such table: place_rtree": changed("DROP TABLE place_rtree"),
    "its manifest says": changed("DELETE FROM place WHERE id = 3"),
    "the snapshot has 0 places": changed(
        "DELETE FROM place", """UPDATE manifest SET value = json_set(value, '$.place', 0) WHERE key = 'counts'"""),
    "the tag grid does not hold the open places": changed("DELETE FROM tag_cell"),
    "the order of fame does not hold the open places": changed("DELETE FROM tag_fame WHERE place = 1"),
    "the map index does not hold the places' points": changed("DELETE FROM place_rtree WHERE id = 1"),
    "the text index of events does not answer": changed("DELETE FROM event_fts WHERE rowid = 1"),
    "the text index of names does not answer": changed("INSERT INTO name_fts(name_fts) VALUES ('delete-all')"),
    "the index of name pieces is empty": changed("DELETE FROM name_gram"),
    "the front page is not known": changed("UPDATE page SET url = '/x' WHERE url = '/'"),
}  # fmt: skip


def test_a_sealed_file_is_still_a_plain_database(tmp_path: Path, town: bytes) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(town)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM place").fetchall() == [(7,)]
    assert verify(path).manifest.counts["place"] == 7


@pytest.mark.fault("FD3")
@pytest.mark.parametrize("message", MUTATIONS)
def test_a_file_that_is_not_as_it_was_published_is_refused(tmp_path: Path, town: bytes, message: str) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(town)
    MUTATIONS[message](path)
    with pytest.raises(SnapshotRefused) as refused:
        verify(path)
    assert message in str(refused.value)


@pytest.mark.fault("FD3")
def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SnapshotRefused, match=r"x\.db cannot be read"):
        verify(tmp_path / "x.db")


@pytest.mark.fault("FD8")
def test_each_of_1000_flipped_bits_is_noticed(tmp_path: Path, town: bytes) -> None:
    path = tmp_path / "x.db"
    dice = random.Random(8)
    path.write_bytes(town)
    verify_seal(path)
    noticed = 0
    with path.open("r+b", buffering=0) as file:
        for _ in range(1000):
            place, bit = dice.randrange(len(town)), 1 << dice.randrange(8)
            file.seek(place)
            file.write(bytes([town[place] ^ bit]))
            try:
                verify_seal(path)
            except SnapshotRefused:
                noticed += 1
            file.seek(place)
            file.write(town[place : place + 1])
    assert noticed == 1000


READ_DAMAGED = """
import random, sqlite3, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from agent.errors import AskError
from agent.snapshot.reader import Belt, verify
path, dice, ended = Path(sys.argv[1]), random.Random(8), {"error": 0, "rows": 0}
data = path.read_bytes()
verify(path)
QUERIES = (
    ("places", "SELECT * FROM place ORDER BY name"), ("places", "SELECT * FROM tag_cell WHERE tag = 1 AND cell BETWEEN 0 AND 1e12"),
    ("places", "SELECT bm25(place_fts), * FROM place_fts WHERE place_fts MATCH '\\"cafe\\" OR \\"mill\\"'"),
    ("places", "SELECT * FROM place_rtree WHERE south > 54 AND west < 0"), ("anchors", "SELECT * FROM name WHERE folded > 'b' ORDER BY folded"),
    ("anchors", "SELECT name, count(*) FROM name_gram GROUP BY name"), ("festivals", "SELECT * FROM occurrence WHERE starts > 0 ORDER BY starts"),
)
with path.open("r+b", buffering=0) as file:
    for turn in range(1000):
        place, bit = dice.randrange(len(data)), 1 << dice.randrange(8)
        file.seek(place); file.write(bytes([data[place] ^ bit]))
        belt, query = QUERIES[turn % len(QUERIES)]
        try:
            Belt(path, belt, 0.5).rows(query)
            ended["rows"] += 1
        except (AskError, sqlite3.Error, UnicodeDecodeError):
            ended["error"] += 1
        file.seek(place); file.write(data[place:place + 1])
print(ended["error"] + ended["rows"], ended["error"] > 0)
"""


@pytest.mark.slow
@pytest.mark.fault("FD8")
def test_1000_flipped_bits_crash_nothing_even_without_the_checksum(tmp_path: Path, town: bytes) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(town)
    done = subprocess.run([sys.executable, "-c", READ_DAMAGED, str(path), str(ROOT)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1000 True\n", "")
