"""`load_demo`: the invented town, whole, in its place, and the same however often it is loaded."""

from collections import Counter
from collections.abc import Iterator
from io import StringIO

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from shapely.geometry import Point, Polygon, shape

from agent.types import Point as TownPoint
from festivals.models import Event, Festival
from places.demo.keep import SOURCE, dice
from places.demo.load import places as entries
from places.hours import problem
from places.models import Area, Place, Score, ScoreKind, Status, Synonym, Tag
from tests import factories

NOW = "2026-12-04T18:30"
LAKE = Polygon(  # lng, lat: open water, a little inside its shores
    [
        (-2.9715, 54.3980),
        (-2.9712, 54.3940),
        (-2.9710, 54.3860),
        (-2.9760, 54.3640),
        (-2.9990, 54.3640),
        (-3.0035, 54.3860),
        (-3.0020, 54.3960),
        (-2.9850, 54.3980),
    ]
)
A_WALK = 0.012  # degrees: the farthest that a place is from the middle of an area without an outline, about 1 km


def load(**options) -> str:
    out = StringIO()
    call_command("load_demo", **{"now": NOW, "stdout": out, **options})
    return out.getvalue()


@pytest.fixture(scope="module", autouse=True)
def _town(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The town is loaded once for this module, and taken out again."""
    with django_db_blocker.unblock():
        load()
        yield
        Event.objects.filter(source=SOURCE).delete()
        Festival.objects.filter(source=SOURCE).delete()
        Place.objects.filter(source=SOURCE).delete()
        Area.objects.filter(source=SOURCE).delete()
        ScoreKind.objects.all().delete()
        Tag.objects.update(parent=None)
        Tag.objects.all().delete()


def published(model):
    return model.objects.filter(source=SOURCE, status=Status.PUBLISHED)


@pytest.mark.django_db
def test_the_town_is_as_large_as_promised():
    assert published(Area).count() == 12
    assert published(Area).filter(outline__isnull=False).count() == 10
    assert published(Place).count() >= 160
    assert published(Place).filter(landmark=True).count() >= 25
    assert Tag.objects.count() >= 120
    assert Synonym.objects.count() >= 400
    assert ScoreKind.objects.count() == 8
    assert set(ScoreKind.objects.filter(words="")) == set()
    assert Score.objects.filter(reason="").count() == 0


@pytest.mark.django_db
def test_each_area_has_places_and_each_score_kind_is_given():
    assert {area for area in published(Area) if area.places.count() < 4} == set()
    assert {kind for kind in ScoreKind.objects.all() if kind.scores.count() < 10} == set()


@pytest.mark.django_db
def test_everything_published_is_valid():
    complaints = []
    for row in (row for model in (Area, Place, Festival, Event) for row in published(model)):
        try:
            row.full_clean(validate_constraints=False)  # what is saved has met those
        except ValidationError as error:
            complaints.append((row.slug, error.messages))
    assert complaints == []


@pytest.mark.django_db
def test_every_place_is_inside_the_town():
    outside = [place.slug for place in published(Place) if not settings.TOWN.bbox.holds(TownPoint(place.lat, place.lng))]
    assert outside == []


@pytest.mark.django_db
def test_every_place_is_in_its_area():
    astray = []
    for place in Place.objects.filter(source=SOURCE).select_related("area"):
        point = Point(place.lng, place.lat)
        outline = place.area.outline and shape(place.area.outline)
        near = point.distance(outline) < 0.0004 if outline else point.distance(Point(place.area.lng, place.area.lat)) < A_WALK
        if not near:
            astray.append(place.slug)
    assert astray == []


@pytest.mark.django_db
def test_outlines_are_simple_and_do_not_overlap():
    outlines = [shape(area.outline) for area in published(Area).filter(outline__isnull=False)]
    assert [outline.is_valid and outline.exterior.is_ccw for outline in outlines] == [True] * 10
    overlaps = [one.intersection(other).area for number, one in enumerate(outlines) for other in outlines[number + 1 :]]
    assert max(overlaps) < 1e-7  # square degrees: less than 1,000 square metres of two hand-drawn edges


@pytest.mark.django_db
def test_only_the_island_is_in_the_lake():
    wet = {place.area.name for place in published(Place).select_related("area") if LAKE.contains(Point(place.lng, place.lat))}
    assert wet == {"Heron Holm"}


@pytest.mark.django_db
def test_only_the_swan_has_a_namesake():
    names = Counter(published(Place).values_list("name", flat=True))
    assert [name for name, count in names.items() if count > 1] == ["The Swan"]
    assert set(Place.objects.filter(name="The Swan").values_list("area__name", flat=True)) == {"Harbour", "Westerby"}


@pytest.mark.django_db
def test_all_hours_can_be_read():
    texts = published(Place).exclude(opening_hours="").values_list("opening_hours", flat=True)
    assert {text: problem(text, settings.TOWN) for text in texts if problem(text, settings.TOWN)} == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "awkward",
    [
        "24/7",
        "24:00",
        "-03:00",
        "14:00-18:00",
        "PH off",
        "PH 10:00",
        "SH off",
        "Su[1]",
        "sunset",
        "dusk",
        "22:00+",
        "by appointment",
        "Apr-Sep",
        "Dec 25",
    ],
)
def test_every_kind_of_awkward_hours_is_there(awkward):
    assert published(Place).filter(opening_hours__contains=awkward).exists()


@pytest.mark.django_db
def test_every_state_is_there():
    assert {str(state) for state in published(Place).values_list("state", flat=True)} == set(Place.State.values)
    assert {str(status) for status in Place.objects.values_list("status", flat=True)} == {"published", "draft", "withdrawn"}
    assert published(Place).filter(opening_hours="", state="open").exists()


@pytest.mark.django_db
def test_every_price_and_wheelchair_value_is_there():
    assert set(published(Place).values_list("price", flat=True)) == {*Place.Price.values, ""}
    assert set(published(Place).values_list("wheelchair", flat=True)) == {*Place.Wheelchair.values, ""}


@pytest.mark.django_db
def test_every_tag_is_used_by_itself_or_by_a_narrower_one():
    used = set(published(Place).values_list("tags", flat=True)) | set(published(Event).values_list("tags", flat=True))
    parents = set(Tag.objects.values_list("parent", flat=True))
    assert [tag.name for tag in Tag.objects.all() if tag.pk not in used | parents] == []


@pytest.mark.django_db
def test_no_phone_number_or_website_is_a_real_one():
    phones = published(Place).exclude(phone="").values_list("phone", flat=True)
    sites = published(Place).exclude(website="").values_list("website", flat=True)
    assert [phone for phone in phones if not phone.startswith("01632 960")] == []  # kept for drama by Ofcom
    assert [site for site in sites if not site.endswith(".example.org/")] == []  # kept for examples by RFC 2606
    assert len(set(phones)) == len(phones)


@pytest.mark.django_db
def test_slugs_are_fixed_by_the_data():
    assert set(Place.objects.filter(source=SOURCE).values_list("slug", flat=True)) == {entry["slug"] for entry in entries()}
    assert Place.objects.get(slug="lecluse").name == "L'Écluse"
    assert Place.objects.get(slug="taverna-elia").name == "Ταβέρνα Ελιά"


@pytest.mark.both_databases
@pytest.mark.django_db
def test_loading_again_changes_nothing():
    before = list(Place.objects.order_by("slug").values()), list(Event.objects.order_by("slug").values())
    lines = load().splitlines()
    assert [line.split()[-6:-1:2] for line in lines if " 0 new    0 changed" not in line] == []
    assert (list(Place.objects.order_by("slug").values()), list(Event.objects.order_by("slug").values())) == before


@pytest.mark.django_db
def test_another_now_moves_events_and_keeps_slugs():
    slugs = set(Event.objects.values_list("slug", flat=True))
    load(now="2027-06-10T09:00")
    assert set(Event.objects.values_list("slug", flat=True)) == slugs
    assert Event.objects.get(slug="lantern-walk").starts.isoformat() == "2027-06-10T18:00:00+00:00"  # 19:00 in summer time


@pytest.mark.django_db
def test_another_seed_moves_far_festivals_by_whole_weeks():
    before = Event.objects.get(slug="bathtub-derby").starts
    load(seed=2)
    moved = dice(2, "small-boats-regatta", 4) - dice(1, "small-boats-regatta", 4)
    assert (Event.objects.get(slug="bathtub-derby").starts.date() - before.date()).days == 7 * moved


@pytest.mark.django_db
def test_a_changed_row_is_mended_and_a_locked_field_is_left():
    Place.objects.filter(slug="slow-pour").update(price="free", state="closed_for_now", phone="changed", locked_fields=["phone"])
    load()
    mended = Place.objects.get(slug="slow-pour")
    assert (mended.price, mended.state, mended.phone) == ("moderate", "open", "changed")


@pytest.mark.django_db
def test_a_town_of_its_own_is_not_mixed_with_the_demo():
    factories.place(source="survey")
    with pytest.raises(CommandError, match=r"1 published places.*--beside"):
        load()
    assert "178 same" in load(beside=True)


@pytest.mark.django_db
def test_a_row_that_is_not_the_demos_is_never_touched():
    Place.objects.filter(slug="slow-pour").update(source="survey", status="draft", name="Mine")
    with pytest.raises(CommandError, match="'slow-pour' is not the demo's"):
        load(beside=True)
    assert Place.objects.get(slug="slow-pour").name == "Mine"


@pytest.mark.django_db
def test_a_now_that_is_no_date_is_refused():
    with pytest.raises(CommandError, match="'teatime' is no ISO date and time"):
        load(now="teatime")
