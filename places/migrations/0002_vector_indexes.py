import pgvector.django
from django.db import migrations


class AddPostgresIndex(migrations.AddIndex):
    """An index that PostgreSQL alone has. It stays out of the models' state: SQLite could not make it, and would fail on it."""

    def state_forwards(self, app_label, state):
        pass

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == 'postgresql':
            schema_editor.add_index(from_state.apps.get_model(app_label, self.model_name), self.index)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == 'postgresql':
            schema_editor.remove_index(from_state.apps.get_model(app_label, self.model_name), self.index)


def by_meaning(name):
    """The nearest by cosine. The defaults of pgvector for `m` and `ef_construction`; who asks raises `hnsw.ef_search` and ranks again."""
    return pgvector.django.HnswIndex(fields=['embedding'], name=name, opclasses=['vector_cosine_ops'])


class Migration(migrations.Migration):

    dependencies = [
        ('places', '0001_start'),
    ]

    operations = [
        AddPostgresIndex('tag', by_meaning('tag_by_meaning')),
        AddPostgresIndex('synonym', by_meaning('synonym_by_meaning')),
    ]
