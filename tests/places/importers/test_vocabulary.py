"""The words of `osm_tags.toml`: one meaning each, and no loose ends."""

import tomllib
from collections import Counter

import pytest

from agent.snapshot.names import fold
from places.importers.vocabulary import FILE, KINDS, vocabulary

DATA = tomllib.loads(FILE.read_text(encoding="utf-8"))
ENTRIES = [(name, kind, entry) for kind in KINDS for name, entry in DATA[kind].items()]
# One pair, two tags on purpose: a cathedral is a church too, whatever else the feature says.
SHARED_PAIRS = {"building=cathedral"}


def test_each_word_stands_for_one_tag():
    owners: dict[str, set[str]] = {}
    for name, _, entry in ENTRIES:
        for word in (name, *entry.get("also", ())):
            owners.setdefault(fold(word).replace(" ", ""), set()).add(name)
    assert {word: names for word, names in owners.items() if len(names) > 1} == {}


def test_each_pair_stands_for_one_tag():
    pairs = Counter(pair for _, _, entry in ENTRIES for pair in entry.get("osm", ()))
    assert {pair for pair, count in pairs.items() if count > 1} == SHARED_PAIRS


def test_each_parent_is_a_tag_and_no_tag_is_its_own_ancestor():
    tags = vocabulary().tags
    for tag in tags.values():
        seen = {tag.name}
        while tag.parent:
            assert tag.parent not in seen
            seen.add(tag.parent)
            tag = tags[tag.parent]  # noqa: PLW2901


def test_entries_hold_known_keys_and_fit_the_database():
    assert {key for _, _, entry in ENTRIES for key in entry} == {"osm", "parent", "also", "weak"}
    assert max(len(word) for name, _, entry in ENTRIES for word in (name, *entry.get("also", ()))) <= 80


def test_public_ids_differ():
    slugs = Counter(tag.slug for tag in vocabulary().tags.values())
    assert [slug for slug, count in slugs.items() if count > 1] == []


@pytest.mark.parametrize(
    "word, tag",
    [
        ("chemist", "pharmacy"), ("drugstore", "pharmacy"), ("gas station", "petrol station"), ("car park", "car park"), ("parking lot", "car park"),
        ("parking", "parking"), ("free parking", "parking"), ("free WiFi", "wifi"), ("five star", "5-star"), ("5 stars", "5-star"),
        ("coffee shop", "cafe"), ("Café", "cafe"), ("barber", "hairdresser"), ("jewelry", "jeweller"), ("clothing store", "clothes shop"),
        ("swimmingpool", "swimming pool"), ("concerthall", "concert hall"), ("guesthouse", "guest house"), ("terrace", "outdoor seating"),
        ("wheelchair accessible", "step-free"), ("somewhere to eat", "place to eat"), ("place to dine", "restaurant"),
        ("room for the night", "accommodation"), ("place to stay", "accommodation"), ("cinema", "cinema"), ("movie theater", "cinema"),
        ("gym", "gym"), ("fitness centre", "gym"), ("ice cream", "ice cream parlour"), ("takeout", "takeaway"),
    ],
)  # fmt: skip
def test_everyday_words_find_their_tag_in_either_english(word: str, tag: str):
    assert vocabulary().word(word).name == tag


@pytest.mark.parametrize(
    "narrow, broad", [("restaurant", "place to eat"), ("hotel", "accommodation"), ("church", "place of worship"), ("pub", "place to drink")]
)
def test_broad_words_find_the_narrow(narrow: str, broad: str):
    assert vocabulary().tags[narrow].parent == broad
