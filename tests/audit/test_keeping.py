"""What is found in the files, and for how long."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from agent.harness import run
from agent.llm.scripted import ScriptedModel
from agent.types import Pick, Point, Query, Resume
from audit.ledger import Ledger
from audit.models import Run, RunEvent
from tests.audit.test_recorder import ask
from tests.engine import call, final, part, question, with_model

CANARY = "canarybird"


def files_that_hold(folder, question: str, *words: str) -> list[tuple[str, str]]:
    """Which files hold which words; the question itself is found, so that the search is one."""
    texts = [(path.name, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()]
    assert any(question.encode() in text for _, text in texts)
    return [(name, word) for name, text in texts for word in words if word.encode() in text]


@pytest.mark.rule("A-53")
@pytest.mark.fault("FA4")
def test_nothing_but_the_question_is_found_in_any_file(recorder, town, audit_file):
    model = ScriptedModel(
        {"questions": [question(CANARY, CANARY, why=CANARY)], "calls": [call(1, CANARY, keywords=[CANARY]), call(1)], "reasoning": CANARY},
        {"calls": [call(1, CANARY, names=[CANARY])], "reasoning": CANARY},
        {**final(part(1, CANARY, ("r1",))), "reasoning": CANARY},
    )
    town, query = with_model(town, model), Query("asked by a test", Point(54.4012345, -2.9612345), lang=CANARY)
    resume = Resume(f"1.{CANARY}.{CANARY}.{CANARY}", (Pick(1, option=CANARY), Pick(2, say=CANARY)))
    list(recorder.recorded(run(query, town, resume), query, town, "web", resume))
    broken = with_model(town, Breaking())
    with pytest.raises(RuntimeError):
        list(recorder.recorded(run(query, broken), query, broken, "web"))
    recorder.flush()
    assert Run.objects.count() == 2
    assert files_that_hold(audit_file.parent, "asked by a test", CANARY, "54.40123", "2.96123", "4012345") == []


class Breaking:
    """A model whose error holds what it was told."""

    name = "breaking"

    def complete(self, _turn):
        raise RuntimeError(CANARY)


@pytest.mark.rule("A-53")
@pytest.mark.fault("FA4")
def test_nothing_of_an_echo_or_of_words_said_is_found_while_the_database_is_locked_either(recorder, town, audit_file):
    from tests.audit.test_recorder import locked

    query = Query("any cafe around here?")
    *_, reply = recorder.recorded(run(query, town), query, town, "web")
    resume = Resume(reply.body["echo"], (Pick(1, say=f"harbour {CANARY}"),))
    with locked():
        list(recorder.recorded(run(query, town, resume), query, town, "web", resume))
        assert recorder.spill.path.exists()
        assert files_that_hold(audit_file.parent, query.text, CANARY, *reply.body["echo"].split(".")[1:]) == []


@pytest.mark.rule("A-53")
def test_questions_are_blanked_after_their_days_in_the_file_too_and_the_rows_stay(recorder, town, audit_file):
    ask(recorder, town, "asked by a test of old")
    Run.objects.update(started=datetime.now(UTC) - timedelta(days=91))
    ask(recorder, town, "asked by a test of late")
    recorder.close()
    ledger = Ledger()
    ledger.tend(datetime.now(UTC), 90)
    ledger.close()
    assert [(row.query, row.blanked, row.parts) for row in Run.objects.order_by("started")] == [("", True, 1), ("asked by a test of late", False, 1)]
    assert files_that_hold(audit_file.parent, "a test of late", "a test of old") == []


@pytest.mark.fault("FA1")
def test_a_run_of_another_machine_is_lost_when_it_is_ten_minutes_old(audit_file):
    now = datetime.now(UTC)
    common = {"door": "web", "process": "another|1|1", "now": now, "snapshot": 1, "resolver": "rules", "finalizer": "rules"}
    Run.objects.create(id="young", started=now - timedelta(minutes=9), **common)
    Run.objects.create(id="old", started=now - timedelta(minutes=11), **common)
    ledger = Ledger()
    ledger.tend(now, 90)
    ledger.close()
    assert dict(Run.objects.values_list("id", "ended")) == {"young": "", "old": "lost"}


def test_a_record_that_no_database_would_take_spoils_no_other(audit_file):
    rows = [{"kind": "event", "row": {"run_id": "x", "seq": seq, "ms": ms, "step": "intake", "round": 0}} for seq, ms in ((1, 5), (2, 2**80), (3, 7))]
    ledger = Ledger()
    assert ledger.write(rows) == 1
    ledger.close()
    assert list(RunEvent.objects.values_list("seq", flat=True)) == [1, 3]


@pytest.mark.rule("A-51")
def test_the_engine_answers_without_the_file_and_never_looks_at_it(town, audit_file):
    audit_file.unlink()
    *_, reply = run(Query("quiet cafe in Old Town"), replace(town))
    assert (reply.outcome, audit_file.exists()) == ("answer", False)


ON_POSTGRES = """
import django; django.setup()
from pathlib import Path
import sys
from agent.harness import run
from agent.types import Query
from audit.metrics import by_day, measure
from audit.models import Run
from audit.recorder import recorder
from tests.clock import ZONE
from tests.engine import engine
town, mine = engine(Path(sys.argv[1])), recorder()
for text in ("quiet cafe in Old Town", "any cafe around here?", ""):
    query = Query(text)
    list(mine.recorded(run(query, town), query, town, "terminal"))
assert mine.flush(20)
import time
while mine.spill: time.sleep(0.05)
print(mine.unwritten, measure(ZONE)["ended"]["ok"], measure(ZONE)["asked_back"], len(by_day(ZONE)), Run.objects.filter(ended="refused").count())
"""


@pytest.mark.postgres
def test_postgresql_keeps_the_audit_by_its_address_alone(postgres, tmp_path):
    import os

    switches = {
        "SYSTEM_DATABASE_URL": postgres.new_database("audit"),
        "ASKSMALL_DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "asksmall.settings",
    }
    ran = subprocess.run(
        [sys.executable, "-c", ON_POSTGRES, str(tmp_path / "town")],
        cwd=settings.BASE_DIR, env={**os.environ, **switches}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("0 2 1 1 1\n", "")
    assert sorted(path.name for path in tmp_path.glob("smallsystem*")) == ["smallsystem.spill.lock"]
