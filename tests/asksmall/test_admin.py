import pytest
from django.contrib.auth.models import User
from django.urls import reverse


@pytest.mark.django_db
def test_the_admin_bears_the_product_s_name(admin_client):
    assert "<title>What the town knows | Ask Small</title>" in " ".join(admin_client.get(reverse("admin:index")).content.decode().split())


@pytest.mark.django_db
@pytest.mark.parametrize("staff", [True, False])
def test_who_may_change_nothing_sees_no_rows(client, staff):
    client.force_login(User.objects.create_user("reader", is_staff=staff))
    assert client.get(reverse("admin:places_place_changelist")).status_code == (403 if staff else 302)
