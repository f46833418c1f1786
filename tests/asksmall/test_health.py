from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections

from agent.web import wiring
from tests.rows import NOW, build


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Iterator[Path]:
    """An empty folder of snapshots, with a store of its own."""
    settings.SNAPSHOT_DIR = tmp_path
    wiring.store.cache_clear()
    yield tmp_path
    wiring.store.cache_clear()


@pytest.fixture
def _database_gone(db):
    """Point `default` at a file that no SQLite can open."""
    connection = connections.create_connection("default")
    connection.settings_dict = {**connection.settings_dict, "NAME": "/dev/null/gone.sqlite3", "ENGINE": "django.db.backends.sqlite3"}
    before = connections["default"]
    connections["default"] = connection
    yield
    connections["default"] = before


def test_alive_needs_nothing(client):
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "alive"})
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_with_a_snapshot_it_is_ready_and_says_its_number(client, folder: Path):
    build(folder)
    response = client.get("/readyz")
    served = {"number": 1, "published": NOW.isoformat()}
    assert (response.status_code, response.json()) == (200, {"status": "ready", "snapshot": served, "problem": "", "database": "reachable"})


@pytest.mark.django_db
def test_without_a_snapshot_it_is_not_ready_and_says_what_to_do(client):
    response = client.get("/readyz")
    said = response.json()
    assert (response.status_code, said["status"], said["snapshot"], said["database"]) == (503, "not ready", None, "reachable")
    assert "publish" in said["problem"]


@pytest.mark.django_db
def test_a_damaged_new_snapshot_is_told_while_the_old_one_is_served(client, folder: Path):
    build(folder)
    assert client.get("/readyz").json()["snapshot"]["number"] == 1
    damaged = build(folder)
    damaged.chmod(0o600)
    damaged.write_bytes(damaged.read_bytes()[:-4096])
    response = client.get("/readyz")
    assert (response.status_code, response.json()["snapshot"]["number"]) == (200, 1)
    assert response.json()["problem"].startswith("snapshot 2 was refused")


@pytest.mark.usefixtures("_database_gone")
def test_it_is_ready_without_the_curated_database(client, folder: Path):
    build(folder)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["database"]) == (200, "unreachable")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_nothing_is_changed_by_asking(client, path: str):
    assert client.post(path).status_code == 405
