import os
import subprocess
import sys

import psycopg
import pytest
from django.conf import settings

pytestmark = pytest.mark.postgres


def test_the_server_is_postgresql_18_with_pgvector(postgres):
    with psycopg.connect(postgres.url) as connection:
        version = connection.info.server_version // 10_000
        extension = connection.execute("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'").fetchone()
    assert (version, extension) == (18, (1,))


def test_an_install_fills_an_empty_postgresql_by_its_address_alone(postgres):
    url = postgres.new_database("from_nothing")
    surroundings = {**os.environ, "DATABASE_URL": url}
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=settings.BASE_DIR, env=surroundings, check=True)
    with psycopg.connect(url) as connection:
        index = connection.execute("SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%hnsw%' ORDER BY 1").fetchall()
    assert index == [("synonym_by_meaning",), ("tag_by_meaning",)]
