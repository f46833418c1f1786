"""What schedule.xml, JSON-LD and tables say of an event, and how it is kept."""

import pytest

from festivals.models import Event, Festival
from tests.festivals.importers.programmes import INDIAN, TOWN, counts, jsonld, load, schedule, table, talk

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def times(event: Event, town=TOWN) -> str:
    starts, ends = (moment and moment.astimezone(town.timezone) for moment in (event.starts, event.ends))
    return f"{starts:%Y-%m-%d %H:%M} {ends:%Y-%m-%d %H:%M}" if ends else f"{starts:%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("zone", "inside", "wanted"),
    [
        ("", "<date>2026-12-04T13:30:00+00:00</date><duration>0:45</duration>", "2026-12-04 19:00 2026-12-04 19:45"),
        ("", "<start>19:00</start><duration>01:30</duration>", "2026-12-04 19:00 2026-12-04 20:30"),
        ("Europe/Paris", "<start>9:00</start><duration>01:30</duration>", "2026-12-04 13:30 2026-12-04 15:00"),
        ("Mars/Olympus", "<start>19:00</start>", "2026-12-04 19:00"),
    ],
)
def test_a_schedule_is_shown_by_the_clocks_of_the_town(zone: str, inside: str, wanted: str, tmp_path):
    load(tmp_path, schedule(talk(inside=inside), zone=zone), town=INDIAN)
    assert times(Event.objects.get(), INDIAN) == wanted


def test_a_date_and_a_start_that_differ_are_noted_and_the_date_is_kept(tmp_path):
    report = load(tmp_path, schedule(talk(inside="<date>2026-12-04T10:00:00+00:00</date><start>11:00</start>")))
    assert (times(Event.objects.get()), report.notes) == (
        "2026-12-04 10:00",
        ["event 1: its start is '11:00' and its date says 10:00; the date was kept"],
    )


def test_a_talk_keeps_its_room_track_text_and_people(tmp_path):
    said = "<subtitle>All welcome</subtitle><abstract/><description>&lt;p&gt;Sing.&lt;/p&gt;</description><track>Music</track><url>https://a.example/</url>"
    people = "<persons><person id='1'>Ada Byron</person><person>Tim</person></persons>"
    load(tmp_path, schedule(talk(inside=f"<start>19:00</start>{said}{people}")))
    event = Event.objects.get()
    assert (event.venue, event.description, event.website) == ("Hall", "All welcome Sing. With Ada Byron, Tim.", "https://a.example/")
    assert ([tag.name for tag in event.tags.all()], event.festival.name, event.festival.source_id) == (["Music"], "Lantern Days", "ld")


def test_bad_talks_are_refused_with_their_number_and_id(tmp_path):
    bad = [talk(2, title=""), talk(3, inside="<start>late</start>"), talk(4, inside="<start>19:00</start><duration>long</duration>")]
    report = load(tmp_path, schedule(talk(1), *bad, talk(5), talk(6), talk(7)))
    assert (report.new, [(row.where, row.id) for row in report.refusals]) == (4, [("event 2", "2"), ("event 3", "3"), ("event 4", "4")])


def test_a_festival_in_json_ld_has_its_sub_events_wherever_they_stand(tmp_path):
    whole = {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "Festival", "@id": "#f", "name": "Lantern Days", "organizer": {"name": "The town"}, "url": "https://l.example/", "subEvent": [
                {"@type": "schema:MusicEvent", "schema:name": "Choir", "startDate": "2026-12-04T19:00", "subEvent": [jsonld(name="First half")]},
                {"@id": "#band"},
            ]},
            jsonld(**{"@id": "#band", "name": "Band"}),
            jsonld(name="Walk", superEvent={"@type": "Event", "name": "Winter"}),
            {"@type": "Person", "name": "Ada"},
        ],
    }  # fmt: skip
    report = load(tmp_path, whole)
    found = {event.title: event.festival.name for event in Event.objects.all()}
    assert (found, report.new) == ({"First half": "Lantern Days", "Band": "Lantern Days", "Walk": "Winter"}, 3)
    festival = Festival.objects.get(name="Lantern Days")
    assert (festival.organiser, festival.website, festival.source_id) == ("The town", "https://l.example/", "#f")


def test_an_event_in_json_ld_keeps_its_facts(tmp_path):
    place = {"@type": "Place", "name": "Hall", "geo": {"latitude": "54.4", "longitude": -2.96}, "address": {"streetAddress": "1 Main St"}}
    offers = [{"price": "8", "priceCurrency": "EUR"}, {"price": 12.5}]
    load(
        tmp_path,
        jsonld(location=place, offers=offers, keywords="music, night", organizer=[{"name": "Ada"}], typicalAgeRange="7-", description="<b>Sing</b>"),
    )
    event = Event.objects.get()
    assert (event.venue, event.lat, event.lng, event.price, event.age) == ("Hall", 54.4, -2.96, "8 to 12.50 EUR", "7-")
    assert (event.description, sorted(tag.name for tag in event.tags.all())) == ("Sing Organised by Ada.", ["music", "night"])


@pytest.mark.parametrize(
    ("fields", "venue", "price"),
    [
        ({"location": "Hall", "offers": {"price": 0}}, "Hall", "free"),
        (
            {"location": {"address": {"streetAddress": "1 Main St", "addressLocality": "Town"}}, "isAccessibleForFree": True},
            "1 Main St, Town",
            "free",
        ),
        ({"location": [{"name": "Hall"}, {"name": "Barn"}], "offers": {"lowPrice": 5, "highPrice": 5, "priceCurrency": "GBP"}}, "Hall", "5 GBP"),
        ({"offers": {"price": "pay what you can"}}, "", "pay what you can"),
    ],
)
def test_venues_and_prices_come_in_many_shapes(fields, venue: str, price: str, tmp_path):
    load(tmp_path, jsonld(**fields))
    assert (Event.objects.get().venue, Event.objects.get().price) == (venue, price)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("https://schema.org/EventCancelled", "cancelled"),
        ("EventPostponed", "postponed"),
        ("schema:EventRescheduled", "scheduled"),
        ("http://schema.org/EventScheduled", "scheduled"),
    ],
)
def test_the_status_of_an_event_in_json_ld_is_its_state(status: str, state: str, tmp_path):
    load(tmp_path, jsonld(eventStatus=status))
    assert Event.objects.get().state == state


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"endDate": "2026-12-04T21:00+01:00"}, "2026-12-04 19:00 2026-12-04 20:00"),
        ({"duration": "PT1H30M"}, "2026-12-04 19:00 2026-12-04 20:30"),
        ({"startDate": "2026-12-04", "endDate": "2026-12-05"}, "2026-12-04 00:00 2026-12-06 00:00"),
        ({"startDate": "2026-12-04"}, "2026-12-04 00:00 2026-12-05 00:00"),
        ({"startDate": {"@value": "2026-12-04T19:00:00Z"}}, "2026-12-04 19:00"),
    ],
)
def test_times_in_json_ld_are_the_towns_and_its_last_day_is_included(fields, wanted: str, tmp_path):
    load(tmp_path, jsonld(**fields))
    assert times(Event.objects.get()) == wanted


def test_events_in_json_ld_that_refer_to_each_other_in_a_circle_are_taken_once(tmp_path):
    load(tmp_path, [jsonld(**{"@id": "#a", "subEvent": {"@id": "#b"}}), jsonld(**{"@id": "#b", "name": "Band", "subEvent": {"@id": "#a"}})])
    assert [(event.title, event.festival.name) for event in Event.objects.all()] == [("Band", "Choir")]


def test_a_line_of_a_table_keeps_its_facts(tmp_path):
    line = "1,Lantern Days,Choir,2026-12-04T19:00,21:00,,Hall,54.4,-2.96,FREQ=WEEKLY;COUNT=3,2026-12-11;2026-12-18T19:00,postponed,free,music;night,https://a.example,Sing"
    load(tmp_path, table(line))
    event = Event.objects.get()
    assert (times(event), event.venue, event.lat, event.price, event.state) == (
        "2026-12-04 19:00 2026-12-04 21:00",
        "Hall",
        54.4,
        "free",
        "postponed",
    )
    assert [f"{one.kind} {one.original:%m-%d %H:%M}" for one in event.exceptions.all()] == ["removed 12-11 19:00", "removed 12-18 19:00"]
    assert (event.website, event.description, event.festival.name, event.tags.count()) == ("https://a.example", "Sing", "Lantern Days", 2)


@pytest.mark.parametrize(
    ("start", "end", "all_day", "wanted"),
    [
        ("2026-12-04", "", "", "2026-12-04 00:00 2026-12-05 00:00"),
        ("2026-12-04", "2026-12-06", "", "2026-12-04 00:00 2026-12-07 00:00"),
        ("2026-12-04T19:00", "2026-12-04T21:00", "yes", "2026-12-04 00:00 2026-12-05 00:00"),
        ("2026-12-04 19:00", "2026-12-05 02:00", "no", "2026-12-04 19:00 2026-12-05 02:00"),
        ("2026-12-04T19:00+01:00", "", "", "2026-12-04 18:00"),
    ],
)
def test_days_of_a_table_are_whole_and_the_last_one_is_included(start: str, end: str, all_day: str, wanted: str, tmp_path):
    load(tmp_path, table(f"Choir,{start},{end},{all_day}", heading="title,start,end,all_day"))
    assert times(Event.objects.get()) == wanted


def test_bad_lines_are_refused_with_their_line_and_the_rest_is_taken(tmp_path):
    good = [f"{number},Choir {number},2026-12-04,,,scheduled" for number in range(1, 8)]
    bad = [
        "8,,2026-12-04,,,",
        "9,A,tonight,,,",
        "10,B,2026-12-04T19:00,18:00,,",
        "11,C,2026-12-04,,maybe,",
        "12,D,2026-12-04,,,off",
        "13,E,2026-12-04",
    ]
    report = load(tmp_path, table(*good, *bad, "", heading="id,title,start,end,all_day,status"))
    said = ["it has no title", "start is 'tonight'", "it ends before it starts", "all_day is 'maybe'", "status is 'off'", "it has 3 values"]
    assert (counts(report), [(row.where, row.id) for row in report.refusals]) == ((7, 0, 0, 6), [(f"line {n + 1}", str(n)) for n in range(8, 14)])
    assert [words in row.reason for words, row in zip(said, report.refusals, strict=True)] == [True] * 6


def test_a_table_may_hold_an_event_back_and_cannot_publish_itself(tmp_path):
    rows = [f"{status},2026-12-04,{status}" for status in ("draft", "withdrawn", "published", "cancelled")]
    load(tmp_path, table(*rows, heading="title,start,status"))
    assert {event.title: (event.status, event.state) for event in Event.objects.all()} == {
        "draft": ("draft", "scheduled"),
        "withdrawn": ("withdrawn", "scheduled"),
        "published": ("in_review", "scheduled"),
        "cancelled": ("in_review", "cancelled"),
    }


def test_an_unknown_column_is_reported_and_left_and_a_lacking_one_leaves_its_field(tmp_path):
    load(tmp_path, table("1,Choir,2026-12-04,free", heading="id,title,start,price"))
    report = load(tmp_path, table("1,Choir,2026-12-04,red", heading="id;title;start;colour".replace(";", ",")))
    assert (counts(report), report.columns_left, Event.objects.get().price) == ((0, 0, 1, 0), ("colour",), "free")
