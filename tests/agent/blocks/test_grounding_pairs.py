"""Sentences that people wrote about invented places (E2E), true and not: what the verifier catches and what it lets pass."""

import json
import re
from pathlib import Path

import pytest

from agent.blocks.grounding import problems
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.schema import ScoreKindRow
from agent.snapshot.store import Store
from agent.types import Anchor, Part, Reason, Row, Sentence
from tests.rows import area, build, place, tag

PAIRS = Path(__file__).resolve().parents[4] / "shared" / "data" / "safety" / "grounding_pairs.jsonl"
pytestmark = [pytest.mark.skipif(not PAIRS.exists(), reason="the shared data is not here"), pytest.mark.slow]

# What is said of children is to be left out: each such phrase becomes one tag that every place bears, and its clause loses its negations.
_CHILD = r"(?:famil(?:y|ies)|kid(?:'?s)?|child(?:ren)?(?:'?s)?|youngsters?|adults?)"
_ABOUT = re.compile(rf"\b{_CHILD}\b(?:[- ]+(?:style|friendly|oriented|only|welcom\w+|welcome))?(?: to be)?", re.IGNORECASE)
_AROUND = re.compile(
    r"\b(?:does|do|all|not|no|none|non|never|welcom\w+|friendly|suitable|allow\w*|bring\w*|cater\w*|perfect|aimed|towards|too|relaxed|appropriate|whole|entire|specifically)\b[- ]?|(?<=\w)n't",
    re.IGNORECASE,
)

# Rows whose label is plainly wrong, by their number from 0, with the reason.
LEFT_OUT = {
    **dict.fromkeys((29, 59, 62), "said to have another price: the price is that of the facts"),
    90: "said to have another rating: it is that of the facts",
    **dict.fromkeys((108, 137), "said to have another price: £20-25 is the middle of the three bands"),
    **dict.fromkeys((154, 372, 411), "said to be true: it serves a drink that is in no fact"),
    **dict.fromkeys((164, 175, 208, 245, 298, 303, 314, 332, 368, 380, 384, 417, 476, 497), "said to be true: it praises with what is in no fact"),
    **dict.fromkeys((220, 309, 352, 375, 427), "said to be true: it says more of the place, or of another, than the facts"),
    **dict.fromkeys((228, 419), "said to be true: it is in another currency"),
    **dict.fromkeys((252, 261, 361), "said to be true: it has another price than the facts"),
    **dict.fromkeys((253, 254, 325, 327), "said to be true: it is in another area than the facts"),
    288: "said to be true: it lies east of a place, which is in no fact",
    459: "said to be true: it serves another kind of food than the facts",
}

TAGS = [
    tag("food", "meals", "eatery", "dining", "lunch", "eat", "cuisine"),
    tag("restaurant", parent="food"),
    tag("pub", parent="food"),
    tag("coffee shop", "coffee house", "cafe", "coffee", parent="food"),
    tag("french", kind="cuisine"),
    tag("japanese", "sushi", kind="cuisine"),
    tag("english", "british", kind="cuisine"),
    tag("italian", "pasta", kind="cuisine"),
    tag("indian", kind="cuisine"),
    tag("chinese", kind="cuisine"),
    tag("child friendly", kind="attribute"),
    tag("fast food", "burger and fries", kind="cuisine"),
]
AREAS = [
    area("riverside", names=("river",)),
    area("city-centre", names=("city center", "center of the city", "centre of the city", "center of town", "centre of town")),
]


def rows():
    return [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def without_children(text):
    """A text whose clauses about children say nothing but "child friendly"."""
    clauses = re.split(r"([.,;!])", text)
    return "".join(
        _ABOUT.sub("child friendly", _AROUND.sub("", clause)) if re.search(rf"\b{_CHILD}\b", clause, re.IGNORECASE) else clause for clause in clauses
    )


# The data's own bands: its price words and amounts, and its rating words and stars, stand for each other.
PRICES = {"less than £20": "less than £20, cheap", "£20-25": "£20-25, moderate", "more than £30": "more than £30, high"}
STARS = {"low": "1 out of 5", "average": "3 out of 5", "high": "5 out of 5"}


def row_of(facts):
    """The facts of a pair as a gathered row."""
    said = {
        "name": facts["name"],
        "area": facts.get("area", ""),
        "location": facts.get("area", ""),
        "category": facts["eatType"],
        "tags": ", ".join(filter(None, (facts.get("food", "").lower(), "child friendly"))),
        "price": PRICES.get(facts.get("priceRange", ""), facts.get("priceRange", "")),
        "stars": STARS.get(facts.get("customer rating", ""), facts.get("customer rating", "")),
        "anchor": facts.get("near", ""),
        "distance": "50 m",
    }
    said = {slot: text for slot, text in said.items() if text}
    return Row("r1", "place:one", facts["name"], (facts["name"],), said.get("area", ""), "/", Reason("tag", facts["eatType"]), said, distance_m=50)


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    names = sorted({pair["facts"][key] for pair in rows() for key in ("name", "near") if key in pair["facts"]})
    places = [place(f"place-{number}", name=name, area="riverside") for number, name in enumerate(names)]
    build(folder, areas=AREAS, tags=TAGS, places=places, score_kinds=[ScoreKindRow("stars", "stars", ())], festivals=[], events=[])
    return Lexicon(Store(folder).handle().anchors)


def wrong(pair, lexicon):
    facts = pair["facts"]
    text = without_children(pair["text"])
    part = Part(1, "", "recommend", "answered", (Sentence(text, ("r1",), text),), (), Anchor("landmark", facts.get("near", "")))
    return problems(part, [row_of(facts)], "", {1}, lexicon, town="the city")


def judged(lexicon, *, grounded):
    """The pairs of one label that are judged, each with what was found wrong. Pairs that differ in what they say of children alone are left out."""
    for number, pair in enumerate(rows()):
        untrue = {*pair["changed"], *pair["unsupported_added"]} - {"familyFriendly"}
        if number not in LEFT_OUT and pair["grounded"] == grounded and (grounded or untrue):
            yield number, wrong(pair, lexicon)


@pytest.mark.rule("A-42")
@pytest.mark.fault("FL26")
def test_what_is_not_grounded_is_caught(lexicon):
    found = list(judged(lexicon, grounded=False))
    missed = [number for number, why in found if not why]
    assert len(found) >= 100
    assert len(missed) <= 0.15 * len(found), missed


@pytest.mark.rule("A-42")
def test_what_is_true_passes(lexicon):
    found = list(judged(lexicon, grounded=True))
    refused = {number: why for number, why in found if why}
    assert len(found) >= 300
    assert len(refused) <= 0.1 * len(found), refused
