import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.contrib.auth.models import User
from django.urls import reverse

from festivals.models import Event, Festival
from places.models import Area, Place, ScoreKind, Tag


@pytest.mark.django_db
def test_the_admin_bears_the_product_s_name(admin_client):
    assert "<title>What the town knows | Ask Small</title>" in " ".join(admin_client.get(reverse("admin:index")).content.decode().split())


@pytest.mark.django_db
@pytest.mark.parametrize("staff", [True, False])
def test_who_may_change_nothing_sees_no_rows(client, staff):
    client.force_login(User.objects.create_user("reader", is_staff=staff))
    assert client.get(reverse("admin:places_place_changelist")).status_code == (403 if staff else 302)


@pytest.mark.parametrize("model", [Area, Place, Festival, Event, Tag, ScoreKind])
def test_every_field_that_a_curator_may_edit_is_in_the_form(model):
    editable = {field.name for field in [*model._meta.fields, *model._meta.many_to_many] if field.editable and not field.primary_key}
    assert editable - set(flatten_fieldsets(admin.site._registry[model].get_fieldsets(None))) == set()
