"""The settings are read once, at the start: each case here is a start of its own, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from asksmall.settings import keep_secret, read_database

ROOT = Path(__file__).resolve().parents[2]


def output_of_a_start(data_dir: Path, **switches: str) -> str:
    environment = {**os.environ, "ASKSMALL_DATA_DIR": str(data_dir), **switches}
    ran = subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)
    return ran.stdout + ran.stderr


def last_line_of_a_start(data_dir: Path, **switches: str) -> str:
    return output_of_a_start(data_dir, **switches).strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("variable", "value", "mend"),
    [
        ("ASKSMALL_TOWN", "/nowhere/town.toml", "ASKSMALL_TOWN must name a TOML file"),
        ("DATABASE_URL", "a database", "it looks like postgres://user:password@host:5432/name"),
        ("ASKSMALL_FLOOR", "1.5", "docs/settings.md says what it may be"),
        ("ASKSMALL_FLOOR", "high", "docs/settings.md says what it may be"),
        ("ASKSMALL_HTTPS", "perhaps", "docs/settings.md says what it may be"),
        ("ASKSMALL_DATA_DIR", "/dev/null/data", "name a folder that can be written"),
    ],
)
def test_a_wrong_switch_is_named_with_its_mend(tmp_path: Path, variable: str, value: str, mend: str):
    said = last_line_of_a_start(tmp_path, **{variable: value})
    assert said.startswith("django.core.exceptions.ImproperlyConfigured: ")
    assert variable in said
    assert mend in said


def test_an_empty_switch_counts_as_not_set(tmp_path: Path):
    assert last_line_of_a_start(tmp_path, ASKSMALL_FLOOR="", DATABASE_URL="").startswith("System check identified no issues")


def test_a_wrong_town_file_is_told_which_key_it_lacks(tmp_path: Path):
    town = tmp_path / "town.toml"
    town.write_text('name = "Nowhere"\n', encoding="utf-8")
    assert last_line_of_a_start(tmp_path, ASKSMALL_TOWN=str(town)).endswith(f"ASKSMALL_TOWN: the town file {town} lacks 'bbox'")


def test_a_refused_database_address_does_not_show_its_password(tmp_path: Path):
    assert "hunter2" not in output_of_a_start(tmp_path, DATABASE_URL="postgres://small:hunter2@host:port/name")


def test_the_secret_is_made_once_and_for_the_owner_alone(tmp_path: Path):
    first = keep_secret(tmp_path / "secret_key")
    assert len(first) >= 50
    assert keep_secret(tmp_path / "secret_key") == first
    assert [(path.name, path.stat().st_mode & 0o777) for path in tmp_path.iterdir()] == [("secret_key", 0o600)]


def test_no_database_address_is_sqlite_in_the_data_folder(tmp_path: Path):
    database = read_database("", tmp_path / "curation.sqlite3")
    assert (database["ENGINE"], database["NAME"]) == ("django.db.backends.sqlite3", str(tmp_path / "curation.sqlite3"))


def test_postgresql_is_given_up_on_after_five_seconds(tmp_path: Path):
    database = read_database("postgres://small:secret@db:5432/town?sslmode=require", tmp_path)
    assert (database["ENGINE"], database["OPTIONS"]) == ("django.db.backends.postgresql", {"connect_timeout": 5, "sslmode": "require"})
