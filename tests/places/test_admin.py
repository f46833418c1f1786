import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from places.models import Area, AreaName, Place, PlaceName, Score, ScoreKind, Status, Synonym, Tag
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MAKERS = {Area: factories.area, Tag: factories.category, ScoreKind: factories.score_kind, Place: factories.place}
NO_INLINES = {f"{name}-{count}_FORMS": "0" for name in ("names", "scores", "synonyms") for count in ("TOTAL", "INITIAL")}
PLACE = {
    **NO_INLINES,
    "name": "The Old Mill",
    "slug": "the-old-mill",
    "status": "in_review",
    "state": "open",
    "lat": "54.4",
    "lng": "-2.9",
    "prominence": "0",
    "field_sources": "{}",
}


def address(model, page, *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def complaints(response):
    return {field: list(errors) for field, errors in response.context["adminform"].form.errors.items()}


@pytest.mark.parametrize("model", MAKERS)
def test_every_page_of_a_model_opens(admin_client, model):
    row = MAKERS[model]()
    pages = [address(model, "changelist"), address(model, "add"), address(model, "change", row.pk), address(model, "history", row.pk)]
    assert [admin_client.get(page).status_code for page in pages] == [200, 200, 200, 200]


def whole(model):
    """A row with everything that its list shows from other tables."""
    row = MAKERS[model]()
    if model is Tag:
        Synonym.objects.create(tag=row, phrase="another word")
        Tag.objects.filter(pk=row.pk).update(parent=factories.tag())
    if model is Place:
        Place.objects.filter(pk=row.pk).update(area=factories.area(), category=factories.category())


@pytest.mark.parametrize("model", MAKERS)
def test_a_list_asks_the_database_as_often_for_three_rows_as_for_one(admin_client, model):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            admin_client.get(address(model, "changelist"))
        return len(queries)

    whole(model)
    for_one = asked()
    whole(model)
    whole(model)
    assert asked() == for_one


@pytest.mark.parametrize("model", MAKERS)
def test_a_search_finds_a_row_by_its_name(admin_client, model):
    row = MAKERS[model](name="Zwanenmeer")
    MAKERS[model](name="Something else")
    response = admin_client.get(address(model, "changelist"), {"q": "zwanen"})
    assert list(response.context["cl"].result_list) == [row]


def test_a_place_is_found_by_another_of_its_names(admin_client):
    row = factories.place()
    PlaceName.objects.create(place=row, text="Le Vieux Moulin", lang="fr")
    assert list(admin_client.get(address(Place, "changelist"), {"q": "moulin"}).context["cl"].result_list) == [row]


def test_an_area_is_found_by_another_of_its_names(admin_client):
    row = factories.area()
    AreaName.objects.create(area=row, text="Les Docks", lang="fr")
    assert list(admin_client.get(address(Area, "changelist"), {"q": "docks"}).context["cl"].result_list) == [row]


def test_a_tag_is_found_by_its_synonyms(admin_client):
    row = factories.tag("café", "coffee house")
    assert list(admin_client.get(address(Tag, "changelist"), {"q": "coffee"}).context["cl"].result_list) == [row]


def test_the_category_box_offers_categories_alone(admin_client):
    kept, _ = factories.category("museum"), factories.tag("museum shop")
    asked = {"app_label": "places", "model_name": "place", "field_name": "category", "term": "museum"}
    offered = admin_client.get(reverse("admin:autocomplete"), asked).json()["results"]
    assert offered == [{"id": str(kept.pk), "text": "museum"}]


def test_a_place_is_added_and_says_who_added_it(admin_client, admin_user):
    response = admin_client.post(address(Place, "add"), PLACE)
    assert response.status_code == 302
    assert Place.objects.get().updated_by == admin_user


def test_a_place_is_added_with_its_names_and_scores(admin_client):
    kind = factories.score_kind("quiet")
    rows = {
        "names-TOTAL_FORMS": "1",
        "names-0-text": "Le Vieux Moulin",
        "names-0-lang": "fr",
        "scores-TOTAL_FORMS": "1",
        "scores-0-kind": kind.pk,
        "scores-0-value": "8.5",
        "scores-0-method": "curator",
        "scores-0-reason": "thick walls",
    }
    assert admin_client.post(address(Place, "add"), {**PLACE, **rows}).status_code == 302
    assert [name.text for name in PlaceName.objects.all()] == ["Le Vieux Moulin"]
    assert [(str(score), score.reason) for score in Score.objects.all()] == [("quiet 8.5", "thick walls")]


@pytest.mark.parametrize(
    ("wrong", "field", "said"),
    [
        ({"opening_hours": "Mo-Fr 9am til late"}, "opening_hours", "from"),
        ({"lat": "", "lng": ""}, "__all__", "Say where it is"),
        ({"lng": ""}, "__all__", "Give both latitude and longitude"),
        ({"lat": "91"}, "__all__", "A latitude lies between"),
        ({"lng": "181"}, "__all__", "A longitude lies between"),
        ({"name": ""}, "name", "required"),
        ({"slug": "the old mill"}, "slug", "valid"),
        ({"prominence": "101"}, "prominence", "less than or equal to 100"),
        ({"field_sources": "{"}, "field_sources", "valid JSON"),
    ],
)
def test_a_bad_value_is_refused_beside_its_field_and_nothing_is_saved(admin_client, wrong, field, said):
    response = admin_client.post(address(Place, "add"), {**PLACE, **wrong})
    assert response.status_code == 200
    assert said in " ".join(complaints(response)[field])
    assert Place.objects.count() == 0


@pytest.mark.parametrize(("written", "kept"), [("", {}), ("{}", {}), ('{"phone": {"source": "own call"}}', {"phone": {"source": "own call"}})])
def test_sources_of_single_facts_are_kept_as_written_and_may_be_left_empty(admin_client, written, kept):
    admin_client.post(address(Place, "add"), {**PLACE, "field_sources": written})
    assert Place.objects.get().field_sources == kept


@pytest.mark.parametrize("written", ['["phone"]', '{"phone": "own call"}', "7"])
def test_sources_of_another_shape_are_refused(admin_client, written):
    response = admin_client.post(address(Place, "add"), {**PLACE, "field_sources": written})
    assert complaints(response) == {"field_sources": ['Write the fact first and then its source, as in {"phone": {"source": "own call"}}.']}


def test_an_area_without_an_outline_shows_an_empty_box_and_stays_without(admin_client):
    row = factories.area(name="Old Quay", slug="old-quay")
    page = admin_client.get(address(Area, "change", row.pk))
    assert page.context["adminform"].form["outline"].value() == ""
    saved = {
        **NO_INLINES,
        "name": "Old Quay",
        "slug": "old-quay",
        "status": "published",
        "lat": "54.4",
        "lng": "-2.96",
        "outline": "",
        "field_sources": "",
    }
    assert admin_client.post(address(Area, "change", row.pk), saved).status_code == 302
    row.refresh_from_db()
    assert (row.outline, row.locked_fields) == (None, [])


def test_a_tag_cannot_become_a_child_of_its_own_child(admin_client):
    above = factories.tag("food")
    below = factories.tag("cake", parent=above)
    response = admin_client.post(
        address(Tag, "change", above.pk), {**NO_INLINES, "name": "food", "slug": above.slug, "kind": above.kind, "parent": below.pk}
    )
    assert complaints(response) == {"parent": ["This would make the tag a parent of itself."]}


def test_a_fact_that_a_curator_changes_is_locked_against_imports(admin_client):
    row = factories.place(name="The Old Mill", slug="the-old-mill", lat=54.4, lng=-2.9, status="in_review")
    admin_client.post(address(Place, "change", row.pk), {**PLACE, "phone": "01539 000000", "names-TOTAL_FORMS": "1", "names-0-text": "Mill"})
    row.refresh_from_db()
    assert row.locked_fields == ["names", "phone"]


def test_every_fact_that_an_import_may_bring_can_be_locked(admin_client):
    form = admin_client.get(address(Place, "change", factories.place(locked_fields=["an old fact"]).pk)).context["adminform"].form
    offered = [fact for fact, _ in form.fields["locked_fields"].choices]
    assert (offered[0], offered[-4:]) == ("name", ["website", "names", "scores", "an old fact"])
    assert {"status", "lat", "lng", "tags", "opening_hours"} <= set(offered)


def test_a_place_put_back_to_review_by_a_curator_is_not_published_by_an_import(admin_client):
    row = factories.place(name="The Old Mill", slug="the-old-mill", lat=54.4, lng=-2.9, status="published")
    admin_client.post(address(Place, "change", row.pk), PLACE)
    row.refresh_from_db()
    assert (row.status, row.locked_fields) == ("in_review", ["status"])


def test_a_save_that_changes_no_fact_locks_nothing(admin_client):
    row = factories.place(name="The Old Mill", slug="the-old-mill", lat=54.4, lng=-2.9, status="in_review")
    admin_client.post(address(Place, "change", row.pk), {**PLACE, "source": "own visit"})
    row.refresh_from_db()
    assert (row.source, row.locked_fields) == ("own visit", [])


def test_a_lock_can_be_taken_off(admin_client):
    row = factories.place(name="The Old Mill", slug="the-old-mill", lat=54.4, lng=-2.9, status="in_review", locked_fields=["phone", "price"])
    admin_client.post(address(Place, "change", row.pk), {**PLACE, "locked_fields": ["price"]})
    row.refresh_from_db()
    assert row.locked_fields == ["price"]


@pytest.mark.parametrize(("action", "status"), [("publish", Status.PUBLISHED), ("withdraw", Status.WITHDRAWN)])
def test_selected_rows_are_moved_with_a_record_of_who_did_it(admin_client, admin_user, action, status):
    rows = [factories.place(status=Status.IN_REVIEW) for _ in range(2)]
    left = factories.place(status=Status.DRAFT)
    response = admin_client.post(address(Place, "changelist"), {"action": action, "_selected_action": [row.pk for row in rows]}, follow=True)
    assert [str(said) for said in response.context["messages"]] == [f"2 rows are now {status.label}."]
    assert {(row.status, row.updated_by) for row in Place.objects.exclude(pk=left.pk)} == {(status, admin_user)}
    assert LogEntry.objects.count() == 2


def test_text_of_a_row_is_shown_as_text(admin_client):
    factories.tag("<b>loud</b>", "<script>alert(1)</script>")
    page = admin_client.get(address(Tag, "changelist")).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>loud</b>" not in page


def test_each_model_of_the_town_has_an_admin_or_stands_inside_one():
    apart = {model for model in admin.site._registry if model._meta.app_label == "places"}
    inside = {inline.model for model in apart for inline in admin.site._registry[model].inlines}
    assert apart | inside == {Area, AreaName, Tag, Synonym, ScoreKind, Place, PlaceName, Score}
