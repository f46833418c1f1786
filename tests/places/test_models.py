import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import ProtectedError

from places.models import EMBEDDING_WIDTH, Area, AreaName, Place, PlaceName, Score, ScoreKind, Tag
from tests import factories
from tests.refusals import constraints, refusal, speaks_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def twice(save):
    save()
    save()


def named_twice(model, **owner):
    twice(lambda: model.objects.create(**owner, text="Les Docks", lang="fr"))


def child_of_itself():
    made = factories.tag()
    Tag.objects.filter(pk=made.pk).update(parent=made.pk)


def scored(**fields):
    return factories.score(**{"place": factories.place(), "kind": factories.score_kind(), **fields})


def scored_twice():
    row, kind = factories.place(), factories.score_kind()
    twice(lambda: scored(place=row, kind=kind))


REFUSED = {
    "area_named": lambda: factories.area(name=""),
    "area_public_id": lambda: factories.area(slug=""),
    "area_status": lambda: factories.area(status="secret"),
    "area_source_once": lambda: twice(lambda: factories.area(source="register", source_id="7")),
    "area_point_whole": lambda: factories.area(lng=None),
    "area_lat_degrees": lambda: factories.area(lat=-90.1),
    "area_lng_degrees": lambda: factories.area(lng=180.1),
    "area_name_once": lambda: named_twice(AreaName, area=factories.area()),
    "area_name_not_empty": lambda: AreaName.objects.create(area=factories.area(), text=""),
    "tag_named": lambda: Tag.objects.create(slug="nameless", name=""),
    "tag_public_id": lambda: factories.tag(slug=""),
    "tag_kind": lambda: factories.tag(kind="colour"),
    "tag_not_its_own_parent": child_of_itself,
    "synonym_once": lambda: factories.tag("café", "coffee house", "coffee house"),
    "synonym_not_empty": lambda: factories.tag("café", ""),
    "score_kind_named": lambda: ScoreKind.objects.create(slug="nameless", name=""),
    "score_kind_public_id": lambda: factories.score_kind(slug=""),
    "place_named": lambda: factories.place(name=""),
    "place_public_id": lambda: factories.place(slug=""),
    "place_status": lambda: factories.place(status="secret"),
    "place_source_once": lambda: twice(lambda: factories.place(source="register", source_id="7")),
    "place_somewhere": lambda: factories.place(lat=None, lng=None),
    "place_prominence_0_to_100": lambda: factories.place(prominence=101),
    "place_price": lambda: factories.place(price="dear"),
    "place_wheelchair": lambda: factories.place(wheelchair="perhaps"),
    "place_state": lambda: factories.place(state="moved"),
    "place_point_whole": lambda: factories.place(lat=None, area=factories.area()),
    "place_lat_degrees": lambda: factories.place(lat=90.1),
    "place_lng_degrees": lambda: factories.place(lng=-180.1),
    "place_name_once": lambda: named_twice(PlaceName, place=factories.place()),
    "place_name_not_empty": lambda: PlaceName.objects.create(place=factories.place(), text=""),
    "score_once": scored_twice,
    "score_0_to_10": lambda: scored(value="10.1"),
    "score_method": lambda: scored(method="rumour"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_database_refuses_a_bad_row_by_the_constraint_that_it_breaks(name):
    assert speaks_of(constraints("places")[name]) in refusal(REFUSED[name])


def test_every_constraint_of_places_has_a_row_that_it_refuses():
    assert set(REFUSED) == set(constraints("places"))


@pytest.mark.parametrize("make", [factories.area, factories.tag, factories.score_kind, factories.place])
def test_a_public_id_stands_for_one_row(make):
    make(slug="taken")
    with pytest.raises(IntegrityError):
        make(slug="taken")


@pytest.mark.parametrize(
    "fields",
    [
        {"lat": 90, "lng": 180},
        {"lat": -90, "lng": -180},
        {"lat": 0, "lng": 0},
        {"prominence": 100},
        {"prominence": 0},
        {"price": "", "wheelchair": "", "source": "", "source_id": ""},
    ],
)
def test_a_place_at_the_edge_of_what_is_allowed_is_kept_as_it_is(fields):
    made = factories.place(**fields)
    assert Place.objects.filter(pk=made.pk).values(*fields).get() == fields


def test_two_rows_without_an_id_at_their_source_may_share_the_source():
    made = [factories.place(source="own visit") for _ in range(2)]
    assert list(Place.objects.filter(source="own visit").order_by("pk")) == made


def test_a_place_may_have_an_area_in_place_of_a_point():
    made = factories.place(lat=None, lng=None, area=factories.area())
    assert (made.lat, made.lng) == (None, None)


def test_text_of_any_script_comes_back_as_it_went_in():
    name = "Zoë’s Café 🍰 · مقهى · 喫茶店"
    assert Place.objects.get(pk=factories.place(name=name).pk).name == name


def test_locks_and_sources_of_single_facts_come_back_as_they_went_in():
    sources = {"phone": {"source": "own call", "licence": "", "checked_on": "2026-11-30"}}
    made = Place.objects.get(pk=factories.place(locked_fields=["phone", "tags"], field_sources=sources).pk)
    assert (made.locked_fields, made.field_sources) == (["phone", "tags"], sources)


def test_a_score_keeps_one_decimal():
    made = factories.score(factories.place(), factories.score_kind("quiet"), value="8.5")
    assert str(Score.objects.get(pk=made.pk)) == "quiet 8.5"


def test_a_tag_s_vector_comes_back_with_its_numbers():
    vector = np.linspace(-1, 1, EMBEDDING_WIDTH, dtype=np.float32)
    made = Tag.objects.get(pk=factories.tag(embedding=vector).pk)
    assert np.array_equal(np.asarray(made.embedding, dtype=np.float32), vector)


def test_a_tag_in_use_as_a_category_or_a_parent_cannot_be_deleted():
    kind, above = factories.category(), factories.tag()
    factories.place(category=kind)
    factories.tag(parent=above)
    for used in (kind, above):
        with pytest.raises(ProtectedError):
            used.delete()


def test_an_area_with_places_cannot_be_deleted():
    quarter = factories.area()
    factories.place(area=quarter)
    with pytest.raises(ProtectedError):
        quarter.delete()


def test_a_ring_of_parents_is_refused_by_the_form():
    first = factories.tag()
    second = factories.tag(parent=first)
    first.parent = factories.tag(parent=second)
    with pytest.raises(ValidationError, match="a parent of itself"):
        first.full_clean()


def test_a_ring_that_does_not_hold_the_tag_is_gone_round_once():
    one, other, tag = factories.tag(), factories.tag(), factories.tag()
    Tag.objects.filter(pk=one.pk).update(parent=other)
    Tag.objects.filter(pk=other.pk).update(parent=one)
    tag.parent = Tag.objects.get(pk=one.pk)
    assert tag.line_of_parents() == [one.pk, other.pk]


def test_opening_hours_that_cannot_be_read_are_refused_by_the_form():
    with pytest.raises(ValidationError, match="opening_hours"):
        factories.place(opening_hours="whenever the flag is up").full_clean()


def test_opening_hours_of_openstreetmap_are_taken():
    made = factories.place(opening_hours="Mo-Fr 09:00-17:00; Sa 10:00-14:00; PH off")
    assert made.full_clean() is None


SQUARE = [[[-2.9, 54.3], [-2.8, 54.3], [-2.8, 54.4], [-2.9, 54.4], [-2.9, 54.3]]]
BOW = [[[-2.9, 54.3], [-2.8, 54.4], [-2.8, 54.3], [-2.9, 54.4], [-2.9, 54.3]]]


def test_an_outline_in_geojson_is_taken_and_comes_back():
    outline = {"type": "Polygon", "coordinates": SQUARE}
    made = factories.area(outline=outline)
    made.full_clean()
    assert Area.objects.get(pk=made.pk).outline == outline


@pytest.mark.parametrize(
    ("outline", "said"),
    [
        ({}, "no GeoJSON geometry"),
        ([1, 2], "no GeoJSON geometry"),
        ({"type": "Polygon", "coordinates": "here"}, "no GeoJSON geometry"),
        ({"type": "Point", "coordinates": [-2.9, 54.3]}, "this is a Point"),
        ({"type": "Polygon", "coordinates": []}, "empty or off the Earth"),
        ({"type": "Polygon", "coordinates": [[[0, 95], [1, 95], [1, 96], [0, 95]]]}, "empty or off the Earth"),
        ({"type": "Polygon", "coordinates": BOW}, "crosses itself"),
    ],
)
def test_an_outline_that_is_none_is_refused_by_the_form(outline, said):
    with pytest.raises(ValidationError, match=said):
        factories.area(outline=outline).full_clean()
