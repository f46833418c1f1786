"""A run is recorded whatever its end, and whatever the database does, the run goes on."""

import os
import resource
import signal
import time
from contextlib import closing
from dataclasses import replace

import pytest
from django.db import connections

from agent.errors import ModelUnavailable
from agent.harness import run
from agent.llm.scripted import ScriptedModel
from agent.types import Pick, Point, Query, Resume
from audit.models import Followup, Run, RunEvent
from audit.recorder import Recorder
from tests.engine import with_model

QUESTION = "quiet cafe in Old Town"


def recorded(recorder, town, text=QUESTION, door="terminal", **more):
    query = Query(text, **more)
    return recorder.recorded(run(query, town), query, town, door)


def ask(recorder, town, text=QUESTION, **more):
    """The reply, once all of the run is recorded."""
    *_, reply = recorded(recorder, town, text, **more)
    assert recorder.flush()
    return reply


@pytest.mark.rule("A-51", "A-54")
def test_an_answered_run_is_recorded_with_its_steps_and_figures(recorder, town):
    reply = ask(recorder, town)
    row = Run.objects.get()
    assert (row.run, row.query, row.door, row.outcome, row.ended) == (reply.body["meta"]["run"], QUESTION, "terminal", "answer", "ok")
    assert (row.snapshot, row.snapshot_hash) == (town.snapshot.number, town.snapshot.manifest.content_hash)
    assert (row.now, row.lang, row.located, row.masked) == (town.now, "en", False, [])
    assert (row.rounds, row.parts, row.unknown_parts, row.asked_back, row.cost) == (2, 1, 0, 0, None)
    assert row.finished >= row.started
    steps = [event.step for event in row.events.all()]
    assert (steps[0], steps[-2:]) == ("intake", ["part", "reply"])
    ids = {one for event in row.events.filter(step="execute") for one in event.said["ids"]}
    assert "place:blue-door-cafe" in ids


@pytest.mark.rule("A-54")
def test_the_start_is_on_the_disk_before_the_first_step_is_handed_on(recorder, town):
    with closing(recorded(recorder, town)) as steps:
        next(steps)
        assert [(row.query, row.ended) for row in Run.objects.all()] == [(QUESTION, "")]


@pytest.mark.rule("A-54")
def test_the_end_is_on_the_disk_before_the_reply_is_handed_on(recorder, town):
    for _step in recorded(recorder, town):
        pass
    assert Run.objects.get().ended == "ok"


@pytest.mark.rule("A-54")
@pytest.mark.fault("FI4")
def test_a_client_that_leaves_ends_its_run_as_aborted(recorder, town):
    with closing(recorded(recorder, town)) as steps:
        next(steps)
    recorder.flush()
    assert [(row.ended, row.outcome) for row in Run.objects.all()] == [("aborted", "")]


def test_a_client_that_leaves_after_the_reply_leaves_an_ended_run(recorder, town):
    with closing(recorded(recorder, town)) as steps:
        while next(steps).__class__.__name__ != "Reply":
            pass
    recorder.flush()
    assert Run.objects.get().ended == "ok"


@pytest.mark.rule("A-54")
def test_a_run_that_is_stopped_ends_as_aborted(recorder, town):
    ask(recorder, replace(town, stopped=lambda: True))
    assert Run.objects.get().ended == "aborted"


@pytest.mark.rule("A-54")
def test_an_exception_goes_through_and_its_kind_alone_is_kept(recorder, town):
    broken = with_model(town, ScriptedModel())
    with pytest.raises(AssertionError, match="no answer for call 1"):
        ask(recorder, broken)
    recorder.flush()
    assert [(row.ended, row.error) for row in Run.objects.all()] == [("error", "AssertionError")]


@pytest.mark.rule("A-54")
def test_a_model_that_times_out_is_a_recorded_fallback(recorder, town):
    dead = with_model(town, ScriptedModel(*[ModelUnavailable("time-out")] * 3))
    assert ask(recorder, dead).outcome == "fallback"
    assert [(row.ended, row.outcome, row.resolver) for row in Run.objects.all()] == [("ok", "fallback", "scripted")]


@pytest.mark.rule("A-52")
@pytest.mark.parametrize(("text", "why"), [("  ", "empty"), ("x" * 141, "too_long")])
def test_what_the_engine_refuses_ends_as_refused(recorder, town, text, why):
    ask(recorder, town, text)
    row = Run.objects.get()
    assert (row.ended, row.refused, row.outcome, row.cost) == ("refused", why, "fallback", 0)
    assert len(row.query) <= 140


@pytest.mark.rule("A-57")
def test_both_models_stand_in_the_record(recorder, town):
    town = replace(town, finalizer=ScriptedModel(*[ModelUnavailable("none")] * 3))
    ask(recorder, town)
    assert [(row.resolver, row.finalizer) for row in Run.objects.all()] == [(town.model.name, "scripted")]


def test_a_follow_up_and_its_pick_are_recorded_as_ids(recorder, town):
    query = Query("any cafe around here?")
    *_, reply = recorder.recorded(run(query, town), query, town, "web")
    option = reply.body["followups"][0]["options"][0]["id"]
    resume = Resume(reply.body["echo"], (Pick(1, option=option),))
    list(recorder.recorded(run(query, town, resume), query, town, "web", resume))
    recorder.flush()
    first, second = Run.objects.order_by("started")
    assert (first.outcome, first.asked_back, first.resumes) == ("followup", 1, "")
    assert (second.resumes, len(first.echo)) == (first.echo, 64)
    asked = Followup.objects.get()
    assert (asked.run, asked.slot, asked.pick, asked.picked_by) == (first, "where", option, second.id)
    assert asked.options == [one["id"] for one in reply.body["followups"][0]["options"]]


def test_a_resume_with_an_echo_that_is_none_is_a_first_run(recorder, town):
    query, resume = Query(QUESTION), Resume("1.nonsense", (Pick(1, say="harbour"),))
    list(recorder.recorded(run(query, town, resume), query, town, "web", resume))
    assert Run.objects.get().resumes == ""


@pytest.mark.rule("A-53")
def test_that_a_location_was_given_is_kept_and_no_more(recorder, town):
    ask(recorder, town, at=Point(54.401234, -2.961234))
    assert Run.objects.get().located is True


@pytest.mark.fault("FA5")
def test_a_clock_that_jumps_back_makes_no_duration_negative(recorder, town, monkeypatch):
    steps = recorded(recorder, town)
    next(steps)
    monkeypatch.setattr("audit.recording.datetime", Backwards)
    list(steps)
    monkeypatch.undo()
    row = Run.objects.get()
    assert row.finished >= row.started
    assert [event.ms for event in row.events.all()] == sorted(event.ms for event in row.events.all())


class Backwards:
    """A clock an hour behind."""

    from datetime import datetime as _real

    @classmethod
    def now(cls, zone):
        from datetime import timedelta

        return cls._real.now(zone) - timedelta(hours=1)

    fromisoformat = _real.fromisoformat


@pytest.mark.rule("A-55", "A-51")
@pytest.mark.fault("FD5")
def test_a_deleted_file_is_made_anew_and_answers_go_on(recorder, town, audit_file):
    ask(recorder, town)
    for path in audit_file.parent.glob("smallsystem.db*"):
        path.unlink()
    assert ask(recorder, town).outcome == "answer"
    connections["system"].close()
    until(lambda: audit_file.exists() and Run.objects.count() == 1)
    assert recorder.unwritten == 0


@pytest.mark.rule("A-55")
def test_a_file_that_is_no_database_costs_no_answer_and_is_told(recorder, town, audit_file):
    audit_file.write_bytes(b"not a database at all, " * 500)
    assert ask(recorder, town).outcome == "answer"
    assert recorder.problem.startswith("the audit's database takes nothing: DatabaseError")
    assert recorder.spill.path.stat().st_size > 500


@pytest.mark.rule("A-55")
@pytest.mark.fault("FD5")
def test_with_no_room_anywhere_answers_go_on_and_what_was_lost_is_counted(recorder, town, audit_file):
    ask(recorder, town)
    recorder.spill = type(recorder.spill)(audit_file.parent / "no" / "such" / "folder")
    with locked():
        assert ask(recorder, town).outcome == "answer"
        assert recorder.unwritten > 3
        assert f"{recorder.unwritten} records of the audit could not be written" in recorder.problem
    until(lambda: [event.said for event in RunEvent.objects.filter(step="unwritten")] == [{"records": recorder.unwritten}])


@pytest.mark.rule("A-55")
@pytest.mark.fault("FD5")
def test_a_full_disk_costs_no_answer_and_recording_goes_on_when_there_is_room_again(recorder, town, audit_file):
    """Under a limit on the size of files, which a full disk looks like from inside."""
    ask(recorder, town)
    largest = max(path.stat().st_size for path in audit_file.parent.iterdir())
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        answers = [ask(recorder, town).outcome for _ in range(60)]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert answers == ["answer"] * 60
    assert recorder.unwritten > 0
    until(lambda: not recorder.spill)
    ask(recorder, town, "there is room again")
    until(lambda: RunEvent.objects.filter(step="unwritten").exists())
    assert Run.objects.filter(query="there is room again", ended="ok").count() == 1
    assert sum(event.said["records"] for event in RunEvent.objects.filter(step="unwritten")) == recorder.unwritten


@pytest.mark.rule("A-55")
@pytest.mark.fault("FA3")
@pytest.mark.parametrize("seconds", [1.5, pytest.param(10, marks=pytest.mark.long)])
def test_a_locked_database_blocks_no_run_and_loses_nothing(recorder, town, seconds):
    ask(recorder, town)
    with locked():
        began = time.monotonic()
        waits = []
        while time.monotonic() - began < seconds:
            waits.append(time_of_start(recorder, town))
        assert max(waits) < 0.1
    until(lambda: not recorder.spill and Run.objects.filter(ended="ok").count() == len(waits) + 1)
    assert (recorder.unwritten, recorder.problem) == (0, "")
    assert RunEvent.objects.filter(step="reply").count() == len(waits) + 1


def time_of_start(recorder, town) -> float:
    """How long a run waits for its first step to be recorded; then it is ended."""
    began = time.monotonic()
    steps = recorded(recorder, town)
    next(steps)
    waited = time.monotonic() - began
    list(steps)
    return waited


class locked:  # noqa: N801 - reads as a with statement
    """Nobody else may write for as long as this lasts."""

    def __enter__(self):
        self.connection = connections.create_connection("system")
        self.connection.settings_dict = {**self.connection.settings_dict, "OPTIONS": {"timeout": 5}}
        self.connection.cursor().execute("BEGIN EXCLUSIVE")

    def __exit__(self, *_):
        self.connection.cursor().execute("ROLLBACK")
        self.connection.close()


def until(holds, seconds: float = 5.0) -> None:
    """Wait for something that another thread does, and fail where it does not."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_forked_process_records_its_own_runs(recorder, town):
    ask(recorder, town)
    connections["system"].close()
    in_a_fork(lambda: (list(recorded(recorder, town, "museum in Harbour")), recorder.close()))
    assert sorted((row.query, row.ended) for row in Run.objects.all()) == [("museum in Harbour", "ok"), (QUESTION, "ok")]
    assert len({row.process for row in Run.objects.all()}) == 2


@pytest.mark.fault("FA1")
def test_runs_of_a_dead_process_are_lost_at_the_next_start_and_those_of_a_living_one_are_not(recorder, town, audit_file):
    in_a_fork(lambda: next(recorded(recorder, town, "left alone")))
    with closing(recorded(recorder, town, "museum in Harbour")) as steps:
        next(steps)
        later = Recorder(audit_file.with_name("smallsystem.spill"))
        ask(later, town)
        until(lambda: Run.objects.get(query="left alone").ended == "lost")
        assert Run.objects.get(query="museum in Harbour").ended == ""
        later.close()


def in_a_fork(work) -> None:
    """Do it in a child that ends without any clearing up."""
    child = os.fork()
    if not child:
        work()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_a_closed_recorder_hands_the_steps_on_and_records_nothing(recorder, town):
    recorder.close()
    assert ask(recorder, town).outcome == "answer"
    assert Run.objects.count() == 0


def test_closing_writes_what_is_queued(recorder, town):
    list(recorded(recorder, town))
    recorder.close()
    assert RunEvent.objects.filter(step="reply").count() == 1
