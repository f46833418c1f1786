"""The festival tools over a small town's programme, at a fixed instant: a Friday evening in Advent."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agent.errors import ToolRefused
from agent.snapshot.reader import Snapshot
from agent.snapshot.schema import EventRow, OccurrenceRow
from agent.snapshot.store import Store
from agent.tools.festivals import event_details, events_near, events_when, festival_details, festival_programme, find_festivals
from agent.tools.registry import TOOLS, Bench, Named
from agent.types import Anchor, Box, Budget, Point, Result, Tags, Window
from tests.clock import NOW, ZONE
from tests.engine import TOWN
from tests.rows import build, event, festival, occurrence, tag

CITY = Anchor("city", "Lindenmere")
TOWER = Anchor("landmark", "Clock Tower", Point(54.4005, -2.9605), place=1)
OLD_TOWN = Anchor("area", "Old Town", Point(54.4, -2.96), Box(54.395, -2.97, 54.405, -2.95), area=2)
HARBOUR = Anchor("area", "Harbour", Point(54.41, -2.95), area=1, sharp=False)
ANY = Tags()
TOWER_SQUARE = {"venue": "Tower Square", "area": "Old Town", "lat": 54.4006, "lng": -2.9606}
PIER = {"venue": "Pier", "area": "Harbour", "lat": 54.41, "lng": -2.951}


def at(text: str) -> datetime:
    """A wall time of the town: "2026-12-04T19:00"; with "~" before it the second pass of a repeated hour."""
    return datetime.fromisoformat(text.removeprefix("~")).replace(tzinfo=ZONE, fold=text.startswith("~"))


def on(start: str, end: str = "", **changes: object) -> OccurrenceRow:
    return occurrence(at(start), at(end or start), **changes)


def held(slug: str, *dates: OccurrenceRow, **changes: object) -> EventRow:
    """An event whose dates are at its own venue, unless they say another."""
    where = {key: changes[key] for key in ("venue", "lat", "lng") if key in changes}
    return event(slug, occurrences=tuple(one if one.venue else replace(one, **where) for one in dates), **changes)


def programme() -> list[EventRow]:
    """What the town has on: every flag, every state, every kind of hour."""
    return [
        held("carols", on("2026-12-04T19:00", "2026-12-04T20:30"), festival="lantern-week", tags=("music",), price="Free", age="all ages",
             access="step-free", description="Carols by lantern light. " * 20, website="https://carols.example", **TOWER_SQUARE),
        held("night-market", on("2026-12-04T17:00", "2026-12-05T01:30"), tags=("food",), price="£3", **PIER),
        held("late-jazz", on("2026-12-05T02:00", "2026-12-05T03:30"), tags=("jazz",), venue="Cellar"),
        held("dawn-swim", on("2026-12-05T05:00", "2026-12-05T06:00")),
        held("toy-fair", on("2026-12-04T10:00", "2026-12-04T18:00")),
        held("lantern-walk", on("2026-12-06T17:00", "2026-12-06T19:00"), festival="lantern-week", **PIER),
        held("lantern-workshop", on("2026-12-04T14:00", "2026-12-04T16:00"), on("2026-12-05T14:00", "2026-12-05T16:00", state="cancelled", note="no paper"),
             on("2026-12-06T14:00", "2026-12-06T16:00"), festival="lantern-week", tags=("craft",), rrule="FREQ=DAILY;COUNT=3", **TOWER_SQUARE),
        held("fire-show", on("2026-12-05T20:00", "2026-12-05T21:00", state="postponed", note="until the wind drops"), festival="lantern-week",
             state="postponed", **PIER),
        held("quiz-night", *(on(f"2026-{month}-{day:02}T20:00", f"2026-{month}-{day:02}T22:00") for month, day in
             (("11", 24), ("12", 1), ("12", 8), ("12", 15), ("12", 22), ("12", 29))), rrule="FREQ=WEEKLY;BYDAY=TU", venue="The Ferry", tags=("quiz",)),
        held("winter-fair", on("2026-12-05T00:00", "2026-12-07T00:00"), all_day=True, area="Old Town", venue="Market Hall"),
        held("spring-ball", on("2027-03-20T19:00", "2027-03-21T02:00")),
        held("open-mic", on("2026-12-09T19:00"), venue="The Ferry", tags=("music",)),
        held("choir", on("2026-12-10T19:00", "2026-12-10T20:00", venue="St Anne", note="moved from the hall"), tags=("music",), **TOWER_SQUARE),
        held("folk-day", on("2026-06-20T12:00", "2026-06-20T22:00"), festival="summer-folk", tags=("music",)),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    tags = [tag("food"), tag("cafe", parent="food"), tag("restaurant", parent="food"), tag("museum"), tag("wifi"), tag("music", kind="topic"),
            tag("jazz", kind="topic", parent="music"), tag("quiz", kind="topic"), tag("craft", kind="topic"), tag("light", kind="topic")]  # fmt: skip
    festivals = [
        festival(
            "lantern-week", name="Lantern Week", tags=("light",), marks="the darkest days", tickets="free, no tickets", organiser="The Lamplighters"
        ),
        festival("summer-folk", name="Summer Folk", tags=("music",)),
        festival("film-days", name="Film Days"),
        festival("kite-day", name="Kite Day", state="cancelled"),
    ]
    return opened(tmp_path_factory.mktemp("programme"), tags=tags, festivals=festivals, events=programme())


def opened(folder: Path, **rows: object) -> Snapshot:
    build(folder, **rows)
    return Store(folder).handle()


@pytest.fixture(scope="module")
def bench(snapshot: Snapshot) -> Bench:
    return Bench(snapshot, TOWN, NOW, Budget(), 1, CITY)


def seen_from(bench: Bench, anchor: Anchor) -> Bench:
    return replace(bench, anchor=anchor)


def window(start: str, end: str, words: str = "") -> Window:
    return Window(at(start), at(end), words)


TONIGHT = window("2026-12-04T17:00", "2026-12-05T04:00", "tonight")
WEEKEND = window("2026-12-05T00:00", "2026-12-07T00:00", "this weekend")


def tags(bench: Bench, *names: str, without: tuple[str, ...] = (), unmet: tuple[str, ...] = ()) -> Tags:
    ids = {row["name"]: row["id"] for row in bench.snapshot.festivals.rows("SELECT id, name FROM tag")}
    return Tags(tuple((ids[name],) for name in names), names, tuple(ids[name] for name in without), unmet=unmet)


def named(bench: Bench, slug: str, table: str = "event") -> Named:
    row = bench.snapshot.festivals.one(f"SELECT id FROM {table} WHERE slug = ?", (slug,))
    assert row is not None
    return Named((row["id"],))


def ids(result: Result) -> list[str]:
    return [row.public_id.partition(":")[2] for row in result.rows]


def test_the_tools_are_registered_as_festival_tools() -> None:
    found = {tool.id: (tool.name, tool.category) for tool in TOOLS.values() if tool.id.startswith("F")}
    assert found == {
        "F1": ("find_festivals", "festival"), "F2": ("festival_details", "festival"), "F3": ("festival_programme", "festival"),
        "F4": ("events_when", "festival"), "F5": ("events_near", "festival"), "F6": ("event_details", "festival"),
    }  # fmt: skip


def test_each_tool_has_a_schema_of_its_arguments() -> None:
    assert {name: sorted(TOOLS[name].schema()["properties"]) for name in ("find_festivals", "festival_details", "festival_programme")} == {
        "find_festivals": ["keywords", "limit", "when", "without"],
        "festival_details": ["names", "when"],
        "festival_programme": ["keywords", "limit", "names", "when", "without"],
    }


# What is on


@pytest.mark.rule("A-24")
def test_tonight_runs_past_midnight_and_leaves_out_what_has_ended_and_what_begins_at_dawn(bench: Bench) -> None:
    assert ids(events_when(bench, ANY, TONIGHT)) == ["night-market@2026-12-04T17:00", "carols@2026-12-04T19:00", "winter-fair@2026-12-05T00:00",
                                                     "late-jazz@2026-12-05T02:00"]  # fmt: skip


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


@pytest.mark.rule("A-22")
def test_at_most_five_rows_are_brought_of_all_that_matched(bench: Bench) -> None:
    result = events_when(bench, ANY)
    assert (len(result.rows), result.total) == (5, 11)
    assert len(events_when(bench, ANY, limit=2).rows) == 2
    assert len(events_when(bench, ANY, limit=9).rows) == 5


def test_from_now_on_an_event_comes_once_with_its_next_date(bench: Bench) -> None:
    assert ids(events_when(bench, tags(bench, "quiz"))) == ["quiz-night@2026-12-08T20:00"]


def test_a_window_of_one_day_holds_every_date_of_an_event(tmp_path: Path, bench: Bench) -> None:
    twice = held("puppets", on("2026-12-05T11:00", "2026-12-05T12:00"), on("2026-12-05T15:00", "2026-12-05T16:00"))
    theatre = replace(bench, snapshot=opened(tmp_path, events=[twice]))
    assert ids(events_when(theatre, ANY, window("2026-12-05T00:00", "2026-12-06T00:00"))) == ["puppets@2026-12-05T11:00", "puppets@2026-12-05T15:00"]
    assert ids(events_when(theatre, ANY, WEEKEND)) == ["puppets@2026-12-05T11:00"]


def test_what_began_before_the_window_comes_after_what_begins_in_it(bench: Bench) -> None:
    saturday = window("2026-12-05T00:00", "2026-12-06T00:00")
    assert ids(events_when(bench, ANY, saturday)) == ["winter-fair@2026-12-05T00:00", "late-jazz@2026-12-05T02:00", "dawn-swim@2026-12-05T05:00",
                                                     "night-market@2026-12-04T17:00"]  # fmt: skip


def test_an_all_day_event_is_on_on_each_of_its_days_and_not_on_the_next(bench: Bench) -> None:
    days = [events_when(bench, ANY, window(f"2026-12-0{day}T00:00", f"2026-12-0{day + 1}T00:00")) for day in (4, 5, 6, 7)]
    assert ["winter-fair@2026-12-05T00:00" in ids(day) for day in days] == [False, True, True, False]


@pytest.mark.parametrize(("moment", "shown"), [("2026-12-09T19:00", ["open-mic@2026-12-09T19:00"]), ("2026-12-09T19:01", [])])
def test_without_a_known_end_it_is_over_once_it_has_begun(bench: Bench, moment: str, shown: list[str]) -> None:
    evening = window("2026-12-09T17:00", "2026-12-10T04:00")
    assert ids(events_when(replace(bench, now=at(moment)), ANY, evening)) == shown


def test_a_moment_finds_what_is_on_at_it(bench: Bench) -> None:
    assert ids(events_when(bench, ANY, window("2026-12-05T01:00", "2026-12-05T01:01"))) == [
        "night-market@2026-12-04T17:00",
        "winter-fair@2026-12-05T00:00",
    ]


def test_a_window_that_is_gone_has_nothing_to_go_to(bench: Bench) -> None:
    assert events_when(bench, ANY, window("2026-12-01T00:00", "2026-12-02T00:00")).rows == ()


@pytest.mark.parametrize(
    ("change", "dates", "night"),
    [
        ("2027-03-28", ("2027-03-27T23:30", "2027-03-28T02:30"), ("2027-03-27T17:00", "2027-03-28T04:00")),
        ("2026-10-25", ("2026-10-24T23:30", "~2026-10-25T01:30"), ("2026-10-24T17:00", "2026-10-25T04:00")),
    ],
)
def test_a_night_in_which_the_clocks_change_is_one_night(
    tmp_path: Path, bench: Bench, change: str, dates: tuple[str, str], night: tuple[str, str]
) -> None:
    """The evening's dance lasts over the change; a talk the next day keeps its wall time."""
    club = [held("dance", on(*dates)), held("talk", on(f"{change}T10:00", f"{change}T11:00"))]
    bench = replace(bench, snapshot=opened(tmp_path, events=club), now=at(night[0]))
    tonight = events_when(bench, ANY, window(*night))
    assert [(row.name, row.when and row.when["relative"]) for row in tonight.rows] == [("Dance", "tonight")]
    whole_day = events_when(bench, ANY, Window(at(f"{change}T00:00"), at(f"{change}T00:00") + timedelta(days=1)))
    assert [row.facts["time"] for row in whole_day.rows] == ["10:00 am", "11:30 pm"]


def test_what_is_cancelled_or_postponed_is_not_on(bench: Bench) -> None:
    result = events_when(bench, ANY, WEEKEND, limit=5)
    assert {row.status for row in result.rows} == {"scheduled"}
    assert result.total == 6
    assert ids(events_when(bench, tags(bench, "craft"), WEEKEND)) == ["lantern-workshop@2026-12-06T14:00"]


def test_a_tag_finds_what_is_below_it_and_a_negation_leaves_it_out(bench: Bench) -> None:
    assert ids(events_when(bench, tags(bench, "music"), TONIGHT)) == ["carols@2026-12-04T19:00", "late-jazz@2026-12-05T02:00"]
    assert ids(events_when(bench, tags(bench, "music", without=("jazz",)), TONIGHT)) == ["carols@2026-12-04T19:00"]


def test_every_phrase_must_be_met(bench: Bench) -> None:
    assert events_when(bench, tags(bench, "music", "food")).rows == ()


def test_a_phrase_that_is_no_tag_may_be_words_of_a_title_or_a_venue(bench: Bench) -> None:
    assert ids(events_when(bench, tags(bench, unmet=("swim",)))) == ["dawn-swim@2026-12-05T05:00"]
    assert ids(events_when(bench, tags(bench, unmet=("market hall",)))) == ["winter-fair@2026-12-05T00:00"]


@pytest.mark.rule("A-13")
def test_a_phrase_that_nothing_says_is_what_is_not_known(bench: Bench) -> None:
    result = events_when(bench, tags(bench, "music", unmet=("ukulele",)))
    assert (result.rows, result.failed) == ((), "no ukulele music")


def test_free_means_free_and_of_other_prices_nothing_is_guessed(bench: Bench) -> None:
    assert ids(events_when(bench, Tags(prices=("free",)))) == ["carols@2026-12-04T19:00"]
    assert events_when(bench, Tags(prices=("expensive",))).failed == "no expensive event"


@pytest.mark.rule("A-21")
def test_words_are_never_sql_nor_operators_of_the_text_index(bench: Bench) -> None:
    for hostile in ("'; DROP TABLE event; --", 'carols" OR "toy', "title : carols NEAR(*", "%", "\0"):
        assert events_when(bench, tags(bench, unmet=(hostile,))).rows == ()


# F4 and F5: where


def test_near_a_point_the_nearest_comes_first_and_then_the_soonest(bench: Bench) -> None:
    result = events_near(seen_from(bench, TOWER), ANY)
    assert [(row.name, row.distance_m) for row in result.rows] == [
        ("Carols", 13),
        ("Lantern Workshop", 13),
        ("Night Market", 1222),
        ("Lantern Walk", 1222),
    ]


def test_from_the_whole_town_nothing_is_near_and_time_decides(bench: Bench) -> None:
    assert ids(events_near(bench, ANY)) == ids(events_when(bench, ANY))


def test_what_is_at_no_known_point_is_near_nothing(bench: Bench) -> None:
    assert "winter-fair" not in str(ids(events_near(seen_from(bench, TOWER), ANY)))


def test_a_distance_is_a_fact_with_the_minutes_on_foot(bench: Bench) -> None:
    facts = events_near(seen_from(bench, TOWER), tags(bench, "food")).rows[0].facts
    assert (facts["distance"], facts["walk"]) == ("1.2 km", "16 min")


def test_what_is_on_at_a_named_place_is_what_is_at_it(bench: Bench) -> None:
    assert ids(events_when(seen_from(bench, TOWER), ANY, TONIGHT)) == ["carols@2026-12-04T19:00"]


def test_around_where_someone_is_the_order_of_time_reaches_as_far_as_a_walk(bench: Bench) -> None:
    here = Anchor("session", "you", TOWER.point)
    north = Anchor("session", "you", Point(54.42, -2.96))
    assert ids(events_when(seen_from(bench, here), ANY, TONIGHT)) == ["night-market@2026-12-04T17:00", "carols@2026-12-04T19:00"]
    assert ids(events_when(seen_from(bench, north), ANY, TONIGHT)) == ["night-market@2026-12-04T17:00"]


@pytest.mark.parametrize("tool", [events_when, events_near])
def test_an_area_is_looked_in(bench: Bench, tool: type) -> None:
    result = tool(seen_from(bench, OLD_TOWN), ANY)
    assert ids(result) == ["carols@2026-12-04T19:00", "winter-fair@2026-12-05T00:00", "lantern-workshop@2026-12-06T14:00"]
    assert [row.distance_m for row in result.rows] == [None, None, None]


def test_an_event_of_no_known_area_is_in_the_area_whose_box_holds_it(tmp_path: Path, bench: Bench) -> None:
    bandstand = held("band", on("2026-12-05T11:00", "2026-12-05T12:00"), venue="Bandstand", lat=54.4, lng=-2.96)
    bench = replace(bench, snapshot=opened(tmp_path, events=[bandstand]))
    assert ids(events_near(seen_from(bench, OLD_TOWN), ANY)) == ["band@2026-12-05T11:00"]


def test_an_area_without_a_border_and_with_nothing_on_is_looked_from(bench: Bench) -> None:
    result = events_near(seen_from(bench, HARBOUR), tags(bench, "music"))
    assert (ids(result), result.notes) == (["carols@2026-12-04T19:00"], ("none in Harbour itself",))


def test_a_date_held_elsewhere_is_not_at_the_events_own_place(bench: Bench) -> None:
    moved = events_when(bench, tags(bench, "music"), window("2026-12-10T00:00", "2026-12-11T00:00")).rows[0]
    assert (moved.location, moved.point, moved.facts["note"]) == ("St Anne", None, "moved from the hall")


# F6: one event


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


def test_a_long_exhibition_is_found_in_a_short_window_and_a_short_date_in_a_long_one(tmp_path: Path, bench: Bench) -> None:
    lens = [held("lens", on("2026-09-01T00:00", "2027-02-01T00:00"), all_day=True), held("talk", on("2027-01-10T18:00", "2027-01-10T19:00"))]
    bench = replace(bench, snapshot=opened(tmp_path, events=lens))
    assert ids(events_when(bench, ANY, TONIGHT)) == ["lens@2026-09-01T00:00"]
    assert ids(events_when(bench, ANY, window("2027-01-01T00:00", "2027-03-01T00:00"))) == ["talk@2027-01-10T18:00", "lens@2026-09-01T00:00"]


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


# F3: a programme


def test_a_programme_is_in_the_order_of_time_and_says_what_is_off(bench: Bench) -> None:
    result = festival_programme(bench, named(bench, "lantern-week", "festival"), ANY)
    assert [(row.public_id.partition("@")[0], row.status) for row in result.rows] == [
        ("event:carols", "scheduled"), ("event:fire-show", "postponed"), ("event:lantern-workshop", "scheduled"), ("event:lantern-walk", "scheduled"),
    ]  # fmt: skip
    assert result.total == 4


def test_a_programme_of_one_day_lists_its_cancelled_dates_too(bench: Bench) -> None:
    saturday = window("2026-12-05T00:00", "2026-12-06T00:00")
    result = festival_programme(bench, named(bench, "lantern-week", "festival"), ANY, saturday)
    assert [(row.name, row.status) for row in result.rows] == [("Lantern Workshop", "cancelled"), ("Fire Show", "postponed")]


def test_a_programme_is_asked_by_tag_and_by_venue(bench: Bench) -> None:
    lanterns = named(bench, "lantern-week", "festival")
    assert [row.name for row in festival_programme(bench, lanterns, tags(bench, "music")).rows] == ["Carols"]
    assert [row.name for row in festival_programme(bench, lanterns, tags(bench, unmet=("pier",))).rows] == ["Fire Show", "Lantern Walk"]


# F1 and F2: festivals


def test_festivals_ahead_come_soonest_first_and_those_of_unknown_date_last(bench: Bench) -> None:
    result = find_festivals(bench, ANY)
    assert (ids(result), result.total) == (["lantern-week", "film-days"], 2)
    assert [row.when and row.when["flag"] for row in result.rows] == ["today", None]


def test_festivals_of_a_season_are_those_with_a_date_in_it(bench: Bench) -> None:
    assert ids(find_festivals(bench, ANY, window("2026-12-01T00:00", "2027-03-01T00:00"))) == ["lantern-week"]
    assert ids(find_festivals(bench, ANY, window("2027-06-01T00:00", "2027-09-01T00:00"))) == []


@pytest.mark.parametrize(
    ("names", "unmet", "found"),
    [((), ("lantern",), ["lantern-week"]), (("light",), (), ["lantern-week"]), ((), ("darkest",), ["lantern-week"]), (("craft",), (), ["lantern-week"]),
     ((), ("film",), ["film-days"]), (("music",), (), []), ((), ("kite",), []), (("light",), ("film",), [])],
)  # fmt: skip
def test_festivals_are_found_by_words_and_tags(bench: Bench, names: tuple[str, ...], unmet: tuple[str, ...], found: list[str]) -> None:
    assert ids(find_festivals(bench, tags(bench, *names, unmet=unmet))) == found


def test_festivals_of_an_area_have_events_in_it(bench: Bench) -> None:
    assert ids(find_festivals(seen_from(bench, HARBOUR), ANY)) == ["lantern-week"]


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


# The belt


@pytest.mark.rule("A-19")
@pytest.mark.parametrize("table", ["place", "place_tag", "tag_cell", "hours", "score", "area", "name"])
def test_while_a_festival_tool_runs_no_place_can_be_read(bench: Bench, table: str) -> None:
    with pytest.raises(ToolRefused):
        bench.snapshot.festivals.rows(f"SELECT * FROM {table}")


def test_a_title_is_a_name_that_is_found_without_its_article(tmp_path: Path) -> None:
    snapshot = opened(tmp_path, events=[held("hunt", title="The Snow Hunt")])
    rows = snapshot.anchors.rows("SELECT kind, ref, text FROM name WHERE folded IN ('the snow hunt', 'snow hunt')")
    assert [tuple(row) for row in rows] == [("event", 1, "The Snow Hunt")] * 2
