from dataclasses import replace

import numpy as np
import pytest

from agent.blocks.keywords import resolve
from tests.engine import SameWords, ask
from tests.rows import unit_vector


class Leaning(SameWords):
    """An embedder that puts a phrase between others, as near to each as it is told."""

    def __init__(self, **leanings):
        self.leanings = {phrase.replace("_", " "): weights for phrase, weights in leanings.items()}

    def encode(self, texts):
        rows = []
        for text in texts:
            weights = self.leanings.get(text, {text: 1.0})
            row = sum(weight * np.array(unit_vector(phrase)) for phrase, weight in weights.items())
            rest = np.sqrt(max(0.0, 1 - sum(weight**2 for weight in weights.values())))
            rows.append(row + rest * np.array(unit_vector(f"far from {text}")))
        return np.array(rows, dtype=np.float32)


def meant(deps, phrase, **leanings):
    found = resolve([phrase], [], replace(deps, embedder=Leaning(**leanings)))
    return found.names, found.unmet


@pytest.mark.rule("A-12")
def test_the_towns_own_words_come_before_any_embedding(town):
    assert meant(town, "coffee house", coffee_house={"museum": 1.0}) == (("coffee house",), ())


@pytest.mark.rule("A-12")
def test_among_the_three_nearest_tags_lexical_evidence_decides(town):
    near = {"museum": 0.6, "cafe": 0.5, "live music": 0.42}
    assert meant(town, "music", music=near) == (("music",), ())
    assert meant(town, "gallery music", gallery_music=near)[0] == ("gallery", "music")


@pytest.mark.rule("A-12")
def test_a_tag_below_the_floor_or_beyond_the_third_is_never_taken(town):
    assert meant(town, "sounds", sounds={"live music": 0.3}) == ((), ("sounds",))
    assert meant(town, "room", room={"museum": 0.55, "cafe": 0.5, "restaurant": 0.45, "tea room": 0.4}) == ((), ("room",))


@pytest.mark.rule("A-12")
def test_a_phrase_with_no_word_in_common_needs_a_high_cosine(town):
    assert meant(town, "picture collection", picture_collection={"museum": 0.9}) == (("museum",), ())
    assert meant(town, "picture collection", picture_collection={"museum": 0.6}) == ((), ("picture collection",))


@pytest.mark.rule("A-13")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("a purple cafe", "There is no purple cafe that Small knows."),
        ("a cafe serving moon cheese", "There is no moon cheese cafe that Small knows."),
    ],
)
def test_a_phrase_that_nothing_satisfies_is_never_dropped(town, query, text):
    assert ask(town, query)["parts"][0]["text"] == text


@pytest.mark.rule("A-13")
def test_soft_words_are_no_constraint_and_a_negation_is_kept_as_one(town):
    nice = ask(town, "a really nice lovely cafe please")["parts"][0]
    assert [row["name"] for row in nice["recommends"]] == [row["name"] for row in ask(town, "cafe")["parts"][0]["recommends"]]
    assert [row["name"] for row in ask(town, "cafe without wifi")["parts"][0]["recommends"]] == ["Mill Cafe", "Pier Cafe"]


@pytest.mark.rule("A-13")
def test_prices_that_exclude_each_other_are_said(town):
    assert ask(town, "free expensive cafe")["parts"][0]["status"] == "unknown"
