import re
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

APPS = [app.label for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR]
OURS = sorted(key for key in MigrationLoader(None).disk_migrations if key[0] in APPS)
NEEDED = {("postgresql", "tag"): {"tag_by_meaning"}, ("postgresql", "synonym"): {"synonym_by_meaning"}}

pytestmark = pytest.mark.both_databases


def tables():
    return [name for name in connection.introspection.table_names() if name.split("_")[0] in APPS]


def called(command, *args, **options):
    said = StringIO()
    call_command(command, *args, **options, stdout=said, no_color=True)
    return said.getvalue()


@pytest.mark.parametrize(("app", "name"), OURS)
def test_a_migration_has_a_number_and_a_name_that_says_what_it_does(app, name):
    assert re.fullmatch(r"\d{4}_[a-z_]+", name)
    assert not re.search(r"auto|alter_field|rename_field", name)


@pytest.mark.django_db(databases=["default", "system"])
def test_the_models_and_the_migrations_agree():
    assert called("makemigrations", check=True, dry_run=True) == "No changes detected\n"


@pytest.mark.django_db(transaction=True)
def test_the_history_runs_back_to_nothing_and_forward_from_nothing():
    before = tables()
    for app in ("festivals", "places"):
        called("migrate", app, "zero")
    assert tables() == []
    called("migrate")
    assert tables() == before


@pytest.mark.django_db(transaction=True)
def test_every_migration_can_be_read_as_sql_and_only_postgresql_is_told_of_vector_indexes():
    statements = "".join(called("sqlmigrate", *key) for key in OURS)
    assert ("USING hnsw" in statements) == (connection.vendor == "postgresql")
    assert {name for name in tables() if f'CREATE TABLE "{name}"' not in statements} == set()


@pytest.mark.django_db
@pytest.mark.parametrize("model", ["tag", "synonym"])
def test_vectors_have_their_index_where_the_database_knows_one(model):
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, f"places_{model}")
    by_meaning = {name for name, one in found.items() if one["index"] and one["columns"] == ["embedding"]}
    assert by_meaning == NEEDED.get((connection.vendor, model), set())
