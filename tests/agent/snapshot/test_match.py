import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import TooSlow
from agent.snapshot.match import match
from agent.snapshot.reader import Snapshot, verify
from tests.rows import build

BY_NAME = "SELECT slug FROM place_fts JOIN place ON id = place_fts.rowid WHERE place_fts MATCH ? ORDER BY bm25(place_fts), slug"
HOSTILE = [
    '"' * 140,
    "a* OR b*",
    "NEAR(a b, 1000000)",
    "name : x",
    "^x",
    "- + ( ) { }",
    "AND",
    "x AND",
    "\0",
    "\ud800",
    "'; DROP TABLE place; --",
    "💥" * 140,
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    handle = Snapshot(verify(build(tmp_path_factory.mktemp("town"))), statement_s=5)
    yield handle
    handle.close()


def test_all_words_are_wanted_or_any_of_them() -> None:
    assert match(["Café", "l'Épi"]) == '"cafe" AND "lepi"'
    assert match(["mill pier"], either=True) == '"mill" OR "pier"'


def test_a_long_text_is_cut_to_24_words() -> None:
    assert match(["x"] * 140).count('"x"') == 24


def test_words_find_rows_however_they_are_written(snapshot: Snapshot) -> None:
    assert [row["slug"] for row in snapshot.places.rows(BY_NAME, (match(["CAFÉ", "corn"]),))] == ["mill-cafe"]
    assert [row["slug"] for row in snapshot.places.rows(BY_NAME, (match(["L’ancre d’or"]),))] == ["anchor-inn"]


def test_no_words_find_nothing(snapshot: Snapshot) -> None:
    assert snapshot.places.rows(BY_NAME, (match([]),)) == []


@pytest.mark.fault("FD7")
@pytest.mark.rule("A-21")
@pytest.mark.parametrize("text", HOSTILE)
def test_pathological_text_is_no_syntax_error_and_changes_nothing(snapshot: Snapshot, text: str) -> None:
    assert snapshot.places.rows(BY_NAME, (match([text]),)) == []
    assert snapshot.places.one("SELECT count(*) AS n FROM place")["n"] == 7


@pytest.mark.fault("FD7")
@pytest.mark.rule("A-21")
@settings(max_examples=300, deadline=None)
@given(texts=st.lists(st.text(st.characters(), max_size=140), max_size=5), either=st.booleans())
def test_no_text_is_a_syntax_error(snapshot: Snapshot, texts: list[str], either: bool) -> None:
    for sql, belt in ((BY_NAME, snapshot.places), ("SELECT rowid FROM name_fts WHERE name_fts MATCH ?", snapshot.anchors)):
        assert isinstance(belt.rows(sql, (match(texts, either=either),)), list)


@pytest.mark.fault("FD7")
def test_raw_text_would_be_a_syntax_error(snapshot: Snapshot) -> None:
    with pytest.raises(sqlite3.OperationalError, match="unterminated string"):
        snapshot.places.rows(BY_NAME, ('"',))


@pytest.mark.fault("FD7")
def test_a_statement_past_its_cpu_time_is_stopped_and_the_next_one_runs(tmp_path: Path) -> None:
    handle = Snapshot(verify(build(tmp_path)), statement_s=0.05)
    with pytest.raises(TooSlow, match=r"a statement of the anchors belt took more than 0\.05 s"):
        handle.anchors.rows("SELECT count(*) FROM name a, name b, name c, name d, name e, name f")
    assert handle.anchors.one("SELECT count(*) AS n FROM area")["n"] == 2
