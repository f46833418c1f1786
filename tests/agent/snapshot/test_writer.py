import json
import os
import resource
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from agent.errors import SnapshotRefused
from agent.snapshot import shelf, writer
from agent.snapshot.schema import Content, Hours, Interval, TagRow, cell_of
from agent.snapshot.seal import SEAL_BYTES, seal, verify_seal
from agent.snapshot.store import Store
from agent.snapshot.writer import rollback, write
from tests.rows import NOW, area, build, event, occurrence, place, score, tag, town_rows, unit_vector

ROOT = Path(__file__).resolve().parents[3]
FACTS = {"now": NOW, "town_name": "Lindenmere", "embedder_id": "test-vectors", "hours_first": date(2026, 5, 1), "hours_days": 400}


def rows_of(path: Path, query: str, *params: Any) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return connection.execute(query, params).fetchall()


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("town"))


def test_ids_follow_the_public_ids(town: Path) -> None:
    slugs = ["anchor-inn", "blue-door-cafe", "boat-museum", "clock-tower", "mill-cafe", "pier-cafe", "shut-cafe"]
    assert rows_of(town, "SELECT id, slug FROM place ORDER BY id") == list(enumerate(slugs, 1))


def test_a_place_has_its_category_and_all_above_its_tags(town: Path) -> None:
    found = rows_of(
        town, "SELECT t.slug FROM place_tag JOIN tag t ON t.id = tag JOIN place p ON p.id = place WHERE p.slug = 'blue-door-cafe' ORDER BY 1"
    )
    assert found == [("cafe",), ("food",), ("wifi",)]


def test_the_tag_grid_holds_open_places_alone_with_their_scores(town: Path) -> None:
    query = (
        "SELECT p.slug, c.cell, c.scores FROM tag_cell c JOIN place p ON p.id = place JOIN tag t ON t.id = tag WHERE t.slug = 'food' ORDER BY p.slug"
    )
    assert rows_of(town, query) == [
        ("anchor-inn", cell_of(54.4102, -2.9512), bytes([0, 0])),
        ("blue-door-cafe", cell_of(54.4, -2.96), bytes([86, 71])),
        ("mill-cafe", cell_of(54.4012, -2.961), bytes([61, 0])),
        ("pier-cafe", cell_of(54.41, -2.951), bytes([91, 0])),
    ]


def test_tags_count_their_places_and_events(town: Path) -> None:
    assert rows_of(town, "SELECT slug, places, events FROM tag ORDER BY id") == [
        ("cafe", 4, 0), ("food", 5, 0), ("museum", 1, 0), ("music", 0, 1), ("restaurant", 1, 0), ("wifi", 1, 0)]  # fmt: skip


@pytest.mark.parametrize(
    ("folded", "found"),
    [
        ("blue door cafe", [("place", "The Blue Door Café", 10)]),
        ("the clock", [("landmark", "the Clock", 90)]),
        ("clock", [("landmark", "the Clock", 90)]),
        ("lancre dor", [("place", "L'Ancre d'Or", 0)]),
        ("le port", [("area", "Le Port", 3)]),
        ("coffee house", [("tag", "coffee house", 4)]),
        ("peaceful", [("score", "peaceful", 0)]),
        ("regatta", [("festival", "The Regatta", 0)]),
    ],
)
def test_a_name_is_found_folded_and_without_its_article(town: Path, folded: str, found: list[tuple[str, str, int]]) -> None:
    assert rows_of(town, "SELECT kind, text, rank FROM name WHERE folded = ?", folded) == found


def test_the_order_of_fame_holds_open_places_best_known_first_by_tag_by_area_and_of_the_whole_town(town: Path) -> None:
    query = "SELECT p.slug, f.fame FROM tag_fame f JOIN place p ON p.id = f.place WHERE f.tag = ? ORDER BY f.fame, f.place"
    cafe = rows_of(town, "SELECT id FROM tag WHERE slug = 'cafe'")[0][0]
    harbour = rows_of(town, "SELECT id FROM area WHERE slug = 'harbour'")[0][0]
    assert rows_of(town, query, cafe) == [("blue-door-cafe", -21), ("mill-cafe", 0), ("pier-cafe", 0)]
    assert rows_of(town, query, -harbour) == [("anchor-inn", 0), ("boat-museum", 0), ("pier-cafe", 0)]
    assert [slug for slug, _ in rows_of(town, query, 0)] == ["clock-tower", "blue-door-cafe", "anchor-inn", "boat-museum", "mill-cafe", "pier-cafe"]


def test_a_name_with_a_typo_shares_pieces_with_the_right_one(town: Path) -> None:
    query = "SELECT folded FROM name_gram JOIN name ON id = name WHERE gram IN (SELECT value FROM json_each(?)) GROUP BY name ORDER BY count(*) DESC LIMIT 1"
    assert rows_of(town, query, json.dumps(["boa", "oat", "mus", "use", "sem", "em "])) == [("boat museum",)]
    assert rows_of(town, "SELECT names FROM gram WHERE gram = 'boa'") == rows_of(town, "SELECT count(*) FROM name_gram WHERE gram = 'boa'")


def test_text_is_found_without_its_accents_and_apostrophes(town: Path) -> None:
    query = "SELECT slug FROM place_fts JOIN place ON id = place_fts.rowid WHERE place_fts MATCH ?"
    assert rows_of(town, query, '"lancre"') == [("anchor-inn",)]
    assert rows_of(town, query, '"corn" AND "cafe"') == [("mill-cafe",)]


def test_every_page_is_known(town: Path) -> None:
    urls = {url for (url,) in rows_of(town, "SELECT url FROM page")}
    assert len(urls) == 22
    assert urls >= {"/", "/places/", "/places/mill-cafe/", "/areas/harbour/", "/tags/cafe/", "/festivals/", "/festivals/river-days/",
                    "/festivals/river-days/boat-parade/", "/events/quiz-night/"}  # fmt: skip


def test_an_area_has_the_box_of_its_outline(town: Path) -> None:
    found = rows_of(town, "SELECT slug, south, west, north, east FROM area ORDER BY id")
    assert found == [("harbour", None, None, None, None), ("old-town", 54.395, -2.97, 54.405, -2.95)]


def test_an_event_carries_its_venue_and_its_dates_in_order(town: Path) -> None:
    assert rows_of(town, "SELECT venue, venue_slug, lat FROM event WHERE slug = 'opening-concert'") == [("Clock Tower", "clock-tower", 54.4005)]
    days = rows_of(
        town, "SELECT substr(starts_local, 1, 10) FROM occurrence JOIN event e ON e.id = event WHERE slug = 'quiz-night' ORDER BY occurrence.id"
    )
    assert days == [("2026-06-02",), ("2026-06-09",), ("2026-06-16",)]


def test_hours_are_apart_and_a_day_without_hours_is_written_as_closed(tmp_path: Path) -> None:
    hours = Hours((Interval(540, 1020), Interval(540, 720, "unknown")), {739000: (), 739001: (Interval(600, 660),)}, known=True)
    path = build(tmp_path, places=[place("cafe", hours=hours)], events=[])
    assert rows_of(path, "SELECT * FROM hours") == [(1, 540, 1020, "unknown")]
    assert rows_of(path, "SELECT * FROM hours_day") == [(1, 739000, 0, 1440, "closed"), (1, 739001, 600, 660, "open")]


def test_the_manifest_says_what_was_published(tmp_path: Path) -> None:
    manifest = write(tmp_path, town_rows(), **FACTS)
    assert manifest == Store(tmp_path).handle().manifest
    assert (manifest.number, manifest.published, manifest.town, manifest.embedder, manifest.width) == (1, NOW, "Lindenmere", "test-vectors", 512)
    assert (manifest.score_kinds, manifest.hours_first, manifest.hours_days) == (("quiet", "value"), date(2026, 5, 1), 400)
    assert {table: manifest.counts[table] for table in ("place", "area", "event", "occurrence", "page")} == {
        "place": 7, "area": 2, "event": 3, "occurrence": 5, "page": 22}  # fmt: skip


def reversed_rows(content: Content) -> Content:
    def turned(rows: Iterable[Any]) -> list[Any]:
        return list(rows)[::-1]

    places = [replace(row, names=row.names[::-1], tags=row.tags[::-1], scores=row.scores[::-1]) for row in turned(content.places)]
    events = [replace(row, occurrences=row.occurrences[::-1]) for row in turned(content.events)]
    tags = [replace(row, phrases=row.phrases[:1] + row.phrases[:0:-1], vectors=row.vectors[:1] + row.vectors[:0:-1]) for row in turned(content.tags)]
    return Content(turned(content.areas), tags, turned(content.score_kinds), places, turned(content.festivals), events)


def test_equal_content_has_an_equal_hash_in_any_order(tmp_path: Path) -> None:
    first = write(tmp_path, town_rows(), **FACTS)
    second = write(tmp_path, reversed_rows(town_rows()), **FACTS)
    assert first.content_hash == second.content_hash
    assert second.number == 2


def test_a_changed_word_changes_the_hash(tmp_path: Path) -> None:
    first = write(tmp_path, town_rows(), **FACTS)
    places = [replace(row, address="1 Other Street") if row.slug == "mill-cafe" else row for row in town_rows().places]
    assert write(tmp_path, replace(town_rows(), places=places), **FACTS).content_hash != first.content_hash


def test_places_are_streamed_from_a_generator(tmp_path: Path) -> None:
    def many() -> Iterator[Any]:
        yield from (place(f"cafe-{number:05}", category="cafe", description="x" * 20_000) for number in range(900, 0, -1))

    assert rows_of(build(tmp_path, places=many(), events=[]), "SELECT min(slug), max(id) FROM place") == [("cafe-00001", 900)]


CAFE = place("mill-cafe")
HALF = tuple(value / 2 for value in unit_vector("cafe"))
REFUSED = {
    "0 places": {"places": []},
    "two place rows have the public id 'mill-cafe'": {"places": [CAFE, CAFE]},
    "two area rows have the public id 'harbour'": {"areas": [area("old-town"), area("harbour"), area("harbour")]},
    "the area of place 'mill-cafe' is 'moon'": {"places": [replace(CAFE, area="moon")]},
    "the category of place 'mill-cafe' is 'rocket'": {"places": [replace(CAFE, category="rocket")]},
    "place 'mill-cafe' has the tag 'rocket'": {"places": [replace(CAFE, tags=("rocket",))]},
    "a score of place 'mill-cafe' is 'loud'": {"places": [replace(CAFE, scores=(score("loud", 3),))]},
    "the score 'quiet' of place 'mill-cafe' is 11": {"places": [replace(CAFE, scores=(score("quiet", 11),))]},
    "place 'mill-cafe' is at lat 91": {"places": [replace(CAFE, lat=91.0)]},
    "place 'mill-cafe' is at lat nan": {"places": [replace(CAFE, lat=float("nan"))]},
    "place 'mill-cafe' is at lat None": {"places": [replace(CAFE, lat=None)]},
    "the parent of tag 'cafe' is 'rocket'": {"tags": [tag("cafe", parent="rocket")]},
    "is its own ancestor": {"tags": [tag("cafe", parent="food"), tag("food", parent="cafe")]},
    "tag 'cafe' has 1 phrases and 0 vectors": {"tags": [TagRow("cafe", "cafe", "category", "", ("cafe",), ())]},
    "is not of unit length": {"tags": [TagRow("cafe", "cafe", "category", "", ("cafe",), (HALF,))]},
    "several widths [2, 512]": {"tags": [tag("food"), TagRow("cafe", "cafe", "category", "", ("cafe",), ((1.0, 0.0),))]},
    "the festival of event 'fair' is 'gone'": {"events": [event("fair", festival="gone")]},
    "event 'fair' ends at 2026-06-01T11:00:00+00:00, before it begins": {
        "events": [event("fair", occurrences=(occurrence(NOW, NOW.replace(hour=11)),))]},
    "the snapshot could not be written": {"places": [replace(CAFE, name="\ud800")]},
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_content_that_cannot_be_right_is_refused_and_the_live_snapshot_stays(tmp_path: Path, message: str) -> None:
    build(tmp_path)
    before = names_in(tmp_path)
    with pytest.raises(SnapshotRefused) as refused:
        build(tmp_path, **REFUSED[message])
    assert message in str(refused.value)
    assert names_in(tmp_path) == before == ["current", "smallplaces-1.db"]
    assert shelf.current(tmp_path) == 1


def test_a_clock_without_a_zone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="time zone"):
        write(tmp_path, town_rows(), **FACTS | {"now": datetime(2026, 6, 1)})  # noqa: DTZ001


def test_a_check_builds_everything_and_publishes_nothing(tmp_path: Path) -> None:
    assert write(tmp_path, town_rows(), **FACTS, check=True).counts["place"] == 7
    assert names_in(tmp_path) == []


def test_the_newest_ten_are_kept_and_numbers_only_rise(tmp_path: Path) -> None:
    for _ in range(12):
        build(tmp_path)
    assert shelf.numbers(tmp_path) == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]
    assert rollback(tmp_path) == 11
    assert rollback(tmp_path, 3) == 3
    assert write(tmp_path, town_rows(), **FACTS, kept=2).number == 13
    assert shelf.numbers(tmp_path) == [13, 12]


def test_a_rollback_copies_nothing_and_readers_follow_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    build(tmp_path, places=[place("first-cafe")], events=[])
    build(tmp_path, places=[place("second-cafe")], events=[])
    inode = shelf.path_of(tmp_path, 1).stat().st_ino
    assert store.handle().places.one("SELECT slug FROM place")["slug"] == "second-cafe"
    assert rollback(tmp_path) == 1
    assert store.handle().places.one("SELECT slug FROM place")["slug"] == "first-cafe"
    assert shelf.path_of(tmp_path, 1).stat().st_ino == inode
    with pytest.raises(SnapshotRefused, match="no snapshot before 1 to go back to"):
        rollback(tmp_path)
    with pytest.raises(SnapshotRefused, match="no snapshot 7 to go back to; kept are"):
        rollback(tmp_path, 7)


def test_a_damaged_snapshot_is_not_rolled_back_to(tmp_path: Path) -> None:
    old = build(tmp_path)
    build(tmp_path)
    old.chmod(0o644)
    with old.open("r+b") as file:
        file.truncate(8192)
    with pytest.raises(SnapshotRefused, match="cut short"):
        rollback(tmp_path)
    assert shelf.current(tmp_path) == 2


@pytest.mark.fault("FP2")
def test_of_two_publishers_one_is_told_to_wait(tmp_path: Path) -> None:
    def places() -> Iterator[Any]:
        with pytest.raises(SnapshotRefused, match="another publish is running"):
            build(tmp_path)
        yield place("cafe")

    assert build(tmp_path, places=places(), events=[]).name == "smallplaces-1.db"


@pytest.mark.fault("FD2")
def test_a_published_file_is_never_changed_or_overwritten(tmp_path: Path) -> None:
    first = build(tmp_path)
    before = first.read_bytes(), first.stat().st_ino
    assert stat.S_IMODE(first.stat().st_mode) == 0o444
    build(tmp_path)
    assert (first.read_bytes(), first.stat().st_ino) == before
    beside = tmp_path / ".building-by-hand"
    beside.write_bytes(b"other")
    with pytest.raises(SnapshotRefused, match=r"smallplaces-1.db is there already; a published snapshot is never overwritten"):
        writer._place(beside, first)
    assert first.read_bytes() == before[0]


@pytest.mark.fault("FD2")
def test_the_file_is_synced_before_it_has_its_name_and_the_folder_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append((Path(f"/proc/self/fd/{handle}").readlink().name[:10], shelf.path_of(tmp_path, 1).exists(), shelf.current(tmp_path)))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    build(tmp_path)
    assert synced == [(".building-", False, None), (tmp_path.name[:10], True, None), (tmp_path.name[:10], True, 1)]


@pytest.mark.fault("FD2")
def test_a_temporary_file_is_its_owners_and_new_and_what_a_killed_publish_left_goes(tmp_path: Path) -> None:
    (tmp_path / ".building-left").write_bytes(b"half")
    modes = []

    def places() -> Iterator[Any]:
        modes.extend((each.name != ".building-left", stat.S_IMODE(each.stat().st_mode)) for each in tmp_path.glob(".building-*"))
        yield place("cafe")

    build(tmp_path, places=places(), events=[])
    assert modes == [(True, 0o600)]
    assert names_in(tmp_path) == ["current", "smallplaces-1.db"]


@pytest.mark.fault("FD4")
def test_a_snapshot_left_in_wal_mode_is_refused(tmp_path: Path) -> None:
    path = build(tmp_path)
    assert path.read_bytes()[18:20] == b"\x01\x01"
    path.chmod(0o644)
    data = path.read_bytes()
    path.write_bytes(data[:18] + b"\x02\x02" + data[20:-SEAL_BYTES])
    seal(path)
    with pytest.raises(SnapshotRefused, match="WAL mode"):
        verify_seal(path)


@pytest.mark.fault("FD4")
@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_snapshot_with_a_journal_beside_it_is_refused(tmp_path: Path, ending: str) -> None:
    path = build(tmp_path)
    path.with_name(path.name + ending).write_bytes(b"")
    with pytest.raises(SnapshotRefused, match="a journal beside it"):
        verify_seal(path)


def mounted(folder: Path) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
    return os.geteuid() == 0 and subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.mark.fault("FD5")
def test_a_full_disk_leaves_the_old_snapshot_live_and_nothing_behind() -> None:
    """A small disk where one can be mounted, else a limit on a file's size; the publisher is a process of its own, for the limit's sake."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = mounted(folder)
        try:
            build(folder)
            code = "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from tests.rows import build, place\n"
            code += "build(Path(sys.argv[2]), places=[place(f'cafe-{n}', description='word ' * 200) for n in range(3000)], events=[])"
            done = subprocess.run(
                [sys.executable, "-c", code, str(ROOT), name], check=False, capture_output=True, text=True,
                preexec_fn=None if small else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)))  # fmt: skip
            assert "SnapshotRefused: the snapshot could not be written" in done.stderr
            assert "publish again" in done.stderr
            assert names_in(folder) == ["current", "smallplaces-1.db"]
            handle = Store(folder).handle()
            assert handle.number == 1
            handle.close()
        finally:
            if small:
                subprocess.run(["umount", name], check=True)


def test_now_may_be_in_any_zone(tmp_path: Path) -> None:
    assert write(tmp_path, town_rows(), **FACTS).published.astimezone(UTC) == NOW
