"""The ask page through Django's client. No test here may touch the curators' database: none has the mark that would open it."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from django.test import Client
from django.urls import path

from agent.web import pages, wiring
from tests.rows import DAILY, NOW, build, place

urlpatterns = [path("", pages.ask, {"clock": lambda: NOW}, name="ask")]  # the site's page, its clock stopped
NASTY = "<script>alert(1)</script>\"'><b>{{ town }}"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Iterator[Path]:
    settings.ROOT_URLCONF = __name__
    settings.SNAPSHOT_DIR = tmp_path
    wiring.store.cache_clear()
    yield tmp_path
    wiring.store.cache_clear()


def read(response) -> str:
    return response.content.decode()


def texts(response, tag: str, of: str = "") -> list[str]:
    """The words inside each element `tag`, those of a class if one is named, without inner tags."""
    found = re.findall(rf"<{tag}\b([^>]*)>(.*?)</{tag}>", read(response), re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", inner)).split()) for attributes, inner in found if of in attributes]


def typed(response) -> str:
    """What stands in the box."""
    return unescape(re.search(r'<input id="q"[^>]* value="([^"]*)"', read(response))[1])


def test_the_first_page_has_an_empty_labelled_box_of_140_characters(client, folder):
    build(folder)
    response = client.get("/")
    assert (response.status_code, typed(response), texts(response, "label")) == (200, "", ["Your question"])
    assert 'maxlength="140"' in read(response)
    assert texts(response, "h1") == ["Ask Lindenmere"]


def test_a_question_is_answered_with_numbered_cards_above_which_stands_the_answer(client, folder):
    build(folder)
    response = client.post("/", {"q": "cafe in Old Town"})
    assert response.status_code == 200
    assert texts(response, "h2") == ["Cafe in Old Town"]
    assert texts(response, "p", "said")[0].startswith("The Blue Door Café in Old Town: cafe")
    assert texts(response, "h3") == ["1The Blue Door Café", "2Mill Cafe"]
    assert typed(response) == "cafe in Old Town"


def test_a_link_to_a_question_answers_it_too(client, folder):
    build(folder)
    posted, linked = client.post("/", {"q": "cafe in Old Town"}), client.get("/", {"q": "cafe in Old Town"})
    assert texts(linked, "li", "card") == texts(posted, "li", "card")
    assert len(texts(linked, "li", "card")) == 2


def test_two_questions_are_answered_in_the_order_asked_and_their_cards_count_on(client, folder):
    build(folder)
    response = client.post("/", {"q": "a museum in Harbour and a cafe in Old Town"})
    assert texts(response, "h2") == ["Museum in Harbour", "Cafe in Old Town"]
    assert texts(response, "h3") == ["1Boat Museum", "2The Blue Door Café", "3Mill Cafe"]


def test_a_card_says_why_where_and_how_far_and_can_be_walked_to_and_called(client, folder):
    cafe = place("mill-cafe", category="cafe", lat=54.4012, lng=-2.961, address="4 Mill Lane", phone="+44 1632 960 002; +44 1632 960 003")
    tower = place("clock-tower", name="Clock Tower", landmark=True, prominence=90, lat=54.4005, lng=-2.9605)
    build(folder, places=[cafe, tower])
    response = client.post("/", {"q": "cafe near Clock Tower"})
    assert texts(response, "h2") == ["Cafe near Clock Tower"]
    assert texts(response, "dt")[:4] == ["Why", "Where", "How far", "Hours"]
    assert texts(response, "dd")[:4] == ["cafe", "4 Mill Lane, Old Town", "80 m, 2 min on foot", "Hours not confirmed"]
    assert 'href="geo:54.401200,-2.961000?q=54.401200,-2.961000(Mill%20Cafe)"' in read(response)
    assert 'href="tel:+441632960002"' in read(response)
    assert texts(response, "p", "source") == ["From the town’s curators"]


def test_a_place_without_position_or_number_has_nothing_to_tap(client, folder):
    build(folder)
    response = client.post("/", {"q": "a museum in Harbour"})
    assert texts(response, "h3") == ["1Boat Museum"]
    assert texts(response, "p", "actions") == []


@pytest.mark.rule("R-06")
def test_hours_are_said_as_open_closed_or_not_confirmed(client, folder):
    late = DAILY.__class__(week=tuple(one.__class__(one.opens + 600, one.closes + 300) for one in DAILY.week), known=True)
    build(
        folder,
        places=[
            place("early", category="cafe", hours=DAILY, prominence=3),
            place("late", category="cafe", hours=late, prominence=2),
            place("nobody-knows", category="cafe", prominence=1),
        ],
    )
    response = client.post("/", {"q": "cafe in Old Town"})
    said = re.findall(r'class="hours (\w+)"><dt>Hours</dt><dd>([^<]*)<', read(response))
    assert said == [("open", "Open, closes 17:00"), ("closed", "Closed, opens 19:00"), ("unknown", "Hours not confirmed")]


def test_a_place_closed_for_good_says_so_and_no_hours(client, folder):
    build(folder)
    response = client.post("/", {"q": "Shut Cafe"})
    assert texts(response, "p", "status") == ["Closed for good"]
    assert texts(response, "div", "hours") == []


def test_a_part_that_is_not_known_says_so_in_its_place(client, folder):
    build(folder)
    response = client.post("/", {"q": "Museum in Harbour and where is Xanadu Palace?"})
    assert re.findall(r'<article class="part( unknown)?">', read(response)) == ["", " unknown"]
    assert texts(response, "p", "said")[1].endswith("that Small knows.")


@pytest.mark.parametrize(("asked", "said"), [("  ", "Ask me something about the town"), ("x" * 141, "longer than 140 characters")])
def test_a_question_that_is_refused_stays_in_the_box(client, folder, asked: str, said: str):
    build(folder)
    response = client.post("/", {"q": asked})
    assert (response.status_code, typed(response)) == (200, asked)
    assert said in texts(response, "p", "refusal")[0]
    assert 'aria-invalid="true"' in read(response)
    assert texts(response, "section", "answer") == []


def test_the_count_is_of_characters_as_they_are_seen_not_of_their_bytes(client, folder):
    build(folder)
    assert texts(client.post("/", {"q": "  " + "e\u0301" * 140 + "  "}), "p", "refusal") == []
    assert texts(client.post("/", {"q": "🏰" * 140}), "p", "refusal") == []


@pytest.mark.rule("R-03")
def test_an_example_fills_the_box_and_asks_nothing(client, folder):
    build(folder)
    link = unescape(re.search(r'<a href="(\?fill=[^"]+)"', read(client.get("/")))[1])
    response = client.get(f"/{link}")
    assert (typed(response), texts(response, "section", "answer")) == ("Is there a cafe near Clock Tower?", [])


def test_what_was_typed_and_what_a_row_says_is_never_markup(client, folder):
    build(folder, places=[place("odd", name=f"Odd {NASTY}", category="cafe", address=NASTY, phone='1632"960')])
    answered, filled = client.post("/", {"q": "cafe in Old Town"}), client.get("/", {"fill": NASTY})
    assert typed(filled) == NASTY
    assert texts(answered, "h3") == [f"1Odd {NASTY}"]
    assert [("<script" in read(page), "<b>" in read(page)) for page in (answered, filled)] == [(False, False)] * 2


@pytest.mark.rule("R-15")
def test_a_shared_link_repeats_the_question_and_says_when_the_snapshot_moved_on(client, folder):
    build(folder)
    link = unescape(re.search(r'class="share"><a href="([^"]+)"', read(client.post("/", {"q": "cafe in Old Town"})))[1])
    assert link == "?q=cafe+in+Old+Town&snapshot=1"
    assert texts(client.get(f"/{link}"), "p", "notice") == []
    build(folder)
    response = client.get(f"/{link}")
    assert (typed(response), texts(response, "h3")) == ("cafe in Old Town", ["1The Blue Door Café", "2Mill Cafe"])
    assert texts(response, "p", "notice") == ["The town has published new facts since this link was made, so the answer may differ."]


def test_a_position_in_the_address_is_not_read(client, folder):
    build(folder)
    asked = "nearest cafe"
    placed = client.get("/", {"q": asked, "at": "54.41,-2.951", "lat": "54.41", "lng": "-2.951"})
    assert texts(placed, "li", "card") == texts(client.get("/", {"q": asked}), "li", "card")


def test_the_foot_says_model_time_tokens_cost_and_snapshot(client, folder):
    build(folder)
    response = client.post("/", {"q": "cafe in Old Town"})
    strip = re.search(r'<dl class="strip">.*?</dl>', read(response), re.DOTALL)[0]
    said = dict(re.findall(r"<dt>(\w+)</dt> <dd>([^<]*)</dd>", strip))
    assert re.fullmatch(r"\d+ ms|\d+\.\d s", said.pop("Time"))
    assert said == {"Model": "rules", "Tokens": "0", "Cost": "—", "Snapshot": "1, 1 June 2026"}


def test_how_it_was_answered_is_folded_away_in_a_table(client, folder):
    build(folder)
    response = client.post("/", {"q": "cafe in Old Town"})
    told = re.search(r'<details class="how">.*?</details>', read(response), re.DOTALL)[0]
    assert re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td>', told) == [
        ("Looked for", "cafe"),
        ("Reason", "tag"),
        ("Looked from", "Old Town (area)"),
        ("Looked up", "find_places: 2 rows"),
    ]


def test_without_a_snapshot_the_page_says_so_and_keeps_what_was_typed(client):
    response = client.post("/", {"q": "cafe in Old Town"})
    assert (response.status_code, response["Retry-After"], typed(response)) == (503, "30", "cafe in Old Town")
    assert "not published" in texts(response, "p", "notice")[0]


@pytest.mark.rule("R-17")
def test_the_policy_allows_no_other_host_and_nothing_inline(client, folder):
    empty = client.get("/")
    build(folder)
    for response in (empty, client.get("/"), client.post("/", {"q": "cafe in Old Town"})):
        policy = dict(rule.split(" ", 1) for rule in response["Content-Security-Policy"].split("; "))
        assert (policy["default-src"], policy["style-src"], policy["img-src"]) == ("'none'", "'self'", "'self'")
        assert re.findall(r"<(?:script|style)|\sstyle=|\son\w+=|https?://", read(response)) == []


def test_each_page_has_one_first_heading_a_language_and_headings_without_a_gap(client, folder):
    build(folder)
    for response in (client.get("/"), client.post("/", {"q": "cafe in Old Town"}), client.post("/", {"q": ""})):
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", read(response))]
        assert (levels[0], levels.count(1)) == (1, 1)
        assert all(after - before <= 1 for before, after in pairwise(levels))
        assert '<html lang="en">' in read(response)
        assert texts(response, "title")[0].endswith("Ask Lindenmere")


def test_the_skip_link_leads_to_the_answer_where_there_is_one(client, folder):
    build(folder)
    asked, idle = read(client.post("/", {"q": "cafe in Old Town"})), read(client.get("/"))
    assert [re.search(r'class="skip" href="#(\w+)"', page)[1] for page in (asked, idle)] == ["answer", "q"]
    assert 'id="answer"' in asked


def test_a_post_from_another_site_is_not_answered(folder):
    build(folder)
    assert Client(enforce_csrf_checks=True).post("/", {"q": "cafe in Old Town"}).status_code == 403


def test_an_answer_is_kept_by_nobody_and_nothing_else_than_reading_and_asking_is_allowed(client, folder):
    build(folder)
    assert "no-store" in client.get("/", {"q": "cafe in Old Town"})["Cache-Control"]
    assert client.put("/").status_code == 405
