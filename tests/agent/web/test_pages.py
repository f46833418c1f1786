"""The ask page through Django's client. No test here may touch the curators' database: none has the mark that would open it."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from django.test import Client
from django.urls import path

from agent.snapshot import shelf
from agent.web import pages, wiring
from tests.rows import DAILY, NOW, area, build, place

urlpatterns = [path("", pages.ask, {"clock": lambda: NOW}, name="ask")]  # the site's page, its clock stopped
ODD = "zz \"'><b>{{ q }}"
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
    response = client.post("/", {"q": "Museum in Harbour and a purple cafe"})
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


# Questions back

ONE, TWO = "a museum in Harbour and cafe near me", "cafe near me, a museum in Harbour and a zoo"


def hidden(response, name: str) -> str:
    """What a hidden field of the page's forms carries; the same in each form."""
    (value,) = set(re.findall(rf'<input type="hidden" name="{name}" value="([^"]*)"', read(response)))
    return unescape(value)


def go_on(client, response, **picks: str):
    """Send a form of the page: what it carries, and what was picked or said, for example `pick_2="area:harbour"`."""
    sent = {name.replace("_", "-"): value for name, value in picks.items()}
    return client.post("/", {"q": hidden(response, "q"), "echo": hidden(response, "echo"), **sent})


@pytest.mark.rule("R-02", "R-09", "A-37")
def test_one_question_back_is_buttons_and_a_small_box_and_the_rest_is_answered(client, folder):
    build(folder)
    response = client.post("/", {"q": ONE})
    assert texts(response, "h2") == ["Museum in Harbour", "Cafe"]
    assert (texts(response, "h3"), texts(response, "p", "said")[1]) == (["1Boat Museum"], "Where should Small look? Pick one, or name an area.")
    buttons = re.findall(r'<button type="submit" class="choice" name="pick-2" value="([^"]+)">([^<]+)</button>', read(response))
    assert buttons == [("area:old-town", "Old Town"), ("area:harbour", "Harbour")]
    assert texts(response, "label") == ["Your question", "Or name an area"]
    assert re.search(r'<input id="say-2" name="say-2" [^>]*maxlength="140" required', read(response))
    assert (hidden(response, "q"), texts(response, "fieldset")) == (ONE, [])


@pytest.mark.rule("R-02", "R-09", "A-37")
@pytest.mark.parametrize("answer", [{"pick_2": "area:harbour"}, {"say_2": "le port"}])
def test_the_answer_brings_what_was_open_and_says_where_the_rest_is(client, folder, answer):
    build(folder)
    response = go_on(client, client.post("/", {"q": ONE}), **answer)
    assert (typed(response), texts(response, "h2"), texts(response, "h3")) == (ONE, ["Cafe near Harbour"], ["1Pier Cafe"])
    assert texts(response, "p", "notice") == [pages.REST]
    assert texts(response, "form", "choices") == []


@pytest.mark.rule("R-09", "A-28")
def test_two_questions_back_are_answered_together_in_one_form(client, folder):
    build(folder)
    response = client.post("/", {"q": TWO})
    assert texts(response, "label") == [
        "Your question", "Old Town", "Harbour", "Or name an area", "food", "museum", "cafe", "restaurant", "Or say it in other words",
    ]  # fmt: skip
    assert re.findall(r'<input type="radio" form="back" name="(pick-\d)" value="area:harbour">', read(response)) == ["pick-1"]
    assert re.findall(r'<input id="say-\d" form="back" name="(say-\d)"', read(response)) == ["say-1", "say-3"]
    answered = go_on(client, response, pick_1="area:harbour", say_3="gallery")
    assert (texts(answered, "h2"), texts(answered, "h3")) == (["Cafe near Harbour", "Zoo"], ["1Pier Cafe", "2Boat Museum"])


def test_what_is_written_counts_before_what_is_chosen(client, folder):
    build(folder)
    response = go_on(client, client.post("/", {"q": TWO}), pick_1="area:old-town", say_1="Harbour", pick_3="tag:museum", say_3="  ")
    assert texts(response, "h3") == ["1Pier Cafe", "2Boat Museum"]


@pytest.mark.rule("A-34", "A-36")
def test_an_answer_that_is_none_shows_the_options_once_more_and_keeps_what_was_given(client, folder):
    build(folder)
    again = go_on(client, client.post("/", {"q": TWO}), pick_1="area:harbour", say_3="aquarium")
    assert texts(again, "h2") == ["Question 1", "Question 3"]
    assert texts(again, "p", "said") == ["That was none of these. Which one is it?"] * 2
    assert re.findall(r'value="([^"]+)" checked', read(again)) == ["area:harbour"]
    assert re.search(r'name="say-3" type="text" value="aquarium"', read(again))
    assert (texts(again, "p", "notice"), texts(again, "details")) == ([], [])
    last = go_on(client, again, pick_1="area:harbour", say_3="aquarium")
    assert (texts(last, "h3"), re.findall(r'<article class="part( unknown)?">', read(last))) == (["1Pier Cafe"], ["", " unknown"])


@pytest.mark.rule("A-36")
def test_a_question_left_open_is_not_known(client, folder):
    build(folder)
    response = go_on(client, client.post("/", {"q": TWO}), pick_3="tag:museum")
    assert texts(response, "p", "said")[0] == "Without knowing that, Small doesn’t know."
    assert texts(response, "h3") == ["1Boat Museum"]


@pytest.mark.rule("A-35")
@pytest.mark.parametrize(
    "spoil", [lambda echo: echo[:-2] + "..", lambda _: "", lambda _: "x" * 100_000, lambda _: NASTY], ids=["tampered", "empty", "large", "markup"]
)
def test_an_echo_that_is_not_good_asks_anew_and_says_so(client, folder, spoil):
    build(folder)
    echo = hidden(client.post("/", {"q": ONE}), "echo")
    response = client.post("/", {"q": ONE, "echo": spoil(echo), "pick-2": "area:harbour"})
    assert (response.status_code, texts(response, "h2")) == (200, ["Museum in Harbour", "Cafe"])
    assert texts(response, "p", "notice") == [pages.ANEW.format(why=pages.NOT_TAKEN)]


@pytest.mark.rule("A-30", "A-35")
def test_after_ten_minutes_all_is_asked_anew(client, folder, settings):
    build(folder)
    asked = client.post("/", {"q": ONE})
    settings.ROOT_URLCONF = (path("", pages.ask, {"clock": lambda: NOW + timedelta(minutes=11)}),)
    response = go_on(client, asked, pick_2="area:harbour")
    assert texts(response, "p", "notice") == [pages.ANEW.format(why=pages.LATE["expired"])]


@pytest.mark.rule("A-35")
def test_an_answer_is_looked_up_in_the_snapshot_that_was_asked_while_that_is_kept(client, folder):
    build(folder)
    asked = client.post("/", {"q": ONE})
    build(folder, places=[place("new-cafe", category="cafe", area="harbour", lat=54.41, lng=-2.951)])
    kept = go_on(client, asked, pick_2="area:harbour")
    assert (texts(kept, "h3"), texts(kept, "p", "notice")) == (["1Pier Cafe"], [pages.REST])
    shelf.path_of(folder, 1).unlink()
    anew = go_on(client, asked, pick_2="area:harbour")
    assert texts(anew, "p", "notice") == [pages.ANEW.format(why=pages.LATE["snapshot"])]
    assert texts(anew, "h2")[0] == "Museum in Harbour"


def test_an_answer_with_another_question_than_was_asked_is_a_question(client, folder):
    build(folder)
    echo = hidden(client.post("/", {"q": ONE}), "echo")
    assert texts(client.post("/", {"q": "a museum in Harbour", "echo": echo, "pick-2": "area:harbour"}), "h3") == ["1Boat Museum"]
    assert texts(client.post("/", {"q": "", "echo": echo}), "p", "refusal") != []
    assert texts(client.get("/", {"q": "a museum in Harbour", "echo": echo}), "p", "notice") == []


def test_an_answer_from_another_site_is_not_taken(folder):
    build(folder)
    safe = Client(enforce_csrf_checks=True)
    home = safe.get("/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', read(home))[1]
    asked = safe.post("/", {"q": ONE, "csrfmiddlewaretoken": token})
    sent = {"q": ONE, "echo": hidden(asked, "echo"), "pick-2": "area:harbour"}
    assert safe.post("/", sent).status_code == 403
    forms = re.findall(r'<form class="(?:choices|say)".*?</form>', read(asked), re.DOTALL)
    tokens = [re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)[1] for form in forms]
    assert [safe.post("/", {**sent, "csrfmiddlewaretoken": one}).status_code for one in tokens] == [200, 200]


def test_what_an_option_is_called_and_what_was_said_is_never_markup(client, folder):
    areas = [area("old-town", name=f"Old {NASTY}"), area("harbour", lat=54.41, lng=-2.95)]
    build(folder, areas=areas)
    asked = client.post("/", {"q": "cafe near me"})
    again = go_on(client, asked, say_1=ODD)
    assert texts(asked, "button", "choice") == [f"Old {NASTY}", "Harbour"]
    assert unescape(re.search(r'name="say-1" type="text" value="([^"]*)"', read(again))[1]) == ODD
    assert [("<script" in read(page), "<b>" in read(page)) for page in (asked, again)] == [(False, False)] * 2
