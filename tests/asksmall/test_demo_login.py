from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.core.management import call_command


@pytest.fixture(autouse=True)
def _own_data_folder(settings, tmp_path: Path):
    settings.DATA_DIR = tmp_path


def said() -> str:
    out = StringIO()
    call_command("demo_login", stdout=out)
    return out.getvalue().strip()


@pytest.mark.django_db
def test_the_printed_login_opens_the_admin(client):
    _, _, password = said().rpartition(" ")
    assert client.login(username="curator", password=password)
    assert client.get("/admin/").status_code == 200


@pytest.mark.django_db
def test_asked_again_it_prints_the_same_and_makes_nobody(tmp_path: Path):
    first = said()
    assert said() == first
    assert get_user_model().objects.count() == 1
    assert (tmp_path / "demo-login").stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db
def test_a_password_that_a_curator_chose_is_left_alone():
    said()
    user = get_user_model().objects.get()
    user.set_password("my own, thank you")
    user.save()
    assert said().startswith("The user curator has a password of their own")
    assert authenticate(username="curator", password="my own, thank you") == user
