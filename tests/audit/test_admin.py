"""Curators may look at the audit, and do nothing else with it."""

import re

import pytest
from django.contrib.auth.models import Permission, User

from audit.models import Followup, Run, RunEvent
from tests.clock import NOW

pytestmark = pytest.mark.django_db(databases=["default", "system"])
FIGURES = "/admin/audit/run/figures/"
NASTY = "<script>alert(1)</script>"


@pytest.fixture
def run() -> Run:
    run = Run.objects.create(
        id="a" * 32, run="b" * 32, door="web", process="here|1|1", query=NASTY, now=NOW, started=NOW, snapshot=1, resolver="rules", finalizer="rules",
        ended="ok", outcome="answer", latency_ms=12, parts=1,
    )  # fmt: skip
    RunEvent.objects.create(run=run, seq=1, step="intake", ms=0, said={"chars": 5})
    Followup.objects.create(run=run, question=1, slot="where", options=["area:harbour"])
    return run


@pytest.fixture
def curator(client):
    user = User.objects.create_user("curator", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_run", "view_runevent", "view_followup"]))
    client.force_login(user)
    return user


@pytest.mark.usefixtures("curator")
def test_runs_are_listed_and_shown_with_their_steps_as_text(client, run):
    listed = client.get("/admin/audit/run/").content.decode()
    shown = client.get(f"/admin/audit/run/{run.id}/change/").content.decode()
    assert (NASTY in listed, NASTY in shown, "&lt;script&gt;alert(1)" in listed) == (False, False, True)
    assert ("intake" in shown, "area:harbour" in shown, 'href="/admin/audit/run/figures/"' in listed) == (True, True, True)


@pytest.mark.rule("A-51")
@pytest.mark.parametrize("path", ["add/", "{}/delete/"])
def test_nobody_adds_or_deletes_a_run(admin_client, run, path):
    assert admin_client.get(f"/admin/audit/run/{path.format(run.id)}").status_code == 403


@pytest.mark.rule("A-51")
def test_nobody_changes_a_run(admin_client, run):
    assert admin_client.post(f"/admin/audit/run/{run.id}/change/", {"query": "another"}).status_code == 403
    assert Run.objects.get().query == NASTY


@pytest.mark.usefixtures("curator", "run")
def test_each_chart_has_a_table_and_no_style_or_script_of_its_own(client):
    response = client.get(FIGURES)
    page = response.content.decode()
    main = page.partition('id="content-main"')[2]
    assert response["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'; script-src 'self'")
    assert re.findall(r"<h2>(.*?)</h2>", main)[:2] == ["Questions a day, by outcome", "Follow-ups of 1,000 loops, by week"]
    assert main.count("<svg viewBox") == main.count("</svg>\n    <table") == 5
    assert re.findall(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)", page) == []
    assert '<rect class="audit-bar-0" x="75.0" y="0.0" width="450.0" height="160.0"' in main


@pytest.mark.usefixtures("run")
def test_the_figures_are_for_whoever_may_view_runs(client, django_user_model):
    assert client.get(FIGURES).status_code == 302
    client.force_login(django_user_model.objects.create_user("other", is_staff=True))
    assert client.get(FIGURES).status_code == 403


@pytest.mark.usefixtures("curator")
def test_with_no_run_yet_the_page_says_so(client):
    assert client.get(FIGURES).content.decode().count("Nothing yet.") == 5
