"""Equal content gives one content hash, whichever database holds it and in whatever order it came in."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PUBLISH = """
from django.core.management import call_command
from tests.agent.management.awkward import save
call_command("migrate", verbosity=0)
save(backwards={backwards})
call_command("publish", "--json", "--now", "2026-12-04T18:30")
"""


def publish(folder: Path, database_url: str, backwards: bool):
    """Fill a database of its own in a process of its own, and publish it."""
    folder.mkdir()
    environment = {**os.environ, "ASKSMALL_DATA_DIR": str(folder), "DATABASE_URL": database_url, "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", PUBLISH.format(backwards=backwards)]
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.fault("FP3")
def test_sqlite_and_postgresql_give_one_hash(postgres, tmp_path):
    first = publish(tmp_path / "sqlite", "", backwards=False)
    second = publish(tmp_path / "postgres", postgres.new_database("fp3"), backwards=True)
    assert (first["counts"]["place"], first["counts"]["occurrence"]) == (7, 81)
    assert second["counts"] == first["counts"]
    assert second["content_hash"] == first["content_hash"]
