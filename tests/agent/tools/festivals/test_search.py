"""Which festivals and dates a call finds, in which order, and what it never offers."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agent.errors import ToolRefused
from agent.tools.festivals import events_near, events_when, festival_programme, find_festivals
from agent.tools.registry import TOOLS, Bench
from agent.types import Anchor, Point, Tags, Window
from tests.agent.tools.festivals.programme import (
    ANY,
    HARBOUR,
    OLD_TOWN,
    TONIGHT,
    TOWER,
    WEEKEND,
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


def test_the_tools_are_registered_as_festival_tools() -> None:
    found = {tool.id: (tool.name, tool.category) for tool in TOOLS.values() if tool.id.startswith("F")}
    assert found == {
        "F1": ("find_festivals", "festival"), "F2": ("festival_details", "festival"), "F3": ("festival_programme", "festival"),
        "F4": ("events_when", "festival"), "F5": ("events_near", "festival"), "F6": ("event_details", "festival"),
        "F7": ("festival_options", "festival"),
    }  # fmt: skip


def test_each_tool_has_a_schema_of_its_arguments() -> None:
    assert {name: sorted(TOOLS[name].schema()["properties"]) for name in ("find_festivals", "festival_details", "festival_programme")} == {
        "find_festivals": ["keywords", "limit", "when", "without"],
        "festival_details": ["names", "when"],
        "festival_programme": ["keywords", "limit", "names", "when", "without"],
    }


@pytest.mark.rule("A-24")
def test_tonight_runs_past_midnight_and_leaves_out_what_has_ended_and_what_begins_at_dawn(bench: Bench) -> None:
    assert ids(events_when(bench, ANY, TONIGHT)) == ["night-market@2026-12-04T17:00", "carols@2026-12-04T19:00", "winter-fair@2026-12-05T00:00",
                                                     "late-jazz@2026-12-05T02:00"]  # fmt: skip


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


def test_a_long_exhibition_is_found_in_a_short_window_and_a_short_date_in_a_long_one(tmp_path: Path, bench: Bench) -> None:
    lens = [held("lens", on("2026-09-01T00:00", "2027-02-01T00:00"), all_day=True), held("talk", on("2027-01-10T18:00", "2027-01-10T19:00"))]
    bench = replace(bench, snapshot=opened(tmp_path, events=lens))
    assert ids(events_when(bench, ANY, TONIGHT)) == ["lens@2026-09-01T00:00"]
    assert ids(events_when(bench, ANY, window("2027-01-01T00:00", "2027-03-01T00:00"))) == ["talk@2027-01-10T18:00", "lens@2026-09-01T00:00"]


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


def test_where_nothing_takes_place_it_is_said_what_was_to(bench: Bench) -> None:
    saturday = window("2026-12-05T00:00", "2026-12-06T00:00")
    workshop = events_when(bench, tags(bench, "craft"), saturday)
    assert (workshop.rows, workshop.failed, workshop.notes) == ((), "", ("Lantern Workshop, Sat 5 Dec 2026, 2:00 pm, is cancelled",))
    fire = events_when(bench, tags(bench, unmet=("fire",)))
    assert (fire.failed, fire.notes) == ("", ("Fire Show, Sat 5 Dec 2026, 8:00 pm, is postponed",))
    kites = find_festivals(bench, tags(bench, unmet=("kite",)))
    assert (kites.rows, kites.failed, kites.notes) == ((), "", ("Kite Day is cancelled",))


def test_the_night_before_a_day_comes_last_even_where_it_is_nearest(bench: Bench) -> None:
    pier = Anchor("landmark", "Pier", Point(54.41, -2.951), place=2)
    saturday = window("2026-12-05T00:00", "2026-12-06T00:00")
    sunday = window("2026-12-06T00:00", "2026-12-07T00:00")
    assert ids(events_near(seen_from(bench, pier), ANY, saturday)) == ["night-market@2026-12-04T17:00"]
    assert ids(events_near(seen_from(bench, pier), ANY, sunday)) == ["lantern-walk@2026-12-06T17:00", "lantern-workshop@2026-12-06T14:00"]
    weekend = events_near(seen_from(bench, pier), ANY, WEEKEND)
    assert ids(weekend) == ["lantern-walk@2026-12-06T17:00", "lantern-workshop@2026-12-06T14:00", "night-market@2026-12-04T17:00"]


@pytest.mark.rule("A-19")
@pytest.mark.parametrize("table", ["place", "place_tag", "tag_cell", "hours", "score", "area", "name"])
def test_while_a_festival_tool_runs_no_place_can_be_read(bench: Bench, table: str) -> None:
    with pytest.raises(ToolRefused):
        bench.snapshot.festivals.rows(f"SELECT * FROM {table}")


def test_a_title_is_a_name_that_is_found_without_its_article(tmp_path: Path) -> None:
    snapshot = opened(tmp_path, events=[held("hunt", title="The Snow Hunt")])
    rows = snapshot.anchors.rows("SELECT kind, ref, text FROM name WHERE folded IN ('the snow hunt', 'snow hunt')")
    assert [tuple(row) for row in rows] == [("event", 1, "The Snow Hunt")] * 2
