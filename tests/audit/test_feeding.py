"""The page and the terminal feed the audit alike, and nothing of who asked is found in it."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import path

from agent.web import pages, wiring
from audit import recorder as module
from audit.models import Run
from audit.recorder import recorder as own
from tests.audit.test_keeping import CANARY, files_that_hold
from tests.rows import NOW, build

urlpatterns = [path("", pages.ask, {"clock": lambda: NOW}, name="ask")]
QUESTION = "cafe in Old Town"


@pytest.fixture
def doors(settings, tmp_path, audit_file):
    """The page and the terminal, with the recorder that a process makes for itself, in a folder of its own."""
    settings.ROOT_URLCONF, settings.DATA_DIR, settings.SNAPSHOT_DIR = __name__, audit_file.parent, tmp_path / "snapshots"
    build(settings.SNAPSHOT_DIR)
    closed = own()
    own.cache_clear()
    wiring.store.cache_clear()
    yield module.recorder()
    module.recorder().close()
    own.cache_clear()
    wiring.store.cache_clear()
    assert closed.problem == ""
    own().close()


@pytest.mark.rule("A-51")
def test_a_question_on_the_page_and_one_in_the_terminal_are_each_a_run(doors, client):
    client.post("/", {"q": QUESTION})
    call_command("ask", QUESTION, "--now", NOW.isoformat(), stdout=StringIO())
    assert sorted((row.door, row.query, row.ended) for row in Run.objects.all()) == [("terminal", QUESTION, "ok"), ("web", QUESTION, "ok")]


@pytest.mark.rule("A-53")
@pytest.mark.fault("FA4")
def test_nothing_of_who_asked_on_the_page_is_found_in_any_file(doors, client, audit_file):
    headers = {
        "HTTP_USER_AGENT": CANARY,
        "HTTP_REFERER": f"https://{CANARY}.example/",
        "REMOTE_ADDR": "203.0.113.77",
        "HTTP_X_FORWARDED_FOR": "203.0.113.78",
    }
    client.cookies["sessionid"] = CANARY
    client.get("/", {"q": QUESTION, "snapshot": CANARY}, **headers)
    call_command("ask", QUESTION, "--at", "54.4012345,-2.9612345", "--now", NOW.isoformat(), stdout=StringIO())
    doors.close()
    assert files_that_hold(audit_file.parent, QUESTION, CANARY, "203.0.113.", "54.40123", "2.96123") == []


@pytest.mark.rule("A-55")
def test_ready_says_what_could_not_be_written(doors, client):
    from asksmall.health import readyz

    doors.unwritten = 3
    assert b"3 records of the audit could not be written" in readyz(client.get("/").wsgi_request).content
