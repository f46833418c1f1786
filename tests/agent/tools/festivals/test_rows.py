"""What a gathered row tells of an event or a festival, and which date it tells of."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent.tools.festivals import event_details, events_near, events_when, festival_details, festival_programme
from agent.tools.registry import Bench, Named
from tests.agent.tools.festivals.programme import (
    ANY,
    TONIGHT,
    TOWER,
    at,
    held,
    ids,
    named,
    on,
    opened,
    seen_from,
    tags,
    window,
)
from tests.rows import festival


@pytest.mark.rule("A-24")
@pytest.mark.parametrize(
    ("slug", "flag", "relative", "absolute"),
    [
        ("toy-fair", "past", "earlier today", "Fri 4 Dec 2026, 10:00 am"),
        ("folk-day", "past", "5 months ago", "Sat 20 Jun 2026, 12:00 pm"),
        ("night-market", "today", "on now", "Fri 4 Dec 2026, 5:00 pm"),
        ("carols", "today", "tonight", "Fri 4 Dec 2026, 7:00 pm"),
        ("late-jazz", "upcoming", "tonight", "Sat 5 Dec 2026, 2:00 am"),
        ("winter-fair", "upcoming", "tomorrow", "Sat 5 – Sun 6 Dec 2026"),
        ("lantern-walk", "upcoming", "Sunday", "Sun 6 Dec 2026, 5:00 pm"),
        ("spring-ball", "future", "in 3 months", "Sat 20 Mar 2027, 7:00 pm"),
    ],
)
def test_a_row_is_wrapped_with_its_flag_and_its_time_in_words(bench: Bench, slug: str, flag: str, relative: str, absolute: str) -> None:
    row = event_details(bench, named(bench, slug)).rows[0]
    assert row.when is not None
    assert (row.when["flag"], row.when["relative"], row.when["absolute"]) == (flag, relative, absolute)


@pytest.mark.rule("A-24")
def test_raw_times_are_for_clients_and_stand_in_no_fact(bench: Bench) -> None:
    row = event_details(bench, named(bench, "carols")).rows[0]
    assert row.when is not None
    assert (row.when["starts"], row.when["ends"]) == ("2026-12-04T19:00:00+00:00", "2026-12-04T20:30:00+00:00")
    assert [text for text in row.facts.values() if "2026-12" in text or "+00:00" in text] == []


def test_a_distance_is_a_fact_with_the_minutes_on_foot(bench: Bench) -> None:
    facts = events_near(seen_from(bench, TOWER), tags(bench, "food")).rows[0].facts
    assert (facts["distance"], facts["walk"]) == ("1.2 km", "16 min")


def test_a_date_held_elsewhere_is_not_at_the_events_own_place(bench: Bench) -> None:
    moved = events_when(bench, tags(bench, "music"), window("2026-12-10T00:00", "2026-12-11T00:00")).rows[0]
    assert (moved.location, moved.point, moved.facts["note"]) == ("St Anne", None, "moved from the hall")


@pytest.mark.rule("A-40")
def test_a_row_names_the_event_its_place_its_reason_and_both_times(bench: Bench) -> None:
    row = events_when(bench, tags(bench, "music"), TONIGHT).rows[0]
    assert (row.name, row.location, row.reason.type, row.reason.text) == ("Carols", "Tower Square, Old Town", "tag", "music")
    assert row.facts["when"] == "tonight, Fri 4 Dec 2026, 7:00 pm"
    assert row.url == "/festivals/lantern-week/carols/"
    assert events_when(bench, ANY, TONIGHT).rows[1].reason.text == "Lantern Week"
    assert events_when(bench, ANY, TONIGHT).rows[0].reason.text == "on now"


def test_a_place_that_nobody_knows_is_said_so(bench: Bench) -> None:
    row = event_details(bench, named(bench, "dawn-swim")).rows[0]
    assert (row.location, row.url) == ("venue not known", "/events/dawn-swim/")


def test_details_tell_price_age_access_festival_and_a_short_description(bench: Bench) -> None:
    facts = event_details(bench, named(bench, "carols")).rows[0].facts
    assert {slot: facts[slot] for slot in ("price", "age", "access", "festival", "venue", "area", "date", "time", "until", "website", "tags")} == {
        "price": "Free", "age": "all ages", "access": "step-free", "festival": "Lantern Week", "venue": "Tower Square", "area": "Old Town",
        "date": "Fri 4 Dec 2026", "time": "7:00 pm", "until": "8:30 pm", "website": "https://carols.example", "tags": "music",
    }  # fmt: skip
    assert len(facts["description"]) <= 200
    assert facts["description"].endswith("by lantern light.…")


def test_details_tell_how_an_event_repeats_and_when_next(bench: Bench) -> None:
    row = event_details(bench, named(bench, "quiz-night")).rows[0]
    assert (row.facts["date"], row.facts["repeats"]) == ("Tue 8 Dec 2026", "every Tuesday")
    assert row.facts["next_dates"] == "Tue 15 Dec 2026; Tue 22 Dec 2026; Tue 29 Dec 2026"


def test_the_date_asked_for_is_told_even_if_it_does_not_take_place(bench: Bench) -> None:
    saturday = window("2026-12-05T00:00", "2026-12-06T00:00", "on Saturday")
    row = event_details(bench, named(bench, "lantern-workshop"), saturday).rows[0]
    assert (row.public_id, row.status, row.facts["state"], row.facts["note"]) == (
        "event:lantern-workshop@2026-12-05T14:00", "cancelled", "cancelled", "no paper")  # fmt: skip
    assert row.facts["next_dates"] == "Sun 6 Dec 2026"


def test_without_a_time_the_next_date_that_takes_place_is_told_with_those_that_do_not(bench: Bench) -> None:
    row = event_details(bench, named(bench, "lantern-workshop")).rows[0]
    assert (row.public_id, row.status, row.facts["off"]) == ("event:lantern-workshop@2026-12-06T14:00", "scheduled", "Sat 5 Dec 2026 cancelled")


def test_of_the_next_dates_those_that_do_not_take_place_are_told_too(tmp_path: Path, bench: Bench) -> None:
    sessions = [on(f"2026-12-{day:02}T20:00", "", state="cancelled" if day == 16 else "scheduled") for day in (9, 16, 23)]
    bench = replace(bench, snapshot=opened(tmp_path, events=[held("session", *sessions)]))
    facts = event_details(bench, named(bench, "session")).rows[0].facts
    assert (facts["date"], facts["next_dates"], facts["off"]) == ("Wed 9 Dec 2026", "Wed 23 Dec 2026", "Wed 16 Dec 2026 cancelled")


def test_an_end_is_a_time_of_day_only_within_a_day(tmp_path: Path, bench: Bench) -> None:
    camp = held("camp", on("2026-12-11T18:00", "2026-12-13T12:00"))
    row = event_details(replace(bench, snapshot=opened(tmp_path, events=[camp])), Named((1,))).rows[0]
    assert "until" not in row.facts
    assert row.facts["when"] == "in 7 days, Fri 11 Dec 2026, 6:00 pm – Sun 13 Dec 2026, 12:00 pm"


def test_an_event_that_is_postponed_is_told_so(bench: Bench) -> None:
    row = event_details(bench, named(bench, "fire-show")).rows[0]
    assert (row.status, row.facts["note"]) == ("postponed", "until the wind drops")


def test_an_event_that_is_not_on_when_asked_is_told_with_its_next_date(bench: Bench) -> None:
    result = event_details(bench, named(bench, "quiz-night"), TONIGHT)
    assert (ids(result), result.notes) == (["quiz-night@2026-12-08T20:00"], ("Quiz Night is not on tonight",))


def test_what_has_ended_is_told_by_its_last_date(bench: Bench) -> None:
    row = event_details(replace(bench, now=at("2027-02-01T12:00")), named(bench, "quiz-night")).rows[0]
    assert (row.public_id, row.when and row.when["flag"]) == ("event:quiz-night@2026-12-29T20:00", "past")
    assert "next_dates" not in row.facts


def test_an_event_of_which_no_date_is_known_says_so(tmp_path: Path, bench: Bench) -> None:
    bench = replace(bench, snapshot=opened(tmp_path, events=[held("someday")]))
    assert event_details(bench, named(bench, "someday")).failed == "no date of Someday"


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        (lambda bench: event_details(bench, Named((), ("Moon Ball",))), "no event called Moon Ball"),
        (lambda bench: festival_details(bench, Named((), ("Moon Week", "Sun Week"))), "no festival called Moon Week or Sun Week"),
        (lambda bench: festival_programme(bench, Named((), ("Moon Week",)), ANY), "no festival called Moon Week"),
        (lambda bench: festival_programme(bench, Named(), ANY), "no festival named"),
    ],
)
def test_a_name_that_is_nobodys_is_said(bench: Bench, result, failed: str) -> None:
    assert (result(bench).rows, result(bench).failed) == ((), failed)


def test_a_festival_is_told_with_what_it_marks_its_dates_tickets_and_organiser(bench: Bench) -> None:
    row = festival_details(bench, named(bench, "lantern-week", "festival")).rows[0]
    assert row.when is not None
    assert row.facts == {
        "name": "Lantern Week", "location": "Lindenmere", "when": "on now, Fri 4 – Sun 6 Dec 2026", "date": "Fri 4 – Sun 6 Dec 2026",
        "tickets": "free, no tickets", "organiser": "The Lamplighters", "marks": "the darkest days", "tags": "light", "anchor": "Lindenmere",
    }  # fmt: skip
    assert (row.public_id, row.url, row.reason.text) == ("festival:lantern-week", "/festivals/lantern-week/", "the darkest days")
    assert (row.when["starts"], row.when["ends"]) == ("2026-12-04T14:00:00+00:00", "2026-12-06T19:00:00+00:00")


def test_a_festival_that_is_over_is_told_with_its_last_dates(bench: Bench) -> None:
    row = festival_details(bench, named(bench, "summer-folk", "festival")).rows[0]
    assert (row.when and row.when["flag"], row.facts["date"]) == ("past", "Sat 20 Jun 2026")


def test_a_festival_that_is_off_is_told_so_and_never_found(bench: Bench) -> None:
    row = festival_details(bench, named(bench, "kite-day", "festival")).rows[0]
    assert (row.status, row.facts["state"], row.when) == ("cancelled", "cancelled", None)


def test_of_a_yearly_festival_the_next_edition_is_told_or_the_one_asked_for(tmp_path: Path, bench: Bench) -> None:
    """Its last night runs past midnight, and is no day of its own."""
    nights = [on(f"{year}-08-{day}T20:00", f"{year}-08-{day + 1}T02:00") for year in (2026, 2027, 2028) for day in (12, 13, 14)]
    rows = {"festivals": [festival("regatta")], "events": [held("ball", *nights, festival="regatta")]}
    bench = replace(bench, snapshot=opened(tmp_path, **rows))
    regatta = named(bench, "regatta", "festival")
    assert festival_details(bench, regatta).rows[0].facts["date"] == "Thu 12 – Sat 14 Aug 2027"
    assert festival_details(bench, regatta, window("2028-01-01T00:00", "2029-01-01T00:00")).rows[0].facts["date"] == "Sat 12 – Mon 14 Aug 2028"
    running = replace(bench, now=at("2027-08-14T03:00"))
    assert festival_details(running, regatta).rows[0].facts["date"] == "Thu 12 – Sat 14 Aug 2027"
    ended = festival_details(replace(bench, now=at("2028-08-15T02:00")), regatta).rows[0]
    assert (ended.facts["date"], ended.when and ended.when["flag"]) == ("Sat 12 – Mon 14 Aug 2028", "past")
