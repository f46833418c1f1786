from datetime import timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from festivals.models import Event, EventException, Festival, FestivalName
from tests import factories
from tests.clock import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MAKERS = {Festival: factories.festival, Event: factories.event}
EVENT = {
    "exceptions-TOTAL_FORMS": "0",
    "exceptions-INITIAL_FORMS": "0",
    "title": "Night market",
    "slug": "night-market",
    "status": "in_review",
    "state": "scheduled",
    "field_sources": "{}",
    "starts_0": "2026-12-04",
    "starts_1": "18:00",
    "ends_0": "2026-12-04",
    "ends_1": "22:00",
}


def address(model, page, *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", MAKERS)
def test_every_page_of_a_model_opens(admin_client, model):
    row = MAKERS[model]()
    pages = [address(model, "changelist"), address(model, "add"), address(model, "change", row.pk), address(model, "history", row.pk)]
    assert [admin_client.get(page).status_code for page in pages] == [200, 200, 200, 200]


def whole(model):
    """A row with everything that its list shows from other tables."""
    row = MAKERS[model]()
    if model is Festival:
        Festival.objects.filter(pk=row.pk).update(area=factories.area())
        factories.event(festival=row)
    if model is Event:
        Event.objects.filter(pk=row.pk).update(festival=factories.festival(), place=factories.place())


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


def test_a_festival_is_found_by_another_of_its_names(admin_client):
    row = factories.festival()
    factories.festival()
    FestivalName.objects.create(festival=row, text="Fête du Lac", lang="fr")
    assert list(admin_client.get(address(Festival, "changelist"), {"q": "lac"}).context["cl"].result_list) == [row]


def test_an_event_is_found_by_its_festival_and_by_its_place(admin_client):
    one = factories.event(festival=factories.festival(name="Lantern Week"))
    other = factories.event(place=factories.place(name="Lantern Hall"))
    factories.event()
    assert set(admin_client.get(address(Event, "changelist"), {"q": "lantern"}).context["cl"].result_list) == {one, other}


def test_a_festival_links_to_its_events(admin_client):
    row = factories.festival()
    kept = factories.event(festival=row)
    factories.event(festival=factories.festival())
    link = f"{address(Event, 'changelist')}?festival__id__exact={row.pk}"
    assert f'<a href="{link}">1</a>' in admin_client.get(address(Festival, "changelist")).content.decode()
    assert list(admin_client.get(link).context["cl"].result_list) == [kept]


def test_an_event_is_added_in_the_town_s_own_time(admin_client, admin_user):
    assert (
        admin_client.post(address(Event, "add"), {**EVENT, "starts_0": "2026-07-04", "starts_1": "18:00", "ends_0": "", "ends_1": ""}).status_code
        == 302
    )
    made = Event.objects.get()
    assert (made.starts.isoformat(), made.updated_by) == ("2026-07-04T17:00:00+00:00", admin_user)


def test_an_event_is_added_with_its_exceptions(admin_client):
    rows = {
        "exceptions-TOTAL_FORMS": "1",
        "exceptions-0-kind": "moved",
        "exceptions-0-original_0": "2026-12-11",
        "exceptions-0-original_1": "18:00",
        "exceptions-0-starts_0": "2026-12-12",
        "exceptions-0-starts_1": "18:00",
        "exceptions-0-venue": "the school",
    }
    assert admin_client.post(address(Event, "add"), {**EVENT, "rrule": "FREQ=WEEKLY", **rows}).status_code == 302
    assert [(one.kind, one.starts - one.original, one.venue) for one in EventException.objects.all()] == [("moved", timedelta(days=1), "the school")]


@pytest.mark.parametrize(
    ("wrong", "field", "said"),
    [
        ({"rrule": "every Friday"}, "rrule", "one looks like FREQ=WEEKLY;BYDAY=FR"),
        ({"rrule": "FREQ=MINUTELY"}, "rrule", "FREQ=DAILY"),
        ({"rrule": "FREQ=DAILY;INTERVAL=0"}, "rrule", "INTERVAL"),
        ({"rrule": "FREQ=WEEKLY;UNTIL=20200101T000000Z"}, "rrule", "gives no date"),
        ({"ends_0": "2026-12-03"}, "__all__", "ends before it starts"),
        ({"lat": "54.4"}, "__all__", "Give both latitude and longitude"),
        ({"title": ""}, "title", "required"),
    ],
)
def test_a_bad_value_is_refused_beside_its_field_and_nothing_is_saved(admin_client, wrong, field, said):
    response = admin_client.post(address(Event, "add"), {**EVENT, **wrong})
    assert response.status_code == 200
    assert said in " ".join(response.context["adminform"].form.errors[field])
    assert Event.objects.count() == 0


def test_a_moved_date_without_its_new_start_is_refused(admin_client):
    rows = {"exceptions-TOTAL_FORMS": "1", "exceptions-0-kind": "moved", "exceptions-0-original_0": "2026-12-11", "exceptions-0-original_1": "18:00"}
    response = admin_client.post(address(Event, "add"), {**EVENT, "rrule": "FREQ=WEEKLY", **rows})
    assert "A moved or added date needs its new start." in response.content.decode()
    assert Event.objects.count() == 0


def test_selected_events_are_withdrawn(admin_client):
    row = factories.event(starts=NOW)
    admin_client.post(address(Event, "changelist"), {"action": "withdraw", "_selected_action": [row.pk]})
    row.refresh_from_db()
    assert row.status == "withdrawn"


def test_each_model_of_festivals_has_an_admin_or_stands_inside_one():
    apart = {model for model in admin.site._registry if model._meta.app_label == "festivals"}
    inside = {inline.model for model in apart for inline in admin.site._registry[model].inlines}
    assert apart | inside == {Festival, FestivalName, Event, EventException}
