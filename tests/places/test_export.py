"""What is published of the places comes out whole, in one order, and equal from both databases."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.conf import settings
from django.db import connection

from agent.snapshot.schema import ScoreRow
from places import export
from places.models import AreaName, PlaceName, Status
from tests import factories
from tests.clock import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TOWN = settings.TOWN


def rows():
    return export.rows(TOWN, NOW)


def places():
    return list(rows().places)


@pytest.mark.parametrize("status", [Status.DRAFT, Status.IN_REVIEW, Status.WITHDRAWN])
def test_only_published_rows_come_out(status):
    factories.place(slug="shown")
    factories.place(slug="hidden", status=status)
    factories.area(slug="hidden-area", status=status)
    assert [place.slug for place in places()] == ["shown"]
    assert rows().areas == ()


def test_places_come_in_the_byte_order_of_their_slugs():
    for slug in ("b-1", "a", "b", "b1", "B", "a-z", "a_z", "0"):
        factories.place(slug=slug)
    slugs = [place.slug for place in places()]
    assert slugs == sorted(slugs)


def test_what_belongs_to_a_place_stays_with_it():
    loud, quiet = factories.score_kind(slug="loud"), factories.score_kind(slug="quiet")
    cafe, wifi = factories.category(slug="cafe"), factories.tag(slug="wifi")
    factories.place(slug="a-bare")
    full = factories.place(wifi, cafe, slug="b-full", category=cafe, name="Full")
    factories.place(slug="c-bare")
    last = factories.place(wifi, slug="d-last")
    factories.score(full, quiet, Decimal("8.5"), reason="thick walls")
    factories.score(full, loud, 1)
    factories.score(last, quiet, 10)
    PlaceName.objects.create(place=full, text="Plein", lang="fr")
    PlaceName.objects.create(place=full, text="Vol", lang="nl")
    PlaceName.objects.create(place=full, text="Full", lang="en")
    bare, found, other, end = places()
    assert (found.tags, found.category, found.names) == (("cafe", "wifi"), "cafe", ("Plein", "Vol"))
    assert found.scores == (ScoreRow("loud", 1.0, "", "curator"), ScoreRow("quiet", 8.5, "thick walls", "curator"))
    assert (bare.tags, bare.names, bare.scores, bare.category) == ((), (), (), "")
    assert (other.tags, other.names, other.scores) == ((), (), ())
    assert (end.tags, end.scores) == (("wifi",), (ScoreRow("quiet", 10.0, "", "curator"),))


def test_a_place_keeps_its_facts():
    harbour = factories.area(slug="harbour")
    given = {
        "name": "Café Año", "lat": 54.3987654321, "lng": -2.9612345678, "area": harbour, "state": "closed_for_now", "price": "cheap", "wheelchair": "limited",
        "opening_hours": "Mo-Fr 09:00-17:00", "landmark": True, "prominence": 70, "address": "1 Quay", "postcode": "LA1 1AA", "phone": "01632 960001",
        "website": "https://example.org/", "description": "By the water.", "source": "walk", "licence": "CC0", "checked_on": date(2026, 11, 30),
    }  # fmt: skip
    factories.place(slug="cafe-ano", **given)
    (place,) = places()
    assert {key: getattr(place, key) for key in given if key not in ("area", "opening_hours", "checked_on")} == {
        key: value for key, value in given.items() if key not in ("area", "opening_hours", "checked_on")
    }
    assert (place.area, place.hours_text, place.checked_on) == ("harbour", "Mo-Fr 09:00-17:00", "2026-11-30")


def test_hours_are_expanded_from_a_year_back_to_eighteen_months_ahead():
    factories.place(opening_hours="Mo 10:00-12:00")
    factories.place(opening_hours="by appointment")
    found = rows()
    opened, unknown = (place.hours for place in found.places)
    assert (found.hours_first, found.hours_days) == (NOW.date() - timedelta(days=366), 914)
    assert [(one.opens, one.closes) for one in opened.week] == [(600, 720)]
    assert unknown.known is False


def test_text_comes_out_in_its_composed_form():
    factories.place(name="Cafe\u0301", description="de\u0301ja\u0300")
    (place,) = places()
    assert (place.name, place.description) == ("Café", "déjà")


def test_an_area_that_is_not_published_is_not_named():
    factories.place(area=factories.area(status=Status.DRAFT))
    (place,) = places()
    assert place.area == ""


def test_an_outline_has_its_keys_in_order_and_its_numbers_as_floats():
    shape = {"type": "Polygon", "coordinates": [[[-3, 54], [-2.9, 54], [-2.9, 54.1], [-3, 54]]]}
    harbour = factories.area(name="Harbour", outline=shape)
    AreaName.objects.create(area=harbour, text="Le Port", lang="fr")
    (area,) = rows().areas
    assert str(area.outline) == "{'coordinates': [[[-3.0, 54.0], [-2.9, 54.0], [-2.9, 54.1], [-3.0, 54.0]]], 'type': 'Polygon'}"
    assert area.names == ("Le Port",)


def test_a_tag_has_its_name_first_and_then_its_synonyms_with_their_vectors():
    drink = factories.category(slug="drink")
    tea = factories.category("tea room", "tea shop", "Teehaus", slug="tea", parent=drink)
    tea.embedding = [0.6, 0.8] + [0.0] * 510
    tea.save()
    for number, synonym in enumerate(tea.synonyms.order_by("phrase")):
        synonym.embedding = [0.0] * number + [1.0] + [0.0] * (511 - number)
        synonym.save()
    found = {tag.slug: tag for tag in rows().tags}
    assert found["tea"].phrases == ("tea room", "Teehaus", "tea shop")
    assert found["tea"].vectors[0][:3] == (0.6, 0.8, 0.0)
    assert (found["tea"].parent, found["drink"].parent, found["drink"].phrases) == ("drink", "", ())


def test_the_words_of_a_score_are_taken_apart():
    factories.score_kind(slug="quiet", name="quiet", words="quietest; peaceful ;; calm")
    (kind,) = rows().score_kinds
    assert kind.words == ("quietest", "peaceful", "calm")


@pytest.mark.parametrize("count", [1, 3, 40])
def test_ten_queries_are_enough_however_many_places_there_are(django_assert_num_queries, count):
    kind = factories.score_kind()
    for _ in range(count):
        place = factories.place(factories.tag(), area=factories.area())
        factories.score(place, kind)
        PlaceName.objects.create(place=place, text="Other")
    with django_assert_num_queries(10):
        assert len(places()) == count


@pytest.mark.django_db(transaction=True)
def test_one_view_ends_with_its_block_and_leaves_the_tables_to_be_written():
    factories.place(slug="before")
    with export.one_view():
        assert len(places()) == 1
    factories.place(slug="later")
    assert len(places()) == 2


def test_one_view_inside_a_transaction_is_that_transaction():
    with export.one_view():
        factories.place()
    assert connection.in_atomic_block
    assert len(places()) == 1
