"""What every test stands on: settings of its own, no network, a fixed clock, and a real PostgreSQL for those that ask for it.

The settings are read once, with every switch of the reader's own environment left out and `ASKSMALL_DATA_DIR` in a folder
that goes away at the end. That works because `pyproject.toml` names no settings module: pytest-django would read it before this file.

One suite, two databases. `make test` runs pytest twice (`docs/decisions/0040-sqlite-and-postgresql.md` has the commands):

1. everything, on SQLite;
2. with `ASKSMALL_TEST_DATABASE=postgres`, the tests marked `both_databases` again, with `default` on a real PostgreSQL.

So a marked test is written once, knows nothing of the database, and cannot be green on one and forgotten on the other.
A test that needs both at once asks for the fixture `postgres` (and carries the marker `postgres`): `postgres.new_database("name")`
gives the URL of an empty database, to be handed to a `manage.py` of its own as `DATABASE_URL`.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import django
import pytest
from django.conf import settings

from tests.clock import NOW
from tests.network import network_closed
from tests.postgres import Postgres, running_postgres

if settings.configured:
    pytest.exit("The settings were read before tests/conftest.py: leave DJANGO_SETTINGS_MODULE out of the environment and of pytest's options.", 4)

pytest_plugins = ["tests.rules_plugin"]
ON_POSTGRES = os.environ.get("ASKSMALL_TEST_DATABASE") == "postgres"
TEST_DATA = Path(tempfile.mkdtemp(prefix="asksmall-tests-"))


def leave_out_own_switches() -> None:
    for name in [*os.environ]:
        if name.startswith("ASKSMALL_") or name == "DATABASE_URL":
            del os.environ[name]


leave_out_own_switches()
os.environ["ASKSMALL_DATA_DIR"] = str(TEST_DATA)
os.environ["DJANGO_SETTINGS_MODULE"] = "asksmall.settings"
(TEST_DATA / "static").mkdir()  # whitenoise warns of a folder that is not there


def pytest_configure() -> None:
    django.setup()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a good one takes a second for each test that signs in


def pytest_unconfigure() -> None:
    shutil.rmtree(TEST_DATA, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    with network_closed():
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_recorded() -> None:
    """The process's own recorder is closed: what is recorded in a test, that test records, into a database of its own."""
    from audit.recorder import recorder

    recorder().close()


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL 18 with pgvector, started for the first test that asks and stopped at the end."""
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    """Put `default` on PostgreSQL for the second run. `DATABASE_URL` cannot: the settings are read long before the server starts."""
    if ON_POSTGRES:
        request.getfixturevalue("postgres").become_default()
