from dataclasses import replace

import pytest

from agent.blocks.reply import AGAIN, UNKNOWN, options_again, outcome_of, pending, refusal, reply, unknown, with_note
from agent.echo import Pending, begin, verify
from agent.errors import Refused
from agent.types import Anchor, Followup, Opening, Option, Part, Point, Question, Reason, Row, Sentence
from tests.clock import NOW

KEYS = ("a key of the tests",)
BARE = Row("r1", "place:a", "A", (), "Old Town", "/a", Reason("tag", "cafe"), {})
RICH = replace(BARE, id="r2", public_id="event:b@1", name="B", url="/b", status="cancelled", source="partner", point=Point(54.4, -2.96), distance_m=81,
               opening=Opening("open", "open until 17:00"), when={"starts": "19:00"})  # fmt: skip
TOLD = (Sentence("A.", ("r1",)), Sentence("B, and A.", ("r2", "r1", "r9")))
PART = Part(2, "cafe", "recommend", "answered", TOLD, (BARE, RICH), Anchor("area", "Harbour"))


@pytest.mark.rule("A-44", "A-45")
def test_the_body_of_a_reply_has_every_field_in_its_place():
    asked = Followup(3, "where", "Where?", (Option("area:a", "A"),))
    made = reply("a cafe", [PART], [asked], "token", {"rounds": 2})
    assert (made.outcome, made.parts) == ("answer", (PART,))
    assert {name: value for name, value in made.body.items() if name != "parts"} == {
        "outcome": "answer",
        "refused": None,
        "query": "a cafe",
        "followups": [{"question": 3, "slot": "where", "prompt": "Where?", "options": ({"id": "area:a", "label": "A"},)}],
        "echo": "token",
        "citations": [{"id": "place:a", "url": "/a"}, {"id": "event:b@1", "url": "/b"}],
        "move": None,
        "candidates": None,
        "meta": {"rounds": 2},
    }


@pytest.mark.rule("A-39", "A-40")
def test_a_part_is_shown_with_what_it_cites_and_recommends():
    (shown,) = reply("a cafe", [PART], [], None, {}).body["parts"]
    bare, rich = shown.pop("recommends")
    assert shown == {
        "question": 2,
        "what": "cafe",
        "kind": "recommend",
        "status": "answered",
        "text": "A. B, and A.",
        "sentences": [{"text": "A.", "cites": ["place:a"]}, {"text": "B, and A.", "cites": ["event:b@1", "place:a"]}],
        "anchor": {"rung": "area", "name": "Harbour"},
    }
    assert bare == {
        "id": "place:a", "name": "A", "reason": {"type": "tag", "text": "cafe"}, "location": "Old Town", "distance_m": None, "walk_minutes": None,
        "open": None, "status": "open", "when": None, "url": "/a", "source": "small", "lat": None, "lng": None,
    }  # fmt: skip
    assert rich == {
        "id": "event:b@1", "name": "B", "reason": {"type": "tag", "text": "cafe"}, "location": "Old Town", "distance_m": 81, "walk_minutes": 2,
        "open": {"state": "open", "text": "open until 17:00"}, "status": "cancelled", "when": {"starts": "19:00"}, "url": "/b", "source": "partner",
        "lat": 54.4, "lng": -2.96,
    }  # fmt: skip


def test_one_row_in_two_parts_is_cited_once():
    assert reply("x", [PART, replace(PART, question=3)], [], None, {}).body["citations"] == reply("x", [PART], [], None, {}).body["citations"]


@pytest.mark.rule("A-41")
def test_what_is_not_known_and_what_waits_are_said_plainly():
    assert unknown(2, "zoo") == Part(2, "zoo", "inform", "unknown", (Sentence(UNKNOWN),))
    assert unknown(2, "zoo", "No.", Anchor("city", "L")) == Part(2, "zoo", "inform", "unknown", (Sentence("No."),), anchor=Anchor("city", "L"))
    assert pending(Question(2, "zoo"), "Where?") == Part(2, "zoo", "inform", "pending", (Sentence("Where?"),))
    assert reply("x", [unknown(1, "zoo")], [], None, {}).body["parts"][0]["anchor"] is None


@pytest.mark.rule("A-40")
def test_a_note_takes_the_room_of_the_last_sentences_and_of_what_they_named():
    note = Sentence("More.", ())
    long = len("A. B, and A. More.")
    assert with_note(PART, note, long) == replace(PART, sentences=(*TOLD, note))
    assert with_note(PART, note, long - 1) == replace(PART, sentences=(TOLD[0], note), recommends=(BARE,))
    assert with_note(PART, note, 1) == replace(PART, sentences=(TOLD[0], note), recommends=(BARE,))


@pytest.mark.rule("A-49")
@pytest.mark.parametrize(
    ("statuses", "capped", "outcome"),
    [
        (["answered", "pending"], False, "followup"),
        (["pending"], True, "followup"),
        (["unknown", "answered"], False, "answer"),
        (["answered"], True, "fallback"),
        (["unknown"], False, "fallback"),
        ([], False, "fallback"),
    ],
)
def test_the_outcome_follows_from_the_parts(statuses, capped, outcome):
    parts = [replace(PART, status=status) for status in statuses]
    assert outcome_of(parts, capped=capped) == reply("x", parts, [], None, {}, capped=capped).outcome == outcome


@pytest.mark.rule("A-34", "A-36")
def test_the_options_are_shown_once_more_with_their_echo():
    echo = begin("cafe near me", 7, [Pending(2, "where", {"area:a": "A", "area:b": "B"})])
    made = options_again("cafe near me", echo, KEYS, NOW, {"rounds": 0})
    assert (made.outcome, made.parts) == ("followup", (Part(2, "", "inform", "pending", (Sentence(AGAIN),)),))
    assert made.body["followups"] == [
        {"question": 2, "slot": "where", "prompt": AGAIN, "options": ({"id": "area:a", "label": "A"}, {"id": "area:b", "label": "B"})}
    ]
    assert verify(made.body["echo"], "cafe near me", KEYS, NOW) == echo._replace(minted=int(NOW.timestamp()))
    assert [made.body[name] for name in ("outcome", "refused", "query", "meta")] == ["followup", None, "cafe near me", {"rounds": 0}]
    assert made.body["parts"][0]["text"] == AGAIN


@pytest.mark.rule("A-02", "A-03")
def test_a_refusal_is_a_fallback_that_costs_nothing_and_says_why():
    made = refusal(Refused("empty", "Ask me something."), "", {"rounds": 0, "cost": 9})
    assert (made.outcome, made.refused) == ("fallback", "empty")
    assert made.parts == (Part(1, "", "inform", "refused", (Sentence("Ask me something."),)),)
    names = ("outcome", "refused", "query", "followups", "echo", "citations", "meta")
    assert [made.body[name] for name in names] == ["fallback", "empty", "", [], None, [], {"rounds": 0, "cost": 0}]
    assert made.body["parts"][0]["text"] == "Ask me something."
