"""Tags and synonyms get the vectors of their words, and keep them until the words or the embedder change."""

import numpy as np
import pytest

from agent.retrieval.embedder import UsemEmbedder
from places import embeddings
from places.models import Synonym, Tag
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(scope="module")
def embedder():
    return UsemEmbedder()


class Turned:
    """Another embedder: the default's vectors with their numbers in reverse."""

    def __init__(self, embedder):
        self.embedder = embedder

    def encode(self, texts):
        return self.embedder.encode(texts)[:, ::-1]


def test_every_phrase_gets_its_vector_once(embedder):
    factories.tag("tea room", "tea shop", "cup of tea")
    assert embeddings.fill(embedder) == 3
    assert embeddings.fill(embedder) == 0
    assert Synonym.objects.filter(embedding=None).count() == 0


def test_a_stored_vector_has_four_decimals_and_unit_length(embedder):
    factories.tag("tea room")
    embeddings.fill(embedder)
    vector = Tag.objects.get().embedding
    assert [round(part, 4) for part in vector] == pytest.approx(vector, abs=1e-7)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-3)
    assert np.dot(vector, embedder.encode(["tea room"])[0]) == pytest.approx(1, abs=1e-3)


def test_a_renamed_tag_gets_a_new_vector(embedder):
    tag = factories.tag("tea room", "tea shop")
    embeddings.fill(embedder)
    Tag.objects.filter(pk=tag.pk).update(name="boat hire")
    assert list(embeddings.fresh(embedder)) == ["boat hire"]
    assert embeddings.fill(embedder) == 1


def test_another_embedder_takes_over_every_vector(embedder):
    factories.tag("tea room", "tea shop")
    embeddings.fill(embedder)
    assert embeddings.fill(Turned(embedder)) == 2
    assert embeddings.fill(Turned(embedder)) == 0


def test_a_vector_does_not_depend_on_what_is_filled_with_it():
    factories.tag("tea room")
    embeddings.fill(UsemEmbedder())
    alone = Tag.objects.get().embedding
    Tag.objects.all().delete()
    factories.tag("boat hire", "rowing boats", "punts")
    factories.tag("tea room")
    embeddings.fill(UsemEmbedder())
    assert Tag.objects.get(name="tea room").embedding == alone


def test_fresh_vectors_are_those_that_would_be_stored_and_stores_none():
    factories.tag("tea room")
    fresh = embeddings.fresh(UsemEmbedder())
    assert Tag.objects.get().embedding is None
    embeddings.fill(UsemEmbedder())
    assert {"tea room": Tag.objects.get().embedding} == fresh


def test_a_town_without_tags_has_nothing_to_fill(embedder):
    assert embeddings.fill(embedder) == 0
