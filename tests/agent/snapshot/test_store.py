import shutil
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import pytest

from agent.errors import SnapshotUnavailable
from agent.snapshot import shelf
from agent.snapshot.schema import Content
from agent.snapshot.store import Store
from agent.snapshot.writer import rollback, write
from tests.rows import NOW, area, build, event, place, score, tag, town_rows

ROOT = Path(__file__).resolve().parents[3]
READERS = 4


def version(folder: Path, number: int) -> Path:
    """A snapshot in which every row says its version."""
    label = f"v{number}"
    return build(folder, places=[place(f"cafe-{n}", name=label, description=label) for n in range(30)], events=[event("fair", title=label)])


def damage(path: Path) -> None:
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.truncate(4096)


def test_without_a_snapshot_the_store_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(SnapshotUnavailable, match=r"no snapshot is published in .*: run `python manage.py publish`"):
        Store(tmp_path / "none").handle()


def test_the_first_publish_is_noticed_by_a_store_that_found_none(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(SnapshotUnavailable):
        store.handle()
    build(tmp_path)
    assert (store.handle().number, store.problem) == (1, "")


@pytest.mark.fault("FD1")
def test_a_new_snapshot_is_taken_up_and_the_old_handle_stays_good(tmp_path: Path) -> None:
    version(tmp_path, 1)
    store = Store(tmp_path)
    old = store.handle()
    version(tmp_path, 2)
    new = store.handle()
    assert (old.number, new.number) == (1, 2)
    assert [handle.places.one("SELECT max(name) AS name FROM place")["name"] for handle in (old, new)] == ["v1", "v2"]


def test_an_older_snapshot_is_opened_by_its_number_while_it_is_kept(tmp_path: Path) -> None:
    version(tmp_path, 1)
    version(tmp_path, 2)
    store = Store(tmp_path)
    assert store.open(1).pages.one("SELECT max(title) AS title FROM event")["title"] == "v1"
    with pytest.raises(SnapshotUnavailable, match=r"snapshot 7 is not kept any more; kept are \[2, 1\]"):
        store.open(7)
    damage(shelf.path_of(tmp_path, 1))
    with pytest.raises(SnapshotUnavailable, match=r"snapshot 1 was refused: .* cut short"):
        store.open(1)


@pytest.mark.fault("FD3")
def test_a_bad_new_snapshot_keeps_the_old_one_live_and_is_told(tmp_path: Path) -> None:
    version(tmp_path, 1)
    store = Store(tmp_path)
    assert store.handle().number == 1
    damage(version(tmp_path, 2))
    assert store.handle().number == 1
    assert store.problem == "snapshot 2 was refused: smallplaces-2.db has no seal at its end: it was cut short or never finished"
    version(tmp_path, 3)
    assert (store.handle().number, store.problem) == (3, "")


@pytest.mark.fault("FD3")
def test_a_start_with_a_bad_live_snapshot_serves_the_newest_older_one(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        version(tmp_path, number)
    damage(shelf.path_of(tmp_path, 2))
    damage(shelf.path_of(tmp_path, 3))
    store = Store(tmp_path)
    assert store.handle().number == 1
    assert store.problem.startswith("snapshot 3 was refused")


@pytest.mark.fault("FD3")
def test_with_every_snapshot_bad_the_store_gives_none(tmp_path: Path) -> None:
    damage(version(tmp_path, 1))
    with pytest.raises(SnapshotUnavailable, match="snapshot 1 was refused"):
        Store(tmp_path).handle()


def test_a_lost_pointer_keeps_the_old_one_live_and_is_told(tmp_path: Path) -> None:
    version(tmp_path, 1)
    store = Store(tmp_path)
    store.handle()
    (tmp_path / shelf.CURRENT).unlink()
    assert store.handle().number == 1
    assert "no snapshot is published" in store.problem


@pytest.mark.fault("FD2")
def test_a_live_file_that_is_changed_in_place_is_left_for_the_one_before(tmp_path: Path) -> None:
    version(tmp_path, 1)
    path = version(tmp_path, 2)
    store = Store(tmp_path)
    assert store.handle().number == 2
    damage(path)
    assert store.handle().number == 1
    assert store.problem.startswith("snapshot 2 was refused")


def test_the_data_folder_can_be_copied_and_read_elsewhere(tmp_path: Path) -> None:
    version(tmp_path / "here", 1)
    shutil.copytree(tmp_path / "here", tmp_path / "there with a space & ?#%", symlinks=True)
    assert Store(tmp_path / "there with a space & ?#%").handle().number == 1


READ_ON = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from agent.snapshot.store import Store
store, last, seen = Store(Path(sys.argv[1])), f"v{sys.argv[3]}", set()
while last not in seen:
    run = store.handle()
    found = {row[0] for row in run.places.rows("SELECT name FROM place UNION SELECT description FROM place")}
    found |= {row[0] for row in run.anchors.rows("SELECT text FROM name WHERE kind = 'place'")}
    found |= {row[0] for row in run.festivals.rows("SELECT title FROM event")}
    found |= {f"v{run.number}"}
    if len(found) != 1 or store.problem:
        sys.exit(f"{found} {store.problem}")
    if not seen:
        print("reading", flush=True)
    seen |= found
"""


@pytest.mark.slow
@pytest.mark.fault("FD1")
def test_readers_under_many_swaps_see_no_error_and_never_two_versions(tmp_path: Path) -> None:
    """Four processes read while the live snapshot changes 58 times, ten of them by a publish; each run checks that all it read is of one."""
    version(tmp_path, 1)
    version(tmp_path, 2)
    command = [sys.executable, "-c", READ_ON, str(tmp_path), str(ROOT), "12"]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(READERS)]
    assert [reader.stdout.readline() for reader in readers] == ["reading\n"] * READERS
    for number in range(3, 13):
        for older in (1, 2) * 3 if number < 11 else ():
            assert rollback(tmp_path, older) == older
        version(tmp_path, number)
    assert [(*reader.communicate(), reader.returncode) for reader in readers] == [("", "", 0)] * READERS


@pytest.mark.slow
@pytest.mark.fault("FD1")
def test_threads_of_one_store_see_each_swap_whole(tmp_path: Path) -> None:
    version(tmp_path, 1)
    store, wrong, stop = Store(tmp_path), [], threading.Event()

    def read() -> None:
        while not stop.is_set():
            run = store.handle()
            found = {row[0] for row in run.places.rows("SELECT name FROM place")} | {row[0] for row in run.festivals.rows("SELECT title FROM event")}
            if found != {f"v{run.number}"} or store.problem:
                wrong.append((found, run.number, store.problem))

    threads = [threading.Thread(target=read) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    for number in range(2, 14):
        version(tmp_path, number)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_checksum_of_a_file_is_read_once_a_process(tmp_path: Path) -> None:
    version(tmp_path, 1)
    store = Store(tmp_path)
    first = store.handle()
    assert store.open(1).manifest is first.manifest


def test_a_town_without_festivals_or_vectors_can_be_read(tmp_path: Path) -> None:
    content = Content(areas=[area("old-town")], places=[place("cafe")])
    write(tmp_path, content, now=NOW, town_name="Small", embedder_id="", hours_first=date(2026, 5, 1), hours_days=1)
    handle = Store(tmp_path).handle()
    assert handle.vectors().matrix.shape == (0, 0)
    assert handle.festivals.rows("SELECT * FROM event") == []


def test_the_example_town_is_what_it_says() -> None:
    rows = town_rows()
    assert [len(list(each)) for each in (rows.areas, rows.tags, rows.score_kinds, rows.places, rows.festivals, rows.events)] == [2, 6, 2, 7, 1, 3]
    assert tag("cafe", "tea room").phrases == ("cafe", "tea room")
    assert score("quiet", 8).value == 8
