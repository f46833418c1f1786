"""A recorded run asked again, in the terminal, over the demo of the tests."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from agent.errors import ModelUnavailable
from agent.harness import run
from agent.llm.scripted import ScriptedModel
from agent.types import Point, Query
from agent.web import wiring
from audit.models import Run, RunEvent
from tests.engine import engine


@pytest.fixture
def town(tmp_path, settings, monkeypatch):
    """An engine whose snapshots lie where the command looks for them, and which the command builds alike."""
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    made = engine(settings.SNAPSHOT_DIR)
    settings.TOWN = made.town
    wiring.store.cache_clear()
    monkeypatch.setattr(wiring, "embedder", lambda: made.embedder)
    yield made
    wiring.store.cache_clear()


@pytest.fixture
def recorded(recorder, town):
    """Ask, and give the run's row."""

    def record(text="quiet cafe in Old Town", at=None, deps=town) -> Run:
        query = Query(text, at)
        list(recorder.recorded(run(query, deps), query, deps, "terminal"))
        assert recorder.flush()
        return Run.objects.get()

    return record


def replay(row: Run) -> tuple[int, str]:
    """The exit code and what was said."""
    said = StringIO()
    try:
        call_command("replay", row.run, stdout=said)
    except CommandError as error:
        return error.returncode, said.getvalue() + str(error)
    return 0, said.getvalue()


@pytest.mark.parametrize(
    "text", ["quiet cafe in Old Town", "museum in Harbour and what is on?", "any cafe around here?", "where is Xanadu Palace?", ""]
)
def test_a_run_asked_again_brings_the_same_rows_and_verdicts(recorded, text):
    code, said = replay(recorded(text))
    assert (code, "the same rows and verdicts in all" in said) == (0, True)


def test_a_run_that_had_other_rows_differs_in_that_step(recorded):
    row = recorded()
    step = row.events.get(step="execute")
    step.said["ids"][0] = "place:another"
    step.save()
    code, said = replay(row)
    assert (code, said.splitlines()[-1]) == (1, f"run {row.run} differs in 1 of its steps.")
    assert "place:another" in said


def test_a_run_that_had_fewer_steps_differs(recorded):
    row = recorded()
    RunEvent.objects.filter(step="reply").delete()
    assert replay(row)[0] == 1


def test_a_session_location_is_not_kept_so_that_nothing_can_be_asked_again(recorded):
    code, said = replay(recorded("cafe near me", Point(54.4, -2.96)))
    assert (code, "asked from a session location, which is not kept" in said) == (2, True)


def test_masked_text_is_said(recorded):
    code, said = replay(recorded("call +44 20 7946 0018 for coffee"))
    assert (code, "personal data in its question was masked (phone)" in said) == (2, True)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"blanked": True, "query": ""}, "older than the days of keeping"),
        ({"resumes": "x"}, "goes on from a follow-up"),
        ({"ended": "lost"}, "it ended as lost"),
        ({"ended": ""}, "it ended as running"),
        ({"snapshot": 99}, "snapshot 99 is not kept any more"),
        ({"snapshot_hash": "other"}, "snapshot 1 is another one than it was asked of"),
        ({"resolver": "gateway"}, "it was answered by gateway and rules, here are rules and rules"),
        ({"refused": "too_long"}, "too long, and was cut"),
    ],
)
def test_what_stands_in_the_way_is_said(recorded, changes, why):
    row = recorded()
    Run.objects.update(**changes)
    code, said = replay(row)
    assert (code, why in said) == (2, True)


def test_rows_of_google_are_said(recorded):
    row = recorded()
    part = row.events.get(step="part")
    part.said["sources"] = ["google"]
    part.save()
    code, said = replay(row)
    assert (code, "rows of Google" in said) == (2, True)


def test_another_model_is_said(recorded, town):
    from dataclasses import replace

    dead = ScriptedModel(*[ModelUnavailable("none")] * 3)
    code, said = replay(recorded(deps=replace(town, model=dead)))
    assert (code, "answered by scripted and scripted" in said) == (2, True)


@pytest.mark.usefixtures("audit_file")
def test_a_run_that_nobody_recorded_is_told():
    with pytest.raises(CommandError, match="no run 'nothing' is recorded"):
        call_command("replay", "nothing")


def test_the_figures_are_printed_in_words_and_as_json(recorded):
    recorded("any cafe around here?")
    said, as_json = StringIO(), StringIO()
    call_command("metrics", stdout=said)
    call_command("metrics", "--json", stdout=as_json)
    assert said.getvalue().startswith("Follow-ups      1000.0 of 1,000 loops (1 of 1)\n")
    assert "Cost            —; not known for 1 runs" in said.getvalue()
    assert json.loads(as_json.getvalue())["followups_per_1000"] == 1000.0


def test_figures_of_an_audit_that_is_not_there_are_told_with_the_mend(audit_file):
    from django.db import connections

    connections["system"].close()
    audit_file.unlink()
    with pytest.raises(CommandError, match="ask one"):
        call_command("metrics")
